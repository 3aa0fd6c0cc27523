// The code of the article on SwiftUI and UIKit that needs SwiftUI. `.ci/platforms` type-checks it.

#if canImport(SwiftUI)
    import Dispatcher
    import Effects
    import Loop
    import SwiftUI

    //@block Dispatcher/SwiftUIAndUIKit struct AuthorView

    //@block Dispatcher/SwiftUIAndUIKit struct AuthorScreen

    //@block Dispatcher/SwiftUIAndUIKit struct PlaylistView

    struct NameView: View {
        let name: Scope<String, String>

        var body: some View {
            TextField("Name", text: name.binding(\.self, send: { $0 }))
        }
    }

//@block Dispatcher/SwiftUIAndUIKit struct AuthorStoreView

//@block Dispatcher/SwiftUIAndUIKit struct AuthorControllerView

//@block Dispatcher/SwiftUIAndUIKit struct NameFeatureView

//@block Dispatcher/SwiftUIAndUIKit struct AuthorPreviews
#endif
