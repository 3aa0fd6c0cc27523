import Loop
import TestSupport
import Testing
import VirtualTime

/// Observers that are registered while their loop, or their registration, ends.
@Suite(.timeLimit(.minutes(10))) struct LateObserverTests {
    private let slot = LoopSlot(nil)
    private let executor = ManualExecutor()
    private let log = Log()

    /// Returns a loop that calls `handle` while it processes the event 1.
    private func loop(_ handle: @escaping @Sendable (TrailLoop) -> Void) -> TrailLoop {
        let slot = slot
        let loop = Mobius.loop(
            update: trail,
            effectHandler: EffectRouter<Int, Int>().routeEffects(equalTo: 1).to { _ in
                if let loop = slot.loop { handle(loop) }
            }
        ).start(from: [])
        slot.loop = loop
        return loop
    }

    /// Logs the models and the end of the sequence, on the executor.
    private static func collect(_ models: AsyncStream<[Int]>, _ executor: ManualExecutor, _ log: Log) {
        Task(executorPreference: executor) {
            for await model in models { log.append("\(model)") }
            log.append("ended")
        }
    }

    @Test("A model sequence ends if its loop is disposed in the event in which it begins")
    func joining() {
        let loop = loop { [executor, log] loop in
            Self.collect(loop.models(), executor, log)
            loop.dispose()
        }
        loop.dispatchEvent(1)
        slot.loop = nil
        executor.drain()
        #expect(log.lines == ["[1]", "ended"])
    }

    @Test("A model sequence ends if another thread disposes the loop in the event in which it begins")
    func joiningAndDisposedElsewhere() async {
        let models = Guarded<AsyncStream<[Int]>?>(nil)
        let loop = loop { loop in
            models.withLock { $0 = loop.models() }
            onThreads(1) { _ in loop.dispose() }
        }
        loop.dispatchEvent(1)
        slot.loop = nil
        var seen: [[Int]] = []
        for await model in models.withLock({ $0! }) { seen.append(model) }
        #expect(seen == [[1]])
    }

    @Test("A model sequence that is enqueued at the disposal ends without a model")
    func enqueued() {
        let loop = loop { [executor, log] loop in
            onThreads(1) { _ in Self.collect(loop.models(), executor, log) }
            loop.dispose()
        }
        loop.dispatchEvent(1)
        slot.loop = nil
        executor.drain()
        #expect(log.lines == ["ended"])
    }

    @Test("An observer that is removed while it is enqueued is not notified")
    func removedInTheQueue() {
        let loop = loop { [log] loop in
            onThreads(1) { _ in loop.addObserver { log.append("removed \($0)") }.dispose() }
            onThreads(1) { _ in loop.addObserver { log.append("kept \($0)") } }
        }
        loop.dispatchEvent(1)
        slot.loop = nil
        #expect(log.lines == ["kept [1]"])
        loop.dispose()
    }
}
