import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The decisions of policy queues in a trace.
@Suite("Policy queue: tracing", .timeLimit(.minutes(10)))
struct PolicyTracingTests {
    private let events = TraceBuffer()
    private let scheduler = VirtualScheduler()
    private let works = Guarded<[String: WorkItem]>([:])
    private let tracer: Tracer

    init() {
        tracer = Tracer(Trace(to: events, clock: scheduler.clock), owner: PolicyTracingTests.self)
    }

    /// The decisions, each with the message that caused it.
    private var decisions: [String] {
        let messages = Dictionary(
            uniqueKeysWithValues: events.all.compactMap { event in
                if case .received(let message, _) = event.kind { (event.id, message.description) } else { nil }
            })
        return events.all.compactMap { event in
            guard case .decided(let decision, let subject) = event.kind else { return nil }
            return "\(subject) \(decision)\(event.cause.flatMap { messages[$0] }.map { " by \($0)" } ?? "")"
        }
    }

    private func submit(_ name: String, to queue: PolicyQueue, _ policy: Policy) {
        tracer.process(name, from: tracer.origin { nil }) {
            let work = queue.submit(traced: tracer.submission(of: name, to: policy)) { work, _, _ in
                works.withLock { $0[name] = work }
            }
            works.withLock { $0[name] = work }
        }
    }

    private func finish(_ name: String, in queue: PolicyQueue, by message: String) {
        tracer.process(message, from: tracer.origin { nil }) { queue.finish(works.value[name]!) }
    }

    @Test("A work that the end of another one starts keeps its own cause")
    func queued() {
        let queue = PolicyQueue(.queued)
        for name in ["a", "b", "c"] { submit(name, to: queue, .queued) }
        works.value["b"]?.cancel()
        finish("a", in: queue, by: "d")
        #expect(
            decisions == ["a starts by a", "b waits by b", "c waits by c", "b dropped", "c starts by c"])
    }

    @Test("What a work does when it starts late has the cause of the work")
    func cause() {
        let queue = PolicyQueue(.queued)
        submit("a", to: queue, .queued)
        tracer.process("b", from: tracer.origin { nil }) { [tracer] in
            queue.submit(traced: tracer.submission(of: "b", to: .queued)) { _, _, _ in tracer.record(.closed) }
        }
        finish("a", in: queue, by: "c")
        let received = events.all.first {
            if case .received(let value, _) = $0.kind { value.description == "b" } else { false }
        }
        let closed = events.all.first { if case .closed = $0.kind { true } else { false } }
        #expect(closed?.cause == received?.id)
    }

    @Test("Newer work replaces older one, and is the cause of that")
    func latest() {
        let queue = PolicyQueue(.latest)
        for name in ["a", "b"] { submit(name, to: queue, .latest) }
        #expect(decisions == ["a starts by a", "a replaced by b", "b starts by b"])
    }

    @Test("Closing a queue drops what waits, and replaces nothing")
    func closing() {
        let queue = PolicyQueue(.queued)
        for name in ["a", "b"] { submit(name, to: queue, .queued) }
        queue.close()
        submit("c", to: queue, .queued)
        #expect(decisions == ["a starts by a", "b waits by b", "b dropped", "c dropped by c"])
    }

    @Test("A debounce delays, drops and replaces")
    func debounce() {
        let policy = Policy.debounce(for: .seconds(1), clock: scheduler.clock)
        let queue = PolicyQueue(policy, executor: scheduler.executor)
        for name in ["a", "b"] { submit(name, to: queue, policy) }
        scheduler.advance(by: .seconds(1))
        submit("c", to: queue, policy)
        scheduler.advance(by: .seconds(1))
        #expect(
            decisions == [
                "a delayed by a", "b delayed by b", "a dropped by b", "b starts by b", "c delayed by c",
                // The timer of the delayed work is the cause.
                "b replaced by c", "c starts by c",
            ])
    }

    @Test("The queues of keys record, too")
    func keys() {
        let queues = PolicyQueues(.first)
        for (key, name) in [(1, "a"), (2, "b"), (1, "c")] {
            queues.submit(for: [AnyKey(key)], traced: tracer.submission(of: name, to: .first)) { _, _, _ in }
        }
        #expect(decisions == ["a starts", "b starts", "c dropped"])
    }

    @Test("A concurrent policy and an untraced submission record nothing")
    func nothing() {
        let queue = PolicyQueue(.concurrent)
        submit("a", to: queue, .concurrent)
        PolicyQueue(.latest).submit { _, _, _ in }
        #expect(decisions == [])
    }

    @Test("Subjects are redacted")
    func redaction() {
        let tracer = Tracer(Trace(to: events).omitting(String.self), owner: Self.self)
        PolicyQueue(.latest).submit(traced: tracer.submission(of: "secret", to: .latest)) { _, _, _ in }
        #expect(decisions == ["‹String omitted› starts"])
    }

    @Test("A sink may use the queue: decisions are recorded outside of its lock")
    func locks() {
        let queue = PolicyQueue(.latest)
        let idle = Record<Bool>()
        let tracer = Tracer(Trace { [unowned queue] _ in idle.append(queue.isIdle) }, owner: Self.self)
        for name in ["a", "b"] { queue.submit(traced: tracer.submission(of: name, to: .latest)) { _, _, _ in } }
        #expect(idle.values == [false, false, false])
    }
}
