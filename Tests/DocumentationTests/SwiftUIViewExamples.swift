// The code of the article on SwiftUI and UIKit that needs SwiftUI. `.ci/platforms` type-checks it.

#if canImport(SwiftUI)
    import Dispatcher
    import Effects
    import Loop
    import SwiftUI

    struct AuthorView: View {
        let component: Component<Author, AuthorInput>

        var body: some View {
            VStack {
                TextField("Name", text: component.binding(\.name, send: AuthorInput.nameChanged))
                Toggle("Public", isOn: component.binding(\.isPublic, send: AuthorInput.publicChanged).animation())
                if component.state.isPublic {
                    Text("All users see \(component.state.name).")
                }
            }
        }
    }

    struct AuthorScreen: View {
        @State private var component = Component(
            initialState: Author(), environment: (), dispatcher: author)

        var body: some View {
            AuthorView(component: component)
        }
    }

    struct NameView: View {
        let name: Scope<String, String>

        var body: some View {
            TextField("Name", text: name.binding(\.self, send: { $0 }))
        }
    }

    struct AuthorStoreView: View {
        let store: Store<Author>

        var body: some View {
            VStack {
                Text(store.select(\.name).value)
                TextField("Name", text: store.binding(\.name, dispatch: NameChanged.init))
            }
        }
    }

    struct AuthorLoopView: View {
        let loop: MobiusLoop<Author, AuthorInput, Never>

        var body: some View {
            VStack {
                Text(loop.latestModel.name)
                TextField("Name", text: loop.binding(\.name, dispatch: AuthorInput.nameChanged))
            }
        }
    }

    struct AuthorControllerView: View {
        let controller: MobiusController<Author, AuthorInput, Never>

        var body: some View {
            Text(controller.model.name)
                .onAppear { controller.startIfStopped() }
                .onDisappear { controller.stopIfRunning() }
        }
    }

    struct NameFeatureView: View {
        let author: StoreScope<Author>

        var body: some View {
            TextField("Name", text: author.binding(\.name, dispatch: NameChanged.init))
        }
    }

    struct AuthorPreviews: PreviewProvider {
        static var previews: some View {
            AuthorView(component: .constant(Author(name: "Ada", isPublic: true)))
            NameView(name: .constant("Ada"))
            AuthorStoreView(store: .constant(Author(name: "Ada")))
            NameFeatureView(author: Store.constant(Author(name: "Ada")).scope(state: \.self))
            AuthorLoopView(loop: .constant(Author(name: "Ada")))
            AuthorControllerView(controller: .constant(Author(name: "Ada")))
        }
    }
#endif
