import Dispatcher
import FunctionalCore
import Observation
import TestSupport
import Testing
import VirtualTime

/// The works of a component in its trace: actions, streams and subscriptions.
@Suite("Component: tracing", .timeLimit(.minutes(10)))
struct ComponentTraceTests {
    typealias Text = StateDispatcher<Void, String, String>

    private let scheduler: VirtualScheduler
    private let end: Witness
    private let events = TraceBuffer()
    private let trace: Trace

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        trace = Trace(to: events, clock: scheduler.clock)
        end = Witness { scheduler.drain() }
    }

    /// A component that has recorded its creation. The events after it have the numbers from 2.
    private func component(
        _ dispatcher: Text, maximumChain: Int = 2_000_000,
        subscriptions: @escaping @Sendable (String) -> [Subscription<Void, String>] = { _ in [] }
    ) -> Component<String, String> {
        Component(
            initialState: "", environment: (), executor: scheduler.executor, maximumChain: maximumChain, trace: trace,
            dispatcher: dispatcher, subscriptions: subscriptions)
    }

    /// The lines of the events after the creation, without the number of observers.
    private var lines: [String] { events.lines.dropFirst().map { $0.replacing(/(?: for \d+)$/, with: "") } }

    /// A function that returns an action that appends a text to the state after a second.
    private var waiting: @Sendable (String) -> Text.Action {
        { [clock = scheduler.clock] text in
            EnvIO { () async throws in
                try await clock.sleep(for: .seconds(1))
                return .update { $0 += text }
            }
        }
    }

    // MARK: - Actions

    /// What a component does for the input "a", and what it records of that in two seconds.
    enum Doing: String, CaseIterable {
        case pure = "A pure change is no work"
        case pureAction = "A pure action is no work"
        case synchronous = "A synchronous action is a work that ends after its change"
        case waits = "An action that waits is suspended, and ends after its change"
        case handles = "An error that a dispatcher handles is no failure"
        case workflow = "Each action of a workflow is a work from when it begins, and the changes between them are none"

        func dispatcher(_ waiting: @escaping @Sendable (String) -> Text.Action) -> Text {
            switch self {
            case .pure: .pure { input in .set(input) }
            case .pureAction: .effectful { input in .pure(.set(input)) }
            case .synchronous: .effectful { append($0) }
            case .waits: .effectful(waiting)
            case .handles: Text.effectful { _ in .fail(Broken()) }.handleError { error, _ in .set("\(error)") }
            case .workflow:
                .workflow { input in
                    [
                        waiting("1"), append("2"), .pure(.update { $0 += "3" }), waiting("4"),
                        EnvIO { () throws in throw Broken() }, append("never"),
                    ]
                }
            }
        }

        var lines: [String] {
            switch self {
            case .pure, .pureAction: ["3 ← 2: changed to a", "4 ← 2: handled 2"]
            case .synchronous:
                ["3 ← 2: started a, action", "4 ← 3: changed to a", "5 ← 3: ended 3", "6 ← 2: handled 2"]
            case .waits:
                [
                    "3 ← 2: started a, action", "4 ← 3: suspended 3", "5 ← 2: handled 2", "6 ← 3: changed to a",
                    "7 ← 3: ended 3",
                ]
            case .handles:
                [
                    "3 ← 2: started a, action", "4 ← 3: recovered from Broken() with a value",
                    "5 ← 3: changed to Broken()", "6 ← 3: ended 3", "7 ← 2: handled 2",
                ]
            case .workflow:
                [
                    "3 ← 2: started a, action", "4 ← 3: suspended 3", "5 ← 2: handled 2", "6 ← 3: changed to 1",
                    "7 ← 3: ended 3", "8 ← 2: started a, action", "9 ← 8: changed to 12", "10 ← 8: ended 8",
                    "11 ← 2: changed to 123", "12 ← 2: started a, action", "13 ← 12: suspended 12",
                    "14 ← 12: changed to 1234", "15 ← 12: ended 12", "16 ← 2: started a, action",
                    "17 ← 16: failed 16: Broken()",
                ]
            }
        }
    }

    @Test("A component records the works of an input", arguments: Doing.allCases)
    func works(_ doing: Doing) {
        let component = component(doing.dispatcher(waiting))
        component.onError { _, _ in }
        let handle = component.send("a")
        #expect((handle.work != nil) == [.waits, .workflow].contains(doing), "\(doing.rawValue)")
        scheduler.advance(by: .seconds(2))
        #expect(lines == ["2: received a from caller"] + doing.lines, "\(doing.rawValue)")
        #expect(events.all.last?.time == (doing == .waits ? .seconds(1) : doing == .workflow ? .seconds(2) : .zero))
        #expect(events.faults(haveAllEnded: true) == [])
    }

    @Test("A stream is one work, which ends after its last change")
    func stream() {
        let (elements, input) = AsyncStream<State<String, Void>>.makeStream()
        let component = component(.stream { _, _ in elements })
        component.send("a")
        scheduler.drain()
        input.yield(.set("1"))
        input.yield(.set("2"))
        input.finish()
        scheduler.drain()
        #expect(
            lines == [
                "2: received a from caller", "3 ← 2: handled 2", "4 ← 2: started a, action", "5 ← 4: suspended 4",
                "6 ← 4: changed to 1", "7 ← 4: changed to 2", "8 ← 4: ended 4",
            ])
    }

    @Test("A failure of a stream that a dispatcher handles is recorded with what it becomes, unless it was cancelled")
    func handledStream() {
        let (elements, input) = AsyncThrowingStream<State<String, Void>, any Error>.makeStream()
        let component = component(
            Text.stream { _, _ in elements }.handleError { error, _ in .set("\(error)") })
        component.send("a")
        scheduler.drain()
        input.finish(throwing: Broken())
        scheduler.drain()
        #expect(
            lines.dropFirst(3) == [
                "5 ← 4: suspended 4", "6 ← 4: recovered from Broken() with a value", "7 ← 4: changed to Broken()",
                "8 ← 4: ended 4",
            ])
        events.removeAll()
        let waiting = Text.stream { [clock = scheduler.clock] _, _ in
            AsyncThrowingStream { () async throws -> State<String, Void>? in
                try await clock.sleep(for: .seconds(1))
                return nil
            }
        }
        let second = self.component(waiting.handleError { error, _ in .set("\(error)") })
        let handle = second.send("b")
        scheduler.drain()
        handle.cancel()
        scheduler.advance(by: .seconds(2))
        #expect(!events.kinds.contains { $0.hasPrefix("recovered") })
    }

    @Test("A cancelled action is recorded once, when it has ended")
    func cancelled() {
        let component = component(.workflow { [waiting] _ in [waiting("1"), waiting("2")] })
        let work = component.send("a")
        scheduler.drain()
        work.cancel()
        #expect(lines.count == 4)
        scheduler.advance(by: .seconds(10))
        #expect(lines.dropFirst(4) == ["6 ← 3: cancelled 3"])
    }

    @Test("A late change of a cancelled action is not recorded")
    func late() {
        let gate = Gate()
        let component = component(
            .effectful { _ in
                EnvIO { () async throws in
                    await gate.pass()
                    return .set("late")
                }
            })
        let work = component.send("a")
        scheduler.drain()
        work.cancel()
        scheduler.start { await gate.open() }
        scheduler.drain()
        #expect(lines.last == "6 ← 3: cancelled 3")
    }

    @Test("A stream that is cancelled is recorded as cancelled")
    func cancelledStream() {
        let (elements, input) = AsyncStream<State<String, Void>>.makeStream()
        let component = component(.stream { _, _ in elements })
        let work = component.send("a")
        scheduler.drain()
        input.yield(.set("1"))
        scheduler.drain()
        work.cancel()
        scheduler.drain()
        #expect(lines.suffix(2) == ["6 ← 4: changed to 1", "7 ← 4: cancelled 4"])
    }

    @Test("Code that tracks the state sends as an observer")
    @MainActor func tracking() {
        let component = component(.pure { input in .set(input) })
        withObservationTracking {
            _ = component.state
        } onChange: {
            component.send("b")
        }
        component.send("a")
        #expect(events.sources == ["a from caller", "b from observer by a"])
    }

    @Test("An event of another trace is no cause, neither of a message nor of a work or a decision")
    func otherTrace() {
        let otherEvents = TraceBuffer()
        let other = Component<String, String>(
            initialState: "", environment: (), trace: Trace(to: otherEvents),
            dispatcher: Text.effectful { append($0) }.policy(.queued))
        let component = component(.pure { input in .set(input) })
        let registration = component.observe(initial: false) { other.send($0) }
        component.send("a")
        #expect(
            otherEvents.lines.dropFirst() == [
                "2: received a from caller", "3 ← 2: a starts", "4 ← 2: started a, action", "5 ← 4: changed to a",
                "6 ← 4: ended 4", "7 ← 2: handled 2",
            ])
        #expect(otherEvents.all.allSatisfy { $0.id == 1 || $0.root == 2 })
        registration.cancel()
    }

    @Test("A failure is recorded before the observers of errors are notified, and is the cause of what they send")
    func failure() {
        let component = component(.effectful { $0 == "a" ? .fail(Broken()) : append($0) })
        component.onError { [weak component] _, _ in component?.send("b") }
        component.send("a")
        #expect(
            lines.prefix(5) == [
                "2: received a from caller", "3 ← 2: started a, action", "4 ← 3: failed 3: Broken()",
                "5 ← 2: handled 2", "6 ← 3: received b from observer",
            ])
    }

    // MARK: - Causes

    @Test("An observer that an action notifies sends as an observer, and the action is the cause")
    func observer() {
        let other = component(.pure { input in .set(input) })
        let component = component(.effectful { [waiting] input in input == "a" ? waiting(input) : append(input) })
        component.observe(initial: false) { [weak component] state in
            if state == "a" { component?.send("b") }
            if state == "ab" { other.send("c") }
        }
        component.send("a")
        scheduler.advance(by: .seconds(1))
        #expect(
            lines == [
                "2: created ", "3: received a from caller", "4 ← 3: started a, action",
                "5 ← 4: suspended 4", "6 ← 3: handled 3", "7 ← 4: changed to a", "8 ← 4: ended 4",
                "9 ← 4: received b from observer", "10 ← 9: started b, action", "11 ← 10: changed to ab",
                "12 ← 10: received c from elsewhere", "13 ← 12: changed to c", "14 ← 12: handled 12",
                "15 ← 10: ended 10", "16 ← 9: handled 9",
            ])
        #expect(Set(events.all.dropFirst(2).map(\.root)) == [3])
    }

    @Test("What an action sends, in its synchronous part, its task and child tasks, has the action as its cause")
    func inputsOfActions() throws {
        let other = component(.pure { input in .set(input) })
        let box = Guarded<Component<String, String>?>(nil)
        let component = component(
            .effectful { [clock = scheduler.clock] input in
                guard input == "a" else { return .pure(.set(input)) }
                return EnvIO { () async throws in
                    other.send("1")
                    try await clock.sleep(for: .seconds(1))
                    box.value?.send("2")
                    await withTaskGroup { group in group.addTask { _ = other.send("3") } }
                    return .set("")
                }
            })
        box.value = component
        component.send("a")
        scheduler.advance(by: .seconds(1))
        box.value = nil
        let work = try #require(events.work(for: "a"))
        for number in 1...3 { #expect(events.received("\(number)")?.cause == work) }
        #expect(events.sources.dropFirst() == ["1 from action by a", "2 from action by a", "3 from action by a"])
        #expect(Set(events.all.dropFirst(2).map(\.root)) == [3])
    }

    // MARK: - Subscriptions

    @Test("A subscription is a work, and the cause of its inputs")
    func subscription() {
        let clock = scheduler.clock
        let component = component(.pure { input in .update { $0 += input } }) { state in
            state.count < 2 ? [.every(.seconds(1), id: "tick", clock: clock) { "x" }] : []
        }
        scheduler.advance(by: .seconds(5))
        #expect(
            lines == [
                "2: started tick, subscription", "3 ← 2: suspended 2", "4 ← 2: received x from subscription",
                "5 ← 4: changed to x", "6 ← 4: handled 4", "7 ← 2: received x from subscription",
                "8 ← 7: changed to xx", "9 ← 7: handled 7", "10 ← 2: cancelled 2",
            ])
        withExtendedLifetime(component) {}
    }

    @Test("An input that a subscription sends from another thread has the subscription as its cause")
    func callbacks() {
        let component = component(.pure { input in .set(input) }) { _ in
            [.run(id: "callback") { _, send in onThreads(1) { _ in send("a") } }]
        }
        scheduler.drain()
        #expect(lines.contains("4 ← 2: received a from subscription"))
        #expect(lines.last == "7 ← 2: ended 2")
        withExtendedLifetime(component) {}
    }

    @Test("The failure of a subscription is recorded before the observers of errors are notified")
    func failedSubscription() {
        let component = component(.pure { input in .set(input) }) { _ in [.run(id: "broken") { _, _ in throw Broken() }]
        }
        let log = Log()
        component.onError { [events] error, source in log.append("\(source): \(error), \(events.lines.count)") }
        scheduler.drain()
        #expect(lines == ["2: started broken, subscription", "3 ← 2: suspended 2", "4 ← 2: failed 2: Broken()"])
        #expect(log.lines == ["broken: Broken(), 4"])
    }

    // MARK: - Policies

    @Test("An input that waits for its policy starts with the input as its cause")
    func queued() {
        let component = component(.effectful(waiting).policy(.queued))
        for input in ["a", "b"] { component.send(input) }
        scheduler.advance(by: .seconds(2))
        #expect(
            lines == [
                "2: received a from caller", "3 ← 2: a starts", "4 ← 2: started a, action", "5 ← 4: suspended 4",
                "6 ← 2: handled 2", "7: received b from caller", "8 ← 7: b waits", "9 ← 7: handled 7",
                "10 ← 4: changed to a", "11 ← 4: ended 4", "12 ← 7: b starts", "13 ← 7: started b, action",
                "14 ← 13: suspended 13", "15 ← 13: changed to ab", "16 ← 13: ended 13",
            ])
    }

    @Test("A work that was cancelled before is not replaced, and an input that is cancelled while it waits is dropped")
    func cancelledUnderPolicies() {
        let latest = component(.effectful(waiting).policy(.latest))
        latest.send("a").cancel()
        latest.send("b")
        let queued = component(.effectful(waiting).policy(.queued))
        queued.send("c")
        queued.send("d").cancel()
        #expect(events.decisions == ["a starts by a", "b starts by b", "c starts by c", "d waits by d", "d dropped"])
    }

    @Test("The failure of a policy's clock is recorded, and what waited is dropped")
    func brokenClock() {
        let policy = Policy.debounce(for: .seconds(1), clock: BrokenClock(Broken()))
        let component = component(.effectful(waiting).policy(policy))
        component.onError { _, _ in }
        component.send("a")
        scheduler.drain()
        #expect(lines.suffix(2) == ["5 ← 2: failed -: Broken()", "6 ← 2: a dropped"])
    }

    // MARK: - Dropped inputs

    @Test("An input that was cancelled before its turn is recorded as dropped, and not as received")
    func cancelledInQueue() {
        let component = component(.pure { input in .set(input) })
        component.observe(initial: false) { [weak component] state in if state == "a" { component?.send("b").cancel() }
        }
        component.send("a")
        #expect(lines.suffix(2) == ["4 ← 2: handled 2", "5 ← 2: dropped b, cancelled"])
    }

    @Test("An input of a subscription that was cancelled is recorded as dropped")
    func droppedOfSubscription() {
        let component = component(.pure { input in .set(input) }) { state in
            state.isEmpty
                ? [
                    .run(id: "two") { _, send in
                        send("a")
                        send("b")
                    }
                ] : []
        }
        scheduler.drain()
        #expect(component.state == "a")
        #expect(lines.contains("7 ← 2: dropped b, ended"))
    }

    @Test("The inputs of an endless chain that are dropped are recorded")
    func runaway() {
        let component = component(.pure { _ in .update { $0 += "x" } }, maximumChain: 3)
        component.onError { _, _ in }
        component.observe { [weak component] _ in component?.send("a") }
        #expect(events.kinds.count { $0 == "dropped a, endlessChain" } == 1)
        #expect(component.state.count < 10)
    }

    // MARK: - The end

    @Test("The end of a component is recorded, and then that its works are cancelled")
    func closed() {
        weak var released: Component<String, String>?
        do {
            let component = component(.effectful(waiting)) { _ in [.run(id: "s") { _, _ in await neverEnds() }] }
            released = component
            component.send("a")
            scheduler.drain()
        }
        #expect(released == nil)
        #expect(lines.last == "8: closed")
        scheduler.drain()
        #expect(Set(lines.suffix(2).map { $0.drop { $0 != "←" } }) == ["← 2: cancelled 2", "← 5: cancelled 5"])
        #expect(scheduler.clock.sleeperCount == 0)
    }

    @Test("The events of a trace do not retain the component")
    func lifetime() {
        weak var released: Component<String, String>?
        do {
            let component = component(Text.effectful(waiting).policy(.queued))
            released = component
            component.observe { _ in }
            component.send("a")
            component.send("b")
            scheduler.advance(by: .seconds(1))
        }
        #expect(released == nil)
        scheduler.drain()
        #expect(!events.all.isEmpty)
    }
}

private func append(_ text: String) -> StateDispatcher<Void, String, String>.Action {
    EnvIO { () throws in .update { $0 += text } }
}

private func neverEnds() async {
    let (elements, input) = AsyncStream<Never>.makeStream()
    for await _ in elements {}
    withExtendedLifetime(input) {}
}
