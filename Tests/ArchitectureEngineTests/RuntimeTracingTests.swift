import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What a runtime records: messages with their senders and causes, and changes.
@Suite("Runtime: tracing", .timeLimit(.minutes(10)))
struct RuntimeTracingTests {
    private let events = TraceBuffer()
    private let trace: Trace

    init() {
        trace = Trace(to: events)
    }

    private func runtime(_ respond: @escaping (TestRuntime<Int>, Int) -> Void) -> TestRuntime<Int> {
        let runtime = TestRuntime(state: 0, trace: trace)
        runtime.respond = respond
        return runtime
    }

    /// The messages that were received, with their senders and the message or the work that caused them.
    private var received: [String] {
        events.all.compactMap { event in
            guard case .received(let message, let source) = event.kind else { return nil }
            return "\(event.id): \(message) from \(source)\(event.cause.map { " by \($0)" } ?? "")"
        }
    }

    private var kinds: [String] {
        events.all.map { event in
            switch event.kind {
            case .created(let state): "created \(state.map(\.description) ?? "")"
            case .received(let message, _): "received \(message)"
            case .handled(let message): "handled \(message)"
            case .changed(let old, let new, let observers):
                "changed \(old.map(\.description) ?? "") \(new.map(\.description) ?? ""), \(observers)"
            default: "\(event.kind)"
            }
        }
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
            kinds == [
                "created 0", "received 1", "changed 0 1, 0", "handled 2", "received 2", "changed 1 3, 1", "handled 5",
                "received 3", "changed 3 6, 0", "handled 8",
            ])
    }

    @Test("A message that an observer sends is recorded as that, and is processed in turn")
    func observer() {
        let runtime = runtime { runtime, number in runtime.commit { $0 += number } }
        _ = runtime.attach(Observer { [unowned runtime] state in if state.value == 1 { runtime.send(10) } })
        runtime.send(1)
        #expect(received == ["2: 1 from caller", "5: 10 from observer by 2"])
    }

    @Test("A message that a handler sends has the source that the runtime says")
    func handler() {
        let runtime = runtime { runtime, number in if number < 3 { runtime.send(number + 1) } }
        runtime.send(1)
        #expect(received == ["2: 1 from caller", "4: 2 from action by 2", "6: 3 from action by 4"])
    }

    @Test("A message that is sent within a transition is recorded as that")
    func transition() {
        let runtime = runtime { runtime, number in
            runtime.commit { _ in if number == 1 { runtime.send(2) } }
        }
        runtime.send(1)
        #expect(received == ["2: 1 from caller", "5: 2 from transition by 2"])
    }

    @Test("A message that another owner causes comes from elsewhere")
    func elsewhere() {
        let other = runtime { _, _ in }
        let runtime = runtime { _, number in other.send(number) }
        runtime.send(1)
        #expect(received == ["3: 1 from caller", "4: 1 from elsewhere by 3"])
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
        #expect(received == ["2: 1 from caller", "6: 2 from effect by 3", "8: 3 from action by 3"])
    }

    @Test("A call in turn has the cause of the code that asks for it")
    func calls() {
        let runtime = runtime { runtime, number in
            if number == 1 { runtime.perform { runtime.send(3) } }
        }
        _ = runtime.attach(Observer { _ in })
        runtime.send(1)
        runtime.perform { runtime.send(4) }
        #expect(received.map { $0.drop { $0 != " " } } == [" 1 from caller", " 3 from action by 2", " 4 from action"])
    }

    @Test("Without a trace, a runtime processes its messages directly")
    func untraced() {
        let runtime = TestRuntime(state: 0)
        #expect(runtime.core.isDirect)
        #expect(runtime.core.observers.isEmpty)
        #expect(!self.runtime { _, _ in }.core.isDirect)
    }
}
