import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The decisions of the policies of `flatMap` in the trace of a store.
@Suite("Policies of streams: tracing", .timeLimit(.minutes(10)))
struct PolicyTracingTests {
    private let world = QuestionWorld()
    private let events = TraceBuffer()

    /// A store that answers each question after a second.
    private func store(_ policy: Policy) -> Store<[String]> {
        Store(
            reducer: journal, initialState: [],
            effects: [
                world.effect { [clock = world.clock] asked in
                    asked.flatMap(policy) { asked in
                        try await clock.sleep(for: .seconds(1))
                        return Answered(id: asked.id)
                    }
                }
            ],
            executor: world.scheduler.executor, trace: Trace(to: events, clock: world.clock))
    }

    /// The decisions, each with the action that caused it.
    private var decisions: [String] {
        events.all.compactMap { event in
            guard case .decided(let decision, let subject) = event.kind else { return nil }
            let cause = events.all.first { $0.id == event.cause }?.kind
            guard case .received(let message, _)? = cause else { return "\(subject) \(decision)" }
            return "\(subject) \(decision) by \(message)"
        }
    }

    @Test("A value that waits starts with the action that caused it as its cause")
    func queued() {
        let store = store(.queued)
        store.ask(1, 2)
        world.scheduler.advance(by: .seconds(2))
        #expect(decisions == ["asked 1 starts by asked 1", "asked 2 waits by asked 2", "asked 2 starts by asked 2"])
        #expect(store.state == ["asked 1", "asked 2", "answered 1", "answered 2"])
    }

    @Test("A newer value replaces an earlier one")
    func latest() {
        let store = store(.latest)
        store.ask(1, 2)
        world.scheduler.advance(by: .seconds(2))
        #expect(decisions == ["asked 1 starts by asked 1", "asked 1 replaced by asked 2", "asked 2 starts by asked 2"])
        #expect(store.state == ["asked 1", "asked 2", "answered 2"])
    }

    @Test("A value is dropped while an earlier one is worked on")
    func first() {
        let store = store(.first)
        store.ask(1, 2)
        world.scheduler.advance(by: .seconds(2))
        #expect(decisions == ["asked 1 starts by asked 1", "asked 2 dropped by asked 2"])
    }

    @Test("A value that an effect has derived from an action is omitted if the trace redacts any values")
    func redacted() {
        let effect = world.effect { asked in
            asked.map { "secret \($0.id)" }.flatMap(.latest) { _ in ActionStream<Answered>.empty }
        }
        let store = Store(
            reducer: journal, initialState: [], effects: [effect], trace: Trace(to: events).omitting(Asked.self))
        store.ask(1)
        #expect(decisions == ["‹String omitted› starts by ‹Asked omitted›"])
        let open = Store(reducer: journal, initialState: [], effects: [effect], trace: Trace(to: events))
        events.removeAll()
        open.ask(1)
        #expect(decisions == ["secret 1 starts by asked 1"])
    }

    @Test("Concurrent decides nothing")
    func concurrent() {
        let store = store(.concurrent)
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        #expect(decisions == [])
        #expect(store.state == ["asked 1", "answered 1"])
    }
}
