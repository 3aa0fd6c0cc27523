import ArchitectureEngine
import FunctionalCore
import Observation
import TestSupport
import Testing
import VirtualTime

/// The queue, the state and the observers of a runtime.
@Suite("Runtime", .timeLimit(.minutes(10)))
struct RuntimeTests {
    @Test("A state is aligned as its type requires", arguments: 0..<20)
    func alignment(_: Int) {
        let wide = TestRuntime(state: SIMD8<Double>(repeating: 1))
        #expect(UInt(bitPattern: wide.core.state.address) % UInt(MemoryLayout<SIMD8<Double>>.alignment) == 0)
        wide.respond = { runtime, _ in runtime.commit { $0 += 1 } }
        wide.send(1)
        #expect(wide.core.read { $0.value } == .init(repeating: 2))

        let narrow = TestRuntime<UInt8>(state: 255) { runtime, _ in runtime.commit { $0 &+= 1 } }
        narrow.send(1)
        #expect(narrow.core.read { $0.value } == 0)
    }

    @Test("A state is deallocated with its runtime")
    func freeing() async {
        await confirmation { gone in
            _ = TestRuntime(state: Witness { gone() })
        }
    }

    @Test(
        "Messages that are sent during processing come after it, in order, also after a suspension",
        arguments: [false, true], [nil, Trace { _ in }])
    func order(isSuspended: Bool, trace: Trace?) {
        let runtime = TestRuntime<[Int]>(state: [], isSuspended: isSuspended, trace: trace) { runtime, number in
            if number == 0 { for answer in 1...3 { runtime.send(answer) } }
            if number == 2 { runtime.perform { runtime.commit { $0.append(100) } } }
            runtime.commit { $0.append(number) }
        }
        runtime.send(0)
        runtime.send(4)
        if isSuspended {
            #expect(runtime.core.read { $0.value } == [])
            runtime.core.takeOver()
            if !runtime.core.leave() { runtime.drain() }
        }
        #expect(runtime.core.read { $0.value } == (isSuspended ? [0, 4, 1, 2, 3, 100] : [0, 1, 2, 3, 100, 4]))
    }

    @Test("A runtime with a queue processes nothing on the thread that sends", arguments: [false, true])
    func queue(isTraced: Bool) {
        let (calls, trace) = (Record<@Sendable () -> Void>(), Trace { _ in })
        let runtime = TestRuntime<[Int]>(
            state: [], scheduler: .queue { calls.append($0) }, trace: isTraced ? trace : nil
        ) { runtime, number in
            runtime.commit { $0.append(number) }
        }
        runtime.send(1)
        runtime.send(2)
        #expect(runtime.core.read { $0.value } == [])
        // One call drains all that was sent before.
        #expect(calls.values.count == 1)
        calls.values[0]()
        #expect(runtime.core.read { $0.value } == [1, 2])
        // They retain the runtime.
        calls.removeAll()
    }

    @Test("An observer that registers during a notification is notified of the state once")
    func registeringWhileNotified() {
        let runtime = TestRuntime(state: 0) { runtime, number in runtime.commit { $0 = number } }
        let log = Log()
        _ = runtime.attach(
            Observer { state in
                log.append("first: \(state.value)")
                if state.value == 1 { runtime.core.add(Observer { log.append("second: \($0.value)") }) }
            })
        runtime.send(1)
        runtime.send(2)
        #expect(log.lines == ["first: 0", "first: 1", "second: 1", "first: 2", "second: 2"])
        // The first one retains the runtime.
        runtime.core.removeObservers()
    }

    @Test("An observer that is cancelled during a notification is not notified any more, and released")
    func cancellingWhileNotified() {
        let (runtime, counter) = (TestRuntime(state: 0), Tracked.Counter())
        runtime.respond = { runtime, number in runtime.commit { $0 = number } }
        let log = Log()
        let cancellation = Cancellation()
        do {
            let tracked = Tracked(counter)
            _ = runtime.attach(Observer { state in if state.value == 2 { cancellation.cancel() } })
            _ = runtime.attach(
                Observer(cancellation) { [tracked] state in
                    withExtendedLifetime(tracked) { log.append("\(state.value)") }
                })
        }
        for number in 1...3 { runtime.send(number) }
        #expect(log.lines == ["0", "1"])
        #expect(counter.count == 0)
    }

    @Test("A failure is reported as unobserved if a state observer has cancelled the last observer of failures")
    func cancelledFailureObserver() {
        let (runtime, log) = (TestRuntime(state: 0), Log())
        let failures = runtime.attachToFailures(Observer { log.append("observed \($0.value)") })
        _ = runtime.attach(Observer { state in if state.value == 2 { failures.cancel() } })
        func text(_ failure: String) -> String {
            log.append("unobserved \(failure)")
            return "A test has reported this failure without an observer."
        }
        runtime.respond = { runtime, number in
            runtime.commit { $0 = number }
            // The entry of a cancelled observer is still in the list.
            runtime.report("\(number)", unobserved: text("\(number)"))
        }
        for number in 1...2 { runtime.send(number) }
        #expect(log.lines == ["observed 1", "unobserved 2"])
    }

    @Test("A thread that has processed its share of the messages of other threads leaves the rest to the executor")
    func fairShare() {
        let executor = ManualExecutor()
        let runtime = TestRuntime(state: 0, scheduler: .inline(executor))
        let share = 1_000
        runtime.respond = { runtime, number in
            // While the first message is processed, a thread sends the share, and while that is, one more.
            if number == 0 { onThreads(1) { _ in for number in 1...share { runtime.send(number) } } }
            if number == share { onThreads(1) { _ in runtime.send(share + 1) } }
            runtime.commit { $0 = number }
        }
        runtime.send(0)
        #expect(runtime.core.read { $0.value } == share)
        executor.drain()
        #expect(runtime.core.read { $0.value } == share + 1)
    }

    @Test("A commit notifies the observers before the code that tracks the state")
    @MainActor func trackingComesLast() {
        let (runtime, log) = (TestRuntime(state: 0), Log())
        runtime.respond = { runtime, number in runtime.commit { $0 = number } }
        _ = runtime.attach(Observer { log.append("observed \($0.value)") })
        withObservationTracking {
            _ = ObservationBridge.trackRead(of: runtime.observation)
        } onChange: {
            log.append("tracked")
        }
        runtime.send(1)
        #expect(log.lines == ["observed 0", "observed 1", "tracked"])
    }
}
