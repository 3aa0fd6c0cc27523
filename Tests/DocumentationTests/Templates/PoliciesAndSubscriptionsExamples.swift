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
        //@block Dispatcher/PoliciesAndSubscriptions struct Library

        struct Offline: Error {}
        let gate = Gate()
        let library = Library { text in
            if text == "slow" { await gate.pass() }
            if text == "bad" { throw Offline() }
            return [text]
        }
        let component = Component(initialState: Search(), environment: library, dispatcher: search)
        let slow = component.send("slow")
        await component.send("fast").finish()
        await gate.open()
        await slow.finish()
        #expect(component.state == Search(books: ["fast"]))
        #expect(slow.isCancelled)
        await component.send("bad").finish()
        #expect(component.state == Search(failure: "Offline()"))
    }

    @Test func queuedByID() async {
        //@block Dispatcher/PoliciesAndSubscriptions struct Save

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

        //@block Dispatcher/PoliciesAndSubscriptions struct Catalog

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

    @Test func onCancel() async {
        //@block Dispatcher/PoliciesAndSubscriptions struct Printing
        let gate = Gate()
        let printer = Printer { pages in
            await gate.pass()
            return pages
        }
        let component = Component(initialState: Printing(), environment: printer, dispatcher: printing)
        let first = component.send(1)
        #expect(component.state.isPrinting)
        first.cancel()
        #expect(component.state == Printing())
        let second = component.send(2)
        await gate.open()
        await second.finish()
        #expect(component.state == Printing(pages: 2))
    }

    @Test func stopwatch() {
        let scheduler = VirtualScheduler()

        //@block Dispatcher/PoliciesAndSubscriptions struct Stopwatch
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

        //@block Dispatcher/PoliciesAndSubscriptions let time
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

    //@block Dispatcher/PoliciesAndSubscriptions struct Chat

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
            case .left(let step): return .update { $0.left += step }
            case .right(let step): return .update { $0.right += step }
            }
        }
        let component = Component(
            initialState: Tables(), environment: (), executor: scheduler.executor, dispatcher: dispatcher,
            subscriptions: { (tables: Tables) in
                stopwatches(1).map { $0.widen(id: "left", transformInput: TablesInput.left) }
                    + stopwatches(2).map { $0.widen(id: "right", transformInput: TablesInput.right) }
            })
        scheduler.advance(by: .seconds(2))
        #expect(component.state == Tables(left: 2, right: 4))
    }
}
