// The code of the recipe for navigation.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

//@block Dispatcher/RecipeNavigation struct Books

//@block Dispatcher/RecipeNavigation struct Reader

//@block Dispatcher/RecipeNavigation enum ShelfInput

var shelf: StateDispatcher<Books, ShelfPage, ShelfInput> {
    .workflow { input in
        switch input {
        case .filter(let text): return [.pure(.update { $0.filter = text })]
        case .select: return []
        }
    }
}

var book: StateDispatcher<Books, BookPage, BookInput> {
    .pure { input in
        switch input {
        case .show(let text): return .update { $0.text = text }
        case .setNote(let note): return .update { $0.note = note }
        }
    }
}

//@block Dispatcher/RecipeNavigation var screen
var login: StateDispatcher<Books, LoginSheet, String> {
    .pure { name in .update { $0.name = name } }
}

//@block Dispatcher/RecipeNavigation var navigation: StateDispatcher<Books,

//@block Dispatcher/RecipeNavigation var reader: StateDispatcher<Books,

//@block Dispatcher/RecipeNavigation func loads(_

//@block Dispatcher/RecipeNavigation func pages(for

/// Loads each book in two seconds, and records the titles of the loads that were cancelled.
private struct Server: Sendable {
    struct Offline: Error {}

    let clock: VirtualClock
    let started = Log()
    let cancelled = Log()
    let isOffline = Ref(false)

    var books: Books {
        Books { title in
            started.append(title)
            do { try await clock.sleep(for: .seconds(2)) } catch {
                cancelled.append(title)
                throw error
            }
            if isOffline.get() { throw Offline() }
            return "The text of \(title)"
        }
    }
}

extension Reader {
    fileprivate var titles: [String] {
        path.map { screen in
            switch screen.page {
            case .shelf: "shelf"
            case .book(let book):
                switch book.text {
                case .loading: book.title
                case .loaded: book.title + ", loaded"
                case .failed: book.title + ", failed"
                }
            }
        }
    }
}

@Suite("The recipe for navigation", .timeLimit(.minutes(10)))
struct RecipeNavigationExampleTests {
    let scheduler = VirtualScheduler()

    private func makeReader(_ server: Server) -> Component<Reader, ReaderInput> {
        let books = server.books
        return Component(
            initialState: Reader(), environment: books, executor: scheduler.executor, dispatcher: reader,
            watching: \.path, subscriptions: loads)
    }

    @Test func pushAndPop() {
        let server = Server(clock: scheduler.clock)
        let books = server.books

        //@block Dispatcher/RecipeNavigation let component

        #expect(component.state.titles == ["shelf"])
    }

    @Test func aBookIsLoadedWhileItsScreenIsOnTheStack() {
        let component = makeReader(Server(clock: scheduler.clock))
        component.send(.push(.shelf(ShelfPage())))
        component.send(.screen(id: 0, .shelf(.select(title: "Dune"))))
        component.send(.screen(id: 0, .shelf(.filter("D"))))
        #expect(component.state.titles == ["shelf", "Dune"])
        scheduler.advance(by: .seconds(2))
        #expect(component.state.titles == ["shelf", "Dune, loaded"])
        #expect(component.state.path[0].page == .shelf(ShelfPage(filter: "D")))
    }

    @Test func poppingCancelsTheLoadOfThatScreenOnly() {
        let server = Server(clock: scheduler.clock)
        let component = makeReader(server)
        for title in ["Dune", "Emma", "Dune"] { component.send(.push(.book(BookPage(title: title)))) }
        scheduler.advance(by: .seconds(1))
        component.send(.keep(ids: [0, 2]))
        scheduler.drain()
        #expect(server.cancelled.lines == ["Emma"])
        scheduler.advance(by: .seconds(1))
        #expect(component.state.titles == ["Dune, loaded", "Dune, loaded"])
        #expect(server.started.lines.count == 3)
    }

    @Test func aScreenThatIsPushedAgainIsANewScreen() {
        let server = Server(clock: scheduler.clock)
        let component = makeReader(server)
        component.send(.push(.book(BookPage(title: "Dune"))))
        scheduler.advance(by: .seconds(1))
        component.send(.keep(ids: []))
        component.send(.push(.book(BookPage(title: "Dune"))))
        scheduler.advance(by: .seconds(1))
        #expect(component.state.titles == ["Dune"])
        #expect(server.cancelled.lines == ["Dune"])
        scheduler.advance(by: .seconds(1))
        #expect(component.state.titles == ["Dune, loaded"])
        #expect(component.state.path.map(\.id) == [1])
    }

    @Test func inputsForAPoppedScreenChangeNothing() {
        let component = makeReader(Server(clock: scheduler.clock))
        component.send(.push(.book(BookPage(title: "Dune"))))
        component.send(.keep(ids: []))
        let state = component.state
        component.send(.screen(id: 0, .book(.setNote("late"))))
        component.send(.login("late"))
        #expect(component.state == state)
    }

    @Test func aFailedLoadIsShownAndCanBeRepeated() {
        let server = Server(clock: scheduler.clock)
        server.isOffline.set(true)
        let component = makeReader(server)
        component.send(.push(.book(BookPage(title: "Dune"))))
        scheduler.advance(by: .seconds(2))
        #expect(component.state.titles == ["Dune, failed"])
        server.isOffline.set(false)

        component.send(.screen(id: 0, .book(.show(.loading))))

        #expect(component.state.titles == ["Dune"])
        scheduler.advance(by: .seconds(2))
        #expect(component.state.titles == ["Dune, loaded"])
        #expect(server.started.lines == ["Dune", "Dune"])
    }

