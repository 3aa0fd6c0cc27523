// The code of the article on policies and subscriptions.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

@Suite("The article on policies and subscriptions", .timeLimit(.minutes(10)))
struct PoliciesAndSubscriptionsExampleTests {
    @Test func latest() async {
        struct Library: Sendable { var books: @Sendable (String) async throws -> [String] }
        struct Search: Equatable, Sendable { var books: [String] = [], isLoading = false }

        let search = StateDispatcher<Library, Search, String>.workflow(policy: .latest) { text in
            [
                .pure(.update { $0.isLoading = true }),
                EnvIO { library in
                    let books = try await library.books(text)
                    return .update { $0 = Search(books: books) }
                },
            ]
        }

        let gate = Gate()
        let library = Library { text in
            if text == "slow" { await gate.pass() }
            return [text]
        }
        let component = Component(initialState: Search(), environment: library, dispatcher: search)
        let slow = component.send("slow")
        await component.send("fast").finish()
        await gate.open()
        await slow.finish()
        #expect(component.state == Search(books: ["fast"]))
        #expect(slow.isCancelled)
    }

    @Test func queuedByID() async {
        struct Save: Sendable { var file: String, text: String }
        struct Disk: Sendable { var write: @Sendable (Save) async throws -> Void }

        let saving = StateDispatcher<Disk, Set<String>, Save>.effectful { save in
            EnvIO { disk in
                try await disk.write(save)
                return .update { $0.insert(save.file) }
            }
        }
        let inOrder = saving.policy(.queued, id: { save in save.file })

        let (log, gate) = (Log(), Gate())
        let disk = Disk { save in
            if save.text == "first" { await gate.pass() }
            log.append(save.text)
        }
        let component = Component(initialState: [], environment: disk, dispatcher: inOrder)
        component.send(Save(file: "a", text: "first"))
        let last = component.send(Save(file: "a", text: "second"))
        await component.send(Save(file: "b", text: "other")).finish()
        await gate.open()
        await last.finish()
        #expect(log.lines == ["other", "first", "second"])
    }

    @Test func policyOfOneInput() async {
        struct Library: Sendable { var books: @Sendable (String) async throws -> [String] }

        struct Catalog: Equatable, Sendable { var books: [String] = [], selected: String? }
        enum CatalogInput: AutoPrism {
            case search(String)
            case select(String)
        }

        let searching = StateDispatcher<Library, Catalog, String>.effectful { text in
            EnvIO { library in
                let books = try await library.books(text)
                return .update { $0.books = books }
            }
        }
        let selecting = StateDispatcher<Library, Catalog, String>.pure { book in .update { $0.selected = book } }

        let catalog = StateDispatcher<Library, Catalog, CatalogInput>.combine {
            searching.policy(.latest).widen(transformInput: CatalogInput.prism(for: CatalogInput.search))
            selecting.widen(transformInput: CatalogInput.prism(for: CatalogInput.select))
        }

        let gate = Gate()
        let library = Library { text in
            await gate.pass()
            return [text]
        }
        let both = StateDispatcher<Library, Catalog, CatalogInput>.combine {
            searching.widen(transformInput: CatalogInput.prism(for: CatalogInput.search))
            selecting.widen(transformInput: CatalogInput.prism(for: CatalogInput.select))
        }
        let component = Component(initialState: Catalog(), environment: library, dispatcher: catalog)
        let cancelling = Component(initialState: Catalog(), environment: library, dispatcher: both.policy(.latest))
        let byID = Component(
            initialState: Catalog(), environment: library,
            dispatcher: both.policy(
                .latest,
                id: { input in
                    switch input {
                    case .search: "search"
                    case .select: "select"
                    }
                }))
        let found = byID.send(.search("owls"))
        byID.send(.select("Owls"))
        let search = component.send(.search("owls"))
        let cancelled = cancelling.send(.search("owls"))
        component.send(.select("Owls"))
        cancelling.send(.select("Owls"))
        await gate.open()
        await search.finish()
        await cancelled.finish()
        await found.finish()
        #expect(component.state == Catalog(books: ["owls"], selected: "Owls"))
        #expect(byID.state == Catalog(books: ["owls"], selected: "Owls"))
        #expect(cancelling.state == Catalog(selected: "Owls"))
    }

