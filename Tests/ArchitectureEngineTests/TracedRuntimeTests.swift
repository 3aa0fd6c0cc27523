import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing

/// A runtime with a trace processes its messages as one without a trace.
@Suite("Runtime: the same with a trace", .timeLimit(.minutes(10)))
struct TracedRuntimeTests {
    /// The numbers that a runtime processes, with whether it processes them before `send(_:)` returns.
    private func log(trace: Trace?, scheduler: Scheduler = .inline(nil), isSuspended: Bool = false) -> [String] {
        let log = Log()
        let runtime = TestRuntime<[Int]>(state: [], scheduler: scheduler, isSuspended: isSuspended, trace: trace)
        runtime.respond = { runtime, number in
            log.append("\(number) begins")
            if number < 3 { for answer in [10 * number, 10 * number + 1] { runtime.send(answer) } }
            runtime.commit { $0.append(number) }
            log.append("\(number) ends")
        }
        for number in 1...3 {
            runtime.send(number)
            log.append("\(number) sent")
        }
        if isSuspended {
            runtime.core.takeOver()
            if !runtime.core.leave() { runtime.drain() }
        }
        log.append("\(runtime.core.read { $0 })")
        return log.lines
    }

    @Test("Messages are processed at the same time, in the same order")
    func order() {
        let plain = log(trace: nil)
        #expect(plain.prefix(3) == ["1 begins", "1 ends", "10 begins"])
        #expect(log(trace: Trace { _ in }) == plain)
        #expect(log(trace: Trace(to: TraceBuffer(), snapshots: false)) == plain)
    }

    @Test("A suspended runtime processes nothing until it is taken over")
    func suspended() {
        let plain = log(trace: nil, isSuspended: true)
        #expect(plain.prefix(3) == ["1 sent", "2 sent", "3 sent"])
        #expect(log(trace: Trace { _ in }, isSuspended: true) == plain)
    }

    @Test("A runtime with a queue processes nothing on the thread that sends")
    func queue() {
        let calls = Record<@Sendable () -> Void>()
        let lines = log(trace: Trace { _ in }, scheduler: .queue { calls.append($0) })
        #expect(lines == ["1 sent", "2 sent", "3 sent", "[]"])
        #expect(calls.values.count == 1)
        // They retain the runtime.
        calls.removeAll()
    }

    @Test("A message that is processed at once has no cause in the chain guard")
    func chains() {
        let reports = Record<Int>()
        let runtime = TestRuntime(state: 0, maximumChain: 10, trace: Trace { _ in })
        runtime.respond = { runtime, number in
            runtime.commit { $0 += 1 }
            if number < 5 { runtime.send(number + 1) }
        }
        runtime.reportStop = { _, _ in reports.append(0) }
        for _ in 0..<100 { runtime.send(1) }
        #expect(runtime.core.read { $0 } == 500)
        #expect(reports.values.isEmpty)
    }

    @Test("No message of several threads is lost, and each one is received and handled once")
    func threads() async throws {
        let events = TraceBuffer(capacity: 100_000)
        let trace = Trace(to: events)
        let runtimes = (0..<2).map { _ in TestRuntime(state: 0, trace: trace) }
        for runtime in runtimes {
            runtime.respond = { runtime, number in
                runtime.commit { $0 += 1 }
                if number > 0 { runtime.send(number - 1) }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<4 {
                group.addTask { for _ in 0..<500 { runtimes[index % 2].send(1) } }
            }
        }
        for runtime in runtimes {
            try await runtime.settled(includingObservers: false)
            #expect(runtime.core.read { $0 } == 2_000)
        }
        var received: Set<Int> = []
        var handled: [Int] = []
        var changes = 0
        var answers = 0
        for event in events.all {
            switch event.kind {
            case .received(_, let source):
                #expect(received.insert(event.id).inserted)
                #expect((source == .caller) == (event.cause == nil))
                if event.cause != nil { answers += 1 }
            case .handled(let message): handled.append(message)
            case .changed: changes += 1
            default: break
            }
        }
        #expect(received.count == 4_000)
        #expect(answers == 2_000)
        #expect(changes == 4_000)
        #expect(handled.count == 4_000)
        #expect(Set(handled) == received)
    }
}

/// Whether a trace copies states.
@Suite("Runtime: the state of a traced runtime", .timeLimit(.minutes(10)))
struct TracedStateTests {
    private final class Storage: Sendable {}

    /// Whether the storage of the state is uniquely referenced in the second of two transitions.
    private func isUnique(_ trace: Trace?) -> Bool {
        let runtime = TestRuntime(state: Storage(), trace: trace)
        let seen = Record<Bool>()
        runtime.respond = { runtime, _ in
            runtime.commit { state in seen.append(isKnownUniquelyReferenced(&state)) }
        }
        for number in 1...2 { runtime.send(number) }
        return seen.values[1]
    }

    @Test("Without snapshots, the state is changed in place")
    func inPlace() {
        #expect(isUnique(nil))
        #expect(isUnique(Trace(to: TraceBuffer(), snapshots: false)))
        #expect(isUnique(Trace(snapshots: false) { _ in }))
    }

    @Test("With snapshots, the trace keeps a copy of the state")
    func snapshots() {
        #expect(!isUnique(Trace(to: TraceBuffer())))
        #expect(!isUnique(Trace { _ in }))
    }

    @Test("The old state of a change is the new one of the change before")
    func sharedStates() {
        let events = TraceBuffer()
        let runtime = TestRuntime(state: Storage(), trace: Trace(to: events))
        runtime.respond = { runtime, _ in runtime.commit { $0 = Storage() } }
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
        #expect(last === runtime.core.read { $0 })
    }
}
