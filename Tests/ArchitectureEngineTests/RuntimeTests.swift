import ArchitectureEngine
import TestSupport
import Testing

/// The queue, the state and the observers of a runtime.
@Suite("Runtime", .timeLimit(.minutes(10)))
struct RuntimeTests {
    @Test("A state is aligned as its type requires", arguments: 0..<20)
    func alignment(_: Int) {
        let wide = TestRuntime(state: SIMD8<Double>(repeating: 1))
        #expect(UInt(bitPattern: wide.core.state) % UInt(MemoryLayout<SIMD8<Double>>.alignment) == 0)
        wide.respond = { runtime, _ in runtime.commit { $0 += 1 } }
        wide.send(1)
        #expect(wide.core.read { $0 } == .init(repeating: 2))

        let narrow = TestRuntime<UInt8>(state: 255)
        narrow.respond = { runtime, _ in runtime.commit { $0 &+= 1 } }
        narrow.send(1)
        #expect(narrow.core.read { $0 } == 0)
    }

    @Test("A state is deallocated with its runtime")
    func freeing() async {
        await confirmation { gone in
            _ = TestRuntime(state: Witness { gone() })
        }
    }

    @Test("Messages that are sent during processing come after it, in order")
    func order() {
        let runtime = TestRuntime<[Int]>(state: [])
        runtime.respond = { runtime, number in
            if number == 0 { for answer in 1...3 { runtime.send(answer) } }
            if number == 2 { runtime.perform { runtime.commit { $0.append(100) } } }
            runtime.commit { $0.append(number) }
        }
        runtime.send(0)
        #expect(runtime.core.read { $0 } == [0, 1, 2, 3, 100])
    }

    @Test("A runtime with a queue processes nothing on the thread that sends")
    func queue() {
        let calls = Record<@Sendable () -> Void>()
        let runtime = TestRuntime<[Int]>(state: [], scheduler: .queue { calls.append($0) })
        runtime.respond = { runtime, number in runtime.commit { $0.append(number) } }
        runtime.send(1)
        runtime.send(2)
        #expect(runtime.core.read { $0 } == [])
        // One call drains all that was sent before.
        #expect(calls.values.count == 1)
        calls.values[0]()
        #expect(runtime.core.read { $0 } == [1, 2])
        // They retain the runtime.
        calls.removeAll()
    }

    @Test("A suspended runtime processes nothing until it is taken over")
    func suspended() {
        let runtime = TestRuntime<[Int]>(state: [], isSuspended: true)
        runtime.respond = { runtime, number in runtime.commit { $0.append(number) } }
        runtime.send(1)
        #expect(runtime.core.read { $0 } == [])
        runtime.core.takeOver()
        #expect(!runtime.core.leave())
        runtime.drain()
        #expect(runtime.core.read { $0 } == [1])
    }

    @Test("An observer that registers during a notification is notified of the state once")
    func registeringWhileNotified() {
        let runtime = TestRuntime(state: 0)
        runtime.respond = { runtime, number in runtime.commit { $0 = number } }
        let log = Log()
        _ = runtime.attach(
            Observer { state in
                log.append("first: \(state.pointee)")
                if state.pointee == 1 { runtime.core.add(Observer { log.append("second: \($0.pointee)") }) }
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
            _ = runtime.attach(Observer { state in if state.pointee == 2 { cancellation.cancel() } })
            _ = runtime.attach(
                Observer(cancellation) { [tracked] state in
                    withExtendedLifetime(tracked) { log.append("\(state.pointee)") }
                })
        }
        for number in 1...3 { runtime.send(number) }
        #expect(log.lines == ["0", "1"])
        #expect(counter.count == 0)
    }
}