    @Test func stopwatch() {
        let scheduler = VirtualScheduler()

        struct Stopwatch: Equatable, Sendable { var seconds = 0, isRunning = false }
        enum StopwatchInput: Sendable { case startOrStop, tick }

        let stopwatch = StateDispatcher<Void, Stopwatch, StopwatchInput>.pure { input in
            switch input {
            case .startOrStop: .update { $0.isRunning.toggle() }
            case .tick: .update { $0.seconds += 1 }
            }
        }

        let component = Component(
            initialState: Stopwatch(), environment: (), dispatcher: stopwatch,
            subscriptions: { state in state.isRunning ? [.every(.seconds(1), id: "tick") { .tick }] : [] })
        #expect(component.state == Stopwatch())

        let tested = Component(
            initialState: Stopwatch(), environment: (), executor: scheduler.executor, dispatcher: stopwatch,
            subscriptions: { state in
                state.isRunning ? [.every(.seconds(1), id: "tick", clock: scheduler.clock) { .tick }] : []
            })

        scheduler.advance(by: .seconds(9))
        tested.send(.startOrStop)
        scheduler.advance(by: .seconds(3))
        tested.send(.startOrStop)
        scheduler.advance(by: .seconds(9))
        #expect(tested.state.seconds == 3)

        let time = VirtualScheduler()
        let test = TestDriver(
            stopwatch, state: Stopwatch(), environment: (),
            subscriptions: { state in
                state.isRunning ? [.every(.seconds(1), id: "tick", clock: time.clock) { .tick }] : []
            }, time: time)

        test.send(.startOrStop) { $0.isRunning = true }
        test.advance(by: .seconds(1))
        test.receive(.tick) { $0.seconds = 1 }
        test.finish()
    }

    @Test func watching() {
        let scheduler = VirtualScheduler()
        struct Stopwatch: Equatable, Sendable { var seconds = 0, isRunning = true }
        let stopwatch = StateDispatcher<Void, Stopwatch, Int>.pure { seconds in .update { $0.seconds += seconds } }
        let ticks = Subscription<Void, Int>.every(.seconds(1), id: "tick", clock: scheduler.clock) { 1 }

        let component = Component(
            initialState: Stopwatch(), environment: (), executor: scheduler.executor, dispatcher: stopwatch,
            watching: \.isRunning, subscriptions: { isRunning in isRunning ? [ticks] : [] })

        scheduler.advance(by: .seconds(2))
        #expect(component.state.seconds == 2)
    }

    struct Chat: Sendable {
        var connect: @Sendable (_ receive: @escaping @Sendable (String) -> Void) async throws -> Void
    }

    func messages(of room: String) -> Subscription<Chat, String> {
        .run(id: room) { chat, send in try await chat.connect { message in send(message) } }
    }

    @Test func chat() {
        let scheduler = VirtualScheduler()
        let dispatcher = StateDispatcher<Chat, [String], String>.pure { message in .update { $0.append(message) } }
        let subscriptions = [messages(of: "garden")]
        let component = Component(
            initialState: [], environment: Chat { receive in receive("hello") }, executor: scheduler.executor,
            dispatcher: dispatcher, subscriptions: { _ in subscriptions })
        scheduler.drain()
        #expect(component.state == ["hello"])
    }

    @Test func children() {
        let scheduler = VirtualScheduler()
        struct Tables: Equatable, Sendable { var left = 0, right = 0 }
        enum TablesInput: Sendable {
            case left(Int)
            case right(Int)
        }
        @Sendable func stopwatches(_ step: Int) -> [Subscription<Void, Int>] {
            [.every(.seconds(1), id: "tick", clock: scheduler.clock) { step }]
        }
        let dispatcher = StateDispatcher<Void, Tables, TablesInput>.pure { input in
            switch input {
            case .left(let step): .update { $0.left += step }
            case .right(let step): .update { $0.right += step }
            }
        }
        let component = Component(
            initialState: Tables(), environment: (), executor: scheduler.executor, dispatcher: dispatcher,
            subscriptions: { (tables: Tables) in
                stopwatches(1).widen(id: "left", transformInput: TablesInput.left)
                    + stopwatches(2).widen(id: "right", transformInput: TablesInput.right)
            })
        scheduler.advance(by: .seconds(2))
        #expect(component.state == Tables(left: 2, right: 4))
    }
}
