import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The decisions of policies in the trace of a component.
@Suite("Policies: tracing", .timeLimit(.minutes(10)))
struct PolicyTracingTests {
    private let scheduler: VirtualScheduler
    private let end: Witness
    private let events = TraceBuffer()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    private func component(_ policy: Policy) -> Component<String, String> {
        let clock = scheduler.clock
        let dispatcher = StateDispatcher<Void, String, String>.effectful { input in
            EnvIO { () async throws in
                try await clock.sleep(for: .seconds(1))
                return .set(input)
            }
        }
        return Component(
            initialState: "", environment: (), executor: scheduler.executor,
            trace: Trace(to: events, clock: clock), dispatcher: dispatcher.policy(policy))
    }

    private var lines: [String] { Array(events.lines.dropFirst()) }

    @Test("Under queued, an input waits, and its work starts with the input as its cause")
    func queued() {
        let component = component(.queued)
        component.send("a")
        component.send("b")
        scheduler.advance(by: .seconds(2))
        #expect(
            lines == [
                "2: received a from caller", "3 <2: a starts", "4 <2: started a, action", "5 <4: suspended 4",
                "6 <2: handled 2",
                "7: received b from caller", "8 <7: b waits", "9 <7: handled 7",
                "10 <4: changed to a", "11 <4: ended 4",
                "12 <7: b starts", "13 <7: started b, action", "14 <13: suspended 13",
                "15 <13: changed to b", "16 <13: ended 13",
            ])
        #expect(events.all.filter { $0.kind.name == "b starts" }.map(\.root) == [7])
    }

    @Test("Under latest, an input replaces the work of an earlier one")
    func latest() {
        let component = component(.latest)
        component.send("a")
        component.send("b")
        scheduler.advance(by: .seconds(1))
        #expect(
            lines.dropFirst(5) == [
                "7: received b from caller", "8 <7: a replaced", "9 <7: b starts", "10 <7: started b, action",
                "11 <10: suspended 10", "12 <7: handled 7",
                "13 <4: cancelled 4", "14 <10: changed to b", "15 <10: ended 10",
            ])
    }

    @Test("A work that was cancelled before is not replaced")
    func cancelledBefore() {
        let component = component(.latest)
        component.send("a").cancel()
        component.send("b")
        #expect(!lines.contains { $0.contains("replaced") })
    }

    @Test("Under first, an input is dropped while an earlier one is worked on")
    func first() {
        let component = component(.first)
        component.send("a")
        component.send("b")
        #expect(lines.dropFirst(5) == ["7: received b from caller", "8 <7: b dropped", "9 <7: handled 7"])
    }

    @Test("Under debounce, an input is delayed, and a newer one drops it")
    func debounce() {
        let component = component(.debounce(for: .seconds(3), clock: scheduler.clock))
        component.send("a")
        component.send("b")
        scheduler.advance(by: .seconds(3))
        #expect(
            lines == [
                "2: received a from caller", "3 <2: a delayed", "4 <2: handled 2",
                "5: received b from caller", "6 <5: b delayed", "7 <5: a dropped", "8 <5: handled 5",
                "9 <5: b starts", "10 <5: started b, action", "11 <10: suspended 10",
            ])
        #expect(events.all.last?.time == .seconds(3))
        withExtendedLifetime(component) {}
    }

    @Test("Under throttle, the first input starts, and later ones are delayed")
    func throttle() {
        let component = component(.throttle(for: .seconds(3), clock: scheduler.clock))
        component.send("a")
        component.send("b")
        scheduler.advance(by: .seconds(3))
        let decisions = lines.filter { $0.hasSuffix("starts") || $0.hasSuffix("delayed") }
        #expect(decisions == ["3 <2: a starts", "8 <7: b delayed", "12 <7: b starts"])
        withExtendedLifetime(component) {}
    }

    @Test("Concurrent decides nothing")
    func concurrent() {
        component(.concurrent).send("a")
        #expect(!lines.contains { $0.hasSuffix("starts") })
    }

    @Test("An input that is cancelled while it waits, or that waits when the component ends, is dropped")
    func neverStarted() {
        do {
            let component = component(.queued)
            component.send("a")
            component.send("b").cancel()
            component.send("c")
        }
        scheduler.drain()
        #expect(lines.filter { $0.hasSuffix("dropped") } == ["10: b dropped", "14: c dropped"])
        #expect(lines.filter { $0.hasSuffix("replaced") } == [])
    }

    @Test("The failure of a policy's clock is recorded, and what waited is dropped")
    func brokenClock() {
        let component = component(.debounce(for: .seconds(1), clock: BrokenClock(Broken())))
        component.send("a")
        scheduler.drain()
        #expect(lines.suffix(2) == ["5 <2: failed -: Broken()", "6 <2: a dropped"])
    }
}
