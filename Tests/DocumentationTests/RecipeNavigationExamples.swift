// The code of the recipe for navigation.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

struct Books: Sendable { var text: @Sendable (_ title: String) async throws -> String }

struct ShelfPage: Equatable, Sendable { var filter = "" }
struct BookPage: Equatable, Sendable {
    enum Text: Equatable {
        case loading, failed
        case loaded(String)
    }

    let title: String
    var text = Text.loading
    var note = ""
}
enum ReaderPage: Equatable, AutoPrism {
    case shelf(ShelfPage)
    case book(BookPage)
}

struct ReaderScreen: Equatable, Identifiable, Sendable {
    let id: Int
    var page: ReaderPage
}
struct LoginSheet: Equatable, Sendable { var name = "" }

struct Reader: Equatable, Sendable {
    private(set) var path: [ReaderScreen] = []
    private var nextID = 0
    var login: LoginSheet?

    mutating func push(_ page: ReaderPage) {
        path.append(ReaderScreen(id: nextID, page: page))
        nextID += 1
    }
    mutating func keep(_ ids: [Int]) { path.removeAll { !ids.contains($0.id) } }
    mutating func open(_ pages: [ReaderPage]) {
        path = []
        for page in pages { push(page) }
    }

    static let screens = Lens<Reader, [ReaderScreen]>(get: \.path, modify: { reader, change in change(&reader.path) })
}

enum ShelfInput {
    case filter(String)
    case select(title: String)
}
enum BookInput {
    case show(BookPage.Text)
    case setNote(String)
}
enum ReaderPageInput: AutoPrism {
    case shelf(ShelfInput)
    case book(BookInput)
}
enum ReaderInput: AutoPrism {
    case push(ReaderPage)
    case keep(ids: [Int])
    case open([ReaderPage])
    case showLogin(Bool)
    case login(String)
    case screen(id: Int, ReaderPageInput)
}

let shelf = StateDispatcher<Books, ShelfPage, ShelfInput>.workflow { input in
    switch input {
    case .filter(let text): [.pure(.update { $0.filter = text })]
    case .select: []
    }
}
let book = StateDispatcher<Books, BookPage, BookInput>.pure { input in
    switch input {
    case .show(let text): .update { $0.text = text }
    case .setNote(let note): .update { $0.note = note }
    }
}
let screen = StateDispatcher<Books, ReaderScreen, ReaderPageInput>.combine {
    shelf.widen(
        transformState: Lens(\ReaderScreen.page).appending(ReaderPage.prism(for: ReaderPage.shelf)),
        transformInput: ReaderPageInput.prism(for: ReaderPageInput.shelf))
    book.widen(
        transformState: Lens(\ReaderScreen.page).appending(ReaderPage.prism(for: ReaderPage.book)),
        transformInput: ReaderPageInput.prism(for: ReaderPageInput.book))
}
let login = StateDispatcher<Books, LoginSheet, String>.pure { name in .update { $0.name = name } }

let navigation = StateDispatcher<Books, Reader, ReaderInput>.workflow { input in
    switch input {
    case .push(let page): [.pure(.update { $0.push(page) })]
    case .keep(let ids): [.pure(.update { $0.keep(ids) })]
    case .open(let pages): [.pure(.update { $0.open(pages) })]
    case .showLogin(let isShown): [.pure(.update { $0.login = isShown ? LoginSheet() : nil })]
    case .screen(_, .shelf(.select(let title))): [.pure(.update { $0.push(.book(BookPage(title: title))) })]
    case .screen, .login: []
    }
}

let reader = StateDispatcher<Books, Reader, ReaderInput>.combine {
    navigation
    screen.forEach(state: Reader.screens, input: ReaderInput.prism(for: ReaderInput.screen))
    login.widen(
        transformState: Lens(\Reader.login).some(), transformInput: ReaderInput.prism(for: ReaderInput.login))
}

func loads(_ path: [ReaderScreen]) -> [Subscription<Books, ReaderInput>] {
    path.compactMap { screen in
        guard case .book(let book) = screen.page, book.text == .loading else { return nil }
        return .run(id: screen.id) { books, send in
            do {
                let text = try await books.text(book.title)
                send(.screen(id: screen.id, .book(.show(.loaded(text)))))
            } catch {
                send(.screen(id: screen.id, .book(.show(.failed))))
            }
        }
    }
}

func pages(for link: String) -> [ReaderPage] {
    link.split(separator: "/").map { part in
        part == "shelf" ? .shelf(ShelfPage()) : .book(BookPage(title: String(part)))
    }
}

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

        let component = Component(
            initialState: Reader(), environment: books, dispatcher: reader, watching: \.path, subscriptions: loads)
        component.send(.push(.shelf(ShelfPage())))
        component.send(.screen(id: 0, .shelf(.select(title: "Dune"))))  // pushes the book
        component.send(.keep(ids: [0]))  // pops it

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

        component.send(.open(pages(for: "shelf/Dune")))

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

