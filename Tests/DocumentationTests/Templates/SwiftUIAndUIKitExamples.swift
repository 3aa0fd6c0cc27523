// The code of the article on SwiftUI and UIKit that runs on every platform.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import Testing

//@block Dispatcher/SwiftUIAndUIKit struct Author:

struct NameChanged: Action { let name: String }

let authorReducer: ReducerFn<Author> = on(NameChanged.self) { author, action in author.name = action.name }

let authorUpdate = Update<Author, AuthorInput, Never>(inPlace: { author, input in
    switch input {
    case .nameChanged(let name): author.name = name
    case .publicChanged(let isPublic): author.isPublic = isPublic
    }
    return []
})

@MainActor
@Suite("The article on SwiftUI and UIKit", .timeLimit(.minutes(10)))
struct SwiftUIAndUIKitExampleTests {
    @Test func theLogicChangesTheAuthor() {
        let component = Component(initialState: Author(), environment: (), dispatcher: author)
        let store = Store(reducer: authorReducer, initialState: Author())
        let loop = Mobius.loop(update: authorUpdate, effectHandler: EffectRouter<Never, AuthorInput>())
            .start(from: Author())

        component.send(.nameChanged("Ada"))
        component.send(.publicChanged(true))
        store.dispatch(action: NameChanged(name: "Ada"))
        loop.dispatchEvent(.nameChanged("Ada"))
        loop.dispatchEvent(.publicChanged(true))

        #expect(component.state == Author(name: "Ada", isPublic: true))
        #expect(store.state == Author(name: "Ada"))
        #expect(loop.latestModel == Author(name: "Ada", isPublic: true))
    }
}