    @Test func deepLink() {
        let server = Server(clock: scheduler.clock)
        let component = makeReader(server)
        component.send(.push(.book(BookPage(title: "Emma"))))
        scheduler.drain()

        //@block Dispatcher/RecipeNavigation component.send(.open(pages(for

        scheduler.advance(by: .seconds(2))
        #expect(component.state.titles == ["shelf", "Dune, loaded"])
        #expect(server.cancelled.lines == ["Emma"])
    }

    @Test func anOptionalChild() {
        let component = makeReader(Server(clock: scheduler.clock))
        component.send(.showLogin(true))
        component.send(.login("Ann"))
        #expect(component.state.login == LoginSheet(name: "Ann"))
        component.send(.showLogin(false))
        component.send(.login("Bob"))
        #expect(component.state.login == nil)
    }
}

// MARK: - A loop

enum BookEvent {
    case show(BookPage.Text)
    case setNote(String)
}
enum BookEffect { case load(title: String) }
enum ReaderEvent: AutoPrism {
    case push(ReaderPage)
    case keep(ids: [Int])
    case open([ReaderPage])
    case book(id: Int, BookEvent)
}
enum ReaderEffect: Equatable {
    case load(screen: Int, title: String)
    case cancelLoad(screen: Int)
}

var bookUpdate: Update<BookPage, BookEvent, BookEffect> {
    Update(inPlace: { book, event in
        switch event {
        case .show(let text): book.text = text
        case .setNote(let note): book.note = note
        }
        if case .show(.loading) = event { return [.load(title: book.title)] }
        return []
    })
}

//@block Dispatcher/RecipeNavigation var navigationUpdate
//@block Dispatcher/RecipeNavigation var readerUpdate

//@block Dispatcher/RecipeNavigation func readerHandler(_

@Suite("The recipe for navigation in a loop", .timeLimit(.minutes(10)))
struct RecipeNavigationLoopExampleTests {
    let scheduler = VirtualScheduler()

    private func makeReader() -> (Server, MobiusLoop<Reader, ReaderEvent, ReaderEffect>) {
        let server = Server(clock: scheduler.clock)
        let handler = readerHandler(server.books, executor: scheduler.executor)
        return (server, Mobius.loop(update: readerUpdate, effectHandler: handler).start(from: Reader()))
    }

    @Test func poppingCancelsTheLoadOfThatScreenOnly() throws {
        let (server, loop) = makeReader()
        for title in ["Dune", "Emma"] { loop.dispatchEvent(.push(.book(BookPage(title: title)))) }
        scheduler.advance(by: .seconds(1))
        loop.dispatchEvent(.keep(ids: [0]))
        loop.dispatchEvent(.book(id: 1, .setNote("late")))
        scheduler.drain()
        #expect(server.cancelled.lines == ["Emma"])
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel.titles == ["Dune, loaded"])
        #expect(scheduler.clock.now.offset == .seconds(2))
    }

    @Test func aDeepLinkCancelsAndLoads() throws {
        let (server, loop) = makeReader()
        loop.dispatchEvent(.push(.book(BookPage(title: "Emma"))))
        scheduler.drain()
        loop.dispatchEvent(.open(pages(for: "shelf/Dune")))
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel.titles == ["shelf", "Dune, loaded"])
        #expect(server.cancelled.lines == ["Emma"])
    }

    @Test func loadingAgainReplacesTheLoad() throws {
        let (server, loop) = makeReader()
        loop.dispatchEvent(.push(.book(BookPage(title: "Emma"))))
        scheduler.advance(by: .seconds(1))
        loop.dispatchEvent(.book(id: 0, .show(.loading)))
        scheduler.advance(by: .seconds(1))
        #expect(server.cancelled.lines == ["Emma"])
        #expect(loop.latestModel.titles == ["Emma"])
        server.isOffline.set(true)
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel.titles == ["Emma, failed"])
        #expect(scheduler.clock.now.offset == .seconds(3))
    }

    @Test func disposingCancelsTheLoads() {
        let (server, loop) = makeReader()
        loop.dispatchEvent(.push(.book(BookPage(title: "Emma"))))
        scheduler.drain()
        loop.dispose()
        scheduler.drain()
        #expect(server.cancelled.lines == ["Emma"])
    }
}

// MARK: - A store

struct PushPage: Action { let page: ReaderPage }
struct KeepScreens: Action { let ids: [Int] }
struct ShowText: Action { let screen: Int, text: BookPage.Text }

//@block Dispatcher/RecipeNavigation var readerReducer

//@block Dispatcher/RecipeNavigation func loadBooks(of

@Suite("The recipe for navigation in a store", .timeLimit(.minutes(10)))
struct RecipeNavigationStoreExampleTests {
    let scheduler = VirtualScheduler()

    @Test func poppingCancelsTheLoadOfThatScreenOnly() throws {
        let server = Server(clock: scheduler.clock)
        let store = Store(reducer: readerReducer, initialState: Reader(), executor: scheduler.executor)
        loadBooks(of: store, from: server.books)
        for title in ["Dune", "Emma"] { store.dispatch(action: PushPage(page: .book(BookPage(title: title)))) }
        scheduler.advance(by: .seconds(1))
        store.dispatch(action: KeepScreens(ids: [0]))
        scheduler.drain()
        #expect(server.cancelled.lines == ["Emma"])
        try scheduler.run { try await store.settled() }
        #expect(store.state.titles == ["Dune, loaded"])
        #expect(server.started.lines == ["Dune", "Emma"])

        server.isOffline.set(true)
        store.dispatch(action: PushPage(page: .book(BookPage(title: "Iliad"))))
        try scheduler.run { try await store.settled() }
        #expect(store.state.titles == ["Dune, loaded", "Iliad, failed"])
    }
}
