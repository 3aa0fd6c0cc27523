import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// The decisions of the policies of routes in the trace of a loop.
@Suite("Policies of routes: tracing", .timeLimit(.minutes(10)))
struct PolicyTracingTests {
    private enum Effect: Sendable { case work(Int) }

    private let scheduler: VirtualScheduler
    private let end: Witness
    private let events = TraceBuffer()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    /// A loop that works for a second on each positive event, and then receives its negation.
    private func loop(_ policy: Policy) -> MobiusLoop<Int, Int, Effect> {
        let clock = scheduler.clock
        let update = Update<Int, Int, Effect> { _, event in
            event > 0 ? .dispatchEffects([.work(event)]) : .next(event)
        }
        let router = EffectRouter<Effect, Int>(executor: scheduler.executor)
            .routeCase(Effect.work).policy(policy).toEvent { number in
                try? await clock.sleep(for: .seconds(1))
                return -number
            }
        return Mobius.loop(update: update, effectHandler: router).withTrace(Trace(to: events, clock: clock))
            .start(from: 0)
    }

    /// The decisions, each with the event of the loop that caused it.
    private var decisions: [String] {
        events.all.compactMap { event in
            guard case .decided(let decision, let subject) = event.kind else { return nil }
            let cause = events.all.first { $0.id == event.cause }?.kind
            guard case .received(let message, _)? = cause else { return "\(subject) \(decision)" }
            return "\(subject) \(decision) by \(message)"
        }
    }

    @Test("An effect that waits starts with the event that caused it as its cause")
    func queued() {
        let loop = loop(.queued)
        loop.dispatchEvent(1)
        loop.dispatchEvent(2)
        scheduler.advance(by: .seconds(2))
        #expect(decisions == ["1 starts by 1", "2 waits by 2", "2 starts by 2"])
        #expect(loop.latestModel == -2)
        loop.dispose()
    }

    @Test("A newer effect replaces an earlier one")
    func latest() {
        let loop = loop(.latest)
        loop.dispatchEvent(1)
        loop.dispatchEvent(2)
        scheduler.advance(by: .seconds(2))
        #expect(decisions == ["1 starts by 1", "1 replaced by 2", "2 starts by 2"])
        loop.dispose()
    }

    @Test("What waits when the loop is disposed is dropped")
    func disposed() {
        let loop = loop(.debounce(for: .seconds(5), clock: scheduler.clock))
        loop.dispatchEvent(1)
        scheduler.drain()
        loop.dispose()
        scheduler.drain()
        #expect(decisions == ["1 delayed by 1", "1 dropped"])
    }
}
