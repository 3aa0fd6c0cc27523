import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing

/// What a runtime records: messages with their senders and causes, and changes.
@Suite("Runtime: tracing", .timeLimit(.minutes(10)))
struct RuntimeTraceTests {
    private let events = TraceBuffer()
    private let trace: Trace

    init() { trace = Trace(to: events) }

    private func runtime(_ respond: @escaping (TestRuntime<Int>, Int) -> Void) -> TestRuntime<Int> {
        let runtime = TestRuntime(state: 0, trace: trace)
        runtime.respond = respond
        return runtime
    }

    @Test("The creation, each message and each change is recorded, with the observers that are notified")
    func messagesAndChanges() {
        let runtime = runtime { runtime, number in runtime.commit { $0 += number } }
        runtime.send(1)
        let registration = runtime.attach(Observer { _ in })
        runtime.send(2)
        registration.cancel()
        runtime.send(3)
        #expect(
            events.kinds == [
                "created 0", "received 1 from caller", "changed to 1", "handled 2", "received 2 from caller",
                "changed to 3 for 1", "handled 5", "received 3 from caller", "changed to 6", "handled 8",
            ])
        #expect(events.faults() == [])
    }

    @Test("A message has the source that the runtime says, unless a transition, an observer or another owner sends it")
    func sources() {
        let other = runtime { _, _ in }
        let runtime = runtime { runtime, number in
            switch number {
            case 1: runtime.send(2)
            case 2: runtime.commit { state in if state == 0 { runtime.send(3) } }
            case 3: runtime.commit { $0 = 3 }
            case 4: other.send(5)
            default: break
            }
        }
        _ = runtime.attach(Observer { [unowned runtime] state in if state.value == 3 { runtime.send(4) } })
        runtime.send(1)
        #expect(
            events.sources == [
                "1 from caller", "2 from action by 1", "3 from transition by 2", "4 from observer by 3",
                "5 from elsewhere by 4",
            ])
    }

    @Test("A work that is running while a message is processed is the sender of its messages, unless it only notifies")
    func work() {
        let runtime = runtime { runtime, number in
            guard number == 1, let tracer = runtime.core.tracer else { return }
            let work: TracedWork? = tracer.begin("work", .effect)
            work.run { runtime.send(2) }
            work.asCause { runtime.send(3) }
            work?.end()
        }
        runtime.send(1)
        #expect(events.sources == ["1 from caller", "2 from effect by work", "3 from action by work"])
    }

    @Test("A call in turn has the cause of the code that asks for it")
    func calls() {
        let runtime = runtime { runtime, number in if number == 1 { runtime.perform { runtime.send(3) } } }
        _ = runtime.attach(Observer { _ in })
        runtime.send(1)
        runtime.perform { runtime.send(4) }
        #expect(events.sources == ["1 from caller", "3 from action by 1", "4 from action"])
    }

    @Test("No message of several threads is lost, and each one is received and handled once")
    func threads() async throws {
        let events = TraceBuffer(capacity: .max)
        let trace = Trace(to: events)
        let runtimes = (0..<2).map { _ in TestRuntime(state: 0, trace: trace) }
        for runtime in runtimes {
            runtime.respond = { runtime, number in
                runtime.commit { $0 += 1 }
                if number > 0 { runtime.send(number - 1) }
            }
        }
        onThreads(4) { index in for _ in 0..<500 { runtimes[index % 2].send(1) } }
        for runtime in runtimes {
            try await runtime.settled(includingObservers: false)
            #expect(runtime.core.read { $0.value } == 2_000)
        }
        var (received, handled) = (Set<Int>(), Set<Int>())
        for event in events.all {
            switch event.kind {
            case .received(_, let source):
                received.insert(event.id)
                #expect((source == .caller) == (event.cause == nil))
            case .handled(let message): #expect(handled.insert(message).inserted)
            default: break
            }
        }
        #expect(received.count == 4_000)
        #expect(handled == received)
        #expect(events.all.count { $0.cause == nil } == 2_000 + 2)
        #expect(events.all.count == 2 + 3 * 4_000)
        #expect(events.faults() == [])
    }
}

/// What a trace keeps of the states of a runtime.
@Suite("Runtime: the states in a trace", .timeLimit(.minutes(10)))
struct RuntimeTraceStateTests {
    private final class Storage: Sendable {}

    @Test("Without snapshots, the state is changed in place; with them, the trace keeps a copy of the state")
    func uniqueness() {
        let traces: [(Trace?, isUnique: Bool)] = [
            (nil, true), (Trace(to: TraceBuffer(), snapshots: false), true), (Trace(snapshots: false) { _ in }, true),
            (Trace(to: TraceBuffer()), false), (Trace { _ in }, false),
        ]
        for (trace, isUnique) in traces {
            let (runtime, seen) = (TestRuntime(state: Storage(), trace: trace), Record<Bool>())
            runtime.respond = { runtime, _ in runtime.commit { seen.append(isKnownUniquelyReferenced(&$0)) } }
            for number in 1...2 { runtime.send(number) }
            #expect(seen.values.last == isUnique)
        }
    }

    @Test("The old state of a change is the new one of the change before")
    func sharedStates() {
        let events = TraceBuffer()
        let runtime = TestRuntime(state: Storage(), trace: Trace(to: events)) { runtime, _ in
            runtime.commit { $0 = Storage() }
        }
        for number in 1...3 { runtime.send(number) }
        var last: AnyObject?
        for event in events.all {
            switch event.kind {
            case .created(let state): last = state?.value as? Storage
            case .changed(let old, let new, _):
                #expect(old?.value as? Storage === last)
                #expect(new?.value as? Storage !== last)
                last = new?.value as? Storage
            default: break
            }
        }
        #expect(last === runtime.core.read { $0.value })
    }
}
