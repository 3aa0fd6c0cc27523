// The code of the article on the Composable Architecture.

import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite("The article on the Composable Architecture", .timeLimit(.minutes(10)))
struct ComposableArchitectureExampleTests {
    @Test func aFeature() async {
        //@block Dispatcher/ComingFromTheComposableArchitecture struct Library

        struct Row: Identifiable, Equatable, Sendable {
            let id: Int
            var count = 0
        }
        struct Shelf: Equatable, Sendable {
            var search = Search()
            var login: String?
            var rows: [Row] = []
        }
        enum ShelfAction: AutoPrism {
            case search(String)
            case login(String)
            case showLogin(Bool)
            case row(id: Int, Int)
        }
        let shelf = StateDispatcher<Library, Shelf, ShelfAction>.workflow { input in
            switch input {
            case .showLogin(let isShown): return [.pure(.update { $0.login = isShown ? "" : nil })]
            case .search, .login, .row: return []
            }
        }
        let login = StateDispatcher<Library, String, String>.pure { name in .set(name) }
        let row = StateDispatcher<Library, Row, Int>.pure { number in .update { $0.count += number } }

        //@block Dispatcher/ComingFromTheComposableArchitecture var app

        //@block Dispatcher/ComingFromTheComposableArchitecture let component

        // The policy lets only the last search change the books.
        let gate = Gate()
        let slow = Component(
            initialState: Search(),
            environment: Library { text in
                if text != "owls" { await gate.pass() }
                return [text]
            },
            dispatcher: search)
        let first = slow.send("o")
        await slow.send("owls").finish()
        await gate.open()
        await first.finish()
        #expect(slow.state == Search(text: "owls", books: ["owls"]))

        let parent = Component(
            initialState: Shelf(rows: [Row(id: 1)]), environment: Library { [$0] }, dispatcher: app)
        parent.send(.login("ignored"))
        #expect(parent.state.login == nil)
        parent.send(.showLogin(true))
        parent.send(.login("Ann"))
        parent.send(.row(id: 1, 3))
        parent.send(.row(id: 2, 3))
        await parent.send(.search("owls")).finish()
        #expect(
            parent.state
                == Shelf(search: Search(text: "owls", books: ["owls"]), login: "Ann", rows: [Row(id: 1, count: 3)]))
    }
}