let bookUpdate = Update<BookPage, BookEvent, BookEffect>(inPlace: { book, event in
    switch event {
    case .show(let text): book.text = text
    case .setNote(let note): book.note = note
    }
    if case .show(.loading) = event { return [.load(title: book.title)] }
    return []
})
let navigationUpdate = Update<Reader, ReaderEvent, ReaderEffect>(inPlace: { reader, event in
    let old = reader.path
    switch event {
    case .push(let page): reader.push(page)
    case .keep(let ids): reader.keep(ids)
    case .open(let pages): reader.open(pages)
    case .book: return []
    }
    let (oldIDs, ids) = (old.map(\.id), reader.path.map(\.id))
    let cancelled = oldIDs.filter { !ids.contains($0) }.map { id in ReaderEffect.cancelLoad(screen: id) }
    let loads = reader.path.compactMap { screen -> ReaderEffect? in
        guard !oldIDs.contains(screen.id), case .book(let book) = screen.page else { return nil }
        return .load(screen: screen.id, title: book.title)
    }
    return cancelled + loads
})
let readerUpdate = Update.combine(
    navigationUpdate,
    bookUpdate
        .widen(model: Lens(\ReaderScreen.page).appending(ReaderPage.prism(for: ReaderPage.book)))
        .forEach(
            model: Reader.screens, event: ReaderEvent.prism(for: ReaderEvent.book),
            effect: { id, effect in
                switch effect {
                case .load(let title): .load(screen: id, title: title)
                }
            })
)

func readerHandler(_ books: Books, executor: (any TaskExecutor)? = nil) -> EffectRouter<ReaderEffect, ReaderEvent> {
    EffectRouter(executor: executor)
        .routeCase(ReaderEffect.cancelLoad).toCancel { screen in screen }
        .routeCase(ReaderEffect.load).policy(.latest, id: { screen, _ in screen })
        .toEvent { screen, title in
            .book(id: screen, .show(.loaded(try await books.text(title))))
        } onError: { _, load in
            .book(id: load.0, .show(.failed))
        }
}

@Suite("The recipe for navigation in a loop", .timeLimit(.minutes(10)))
struct RecipeNavigationLoopExampleTests {
    let scheduler = VirtualScheduler()

    @Test func poppingCancelsTheLoadOfThatScreenOnly() throws {
        let server = Server(clock: scheduler.clock)
        let handler = readerHandler(server.books, executor: scheduler.executor)
        let loop = Mobius.loop(update: readerUpdate, effectHandler: handler).start(from: Reader())
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
        let server = Server(clock: scheduler.clock)
        let handler = readerHandler(server.books, executor: scheduler.executor)
        let loop = Mobius.loop(update: readerUpdate, effectHandler: handler).start(from: Reader())
        loop.dispatchEvent(.push(.book(BookPage(title: "Emma"))))
        scheduler.drain()
        loop.dispatchEvent(.open(pages(for: "shelf/Dune")))
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel.titles == ["shelf", "Dune, loaded"])
        #expect(server.cancelled.lines == ["Emma"])
    }

    @Test func loadingAgainReplacesTheLoad() throws {
        let server = Server(clock: scheduler.clock)
        let handler = readerHandler(server.books, executor: scheduler.executor)
        let loop = Mobius.loop(update: readerUpdate, effectHandler: handler).start(from: Reader())
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
        let server = Server(clock: scheduler.clock)
        let handler = readerHandler(server.books, executor: scheduler.executor)
        let loop = Mobius.loop(update: readerUpdate, effectHandler: handler).start(from: Reader())
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

let readerReducer: ReducerFn<Reader> = combineReducers(
    on(PushPage.self) { reader, push in reader.push(push.page) },
    on(KeepScreens.self) { reader, keep in reader.keep(keep.ids) },
    on(ShowText.self) { reader, show in
        let book = Reader.screens.element(id: show.screen).page.appending(ReaderPage.prism(for: ReaderPage.book))
        book.text.set(&reader, show.text)
    }
)

func loading(_ screen: ReaderScreen) -> Effect<Books>? {
    guard case .book(let book) = screen.page else { return nil }
    return Effect { _, books in
        ActionStream<any Action> {
            ShowText(screen: screen.id, text: .loaded(try await books.text(book.title)))
        }
        .replaceError(with: ShowText(screen: screen.id, text: .failed))
    }
}

func loadBooks(of store: Store<Reader>, from books: Books) {
    let known = Ref<Set<Int>>([])
    store.select(\.path).observe { [weak store] path in
        let ids = Set(path.map(\.id))
        let old = known.modify { known in
            defer { known = ids }
            return known
        }
        for id in old.subtracting(ids) { store?.unregister(id) }
        for screen in path where !old.contains(screen.id) {
            if let effect = loading(screen) { store?.register([effect.provide(books)], as: screen.id) }
        }
    }
}

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
