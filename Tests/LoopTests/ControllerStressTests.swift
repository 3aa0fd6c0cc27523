import Foundation
import Loop
import TestSupport
import Testing

/// Many starts and stops while a source and a view send events all the time.
@Suite(.timeLimit(.minutes(10))) struct ControllerStressTests {
    private struct Heard: Sendable {
        /// The number of the start.
        var start = 0
        /// The number of events of this start, and of events of other starts.
        var events = 0
        var strays = 0
    }

    /// Sends by its latest connection, and by the one before, which has been disposed.
    private final class Talker: Sendable {
        private let consumers = Guarded<[(start: Int, consumer: Consumer<Int>)]>([])
        let connected = Guarded(0)
        let disposed = Guarded(0)

        func connect(_ consumer: @escaping Consumer<Int>, in start: Int) {
            connected.withLock { $0 += 1 }
            consumers.withLock { $0 = $0.suffix(1) + [(start, consumer)] }
        }

        func talk() {
            for (start, consumer) in consumers.withLock({ $0 }) { consumer(start) }
        }
    }

    @Test("95, 104, 105. In 10,000 restarts, no event reaches another start or a stopped controller")
    func cycles() {
        let count = 10_000
        let (source, view) = (Talker(), Talker())
        let (isStopped, current) = (Guarded(true), Guarded(0))
        let viewQueue = DispatchQueue(label: "view")
        let (late, misplaced, enough) = (Guarded(0), Guarded(0), DispatchSemaphore(value: 0))
        let controller = Mobius.loop(
            update: { (model: Heard, start: Int) -> Next<Heard, Bool> in
                if isStopped.withLock({ $0 }) { late.withLock { $0 += 1 } }
                var model = model
                if start == model.start { model.events += 1 } else { model.strays += 1 }
                let isEnough = model.start > count && model.events == 100
                return .next(model, effects: isEnough ? [true] : [])
            },
            effectHandler: EffectSwitch<Bool, Int> { _ in .to { enough.signal() } }
        )
        .withEventSource(
            AnyEventSource<Int> { consumer in
                source.connect(consumer, in: current.withLock { $0 })
                return AnonymousDisposable { source.disposed.withLock { $0 += 1 } }
            }
        )
        .makeController(
            from: Heard(), initiate: { First(model: Heard(start: $0.start + 1, strays: $0.strays)) },
            loopQueue: .global(), viewQueue: viewQueue)
        controller.connectView(
            AnyConnectable<Heard, Int> { consumer in
                // A view that is still busy is connected later, or not at all if the controller is stopped before.
                let start = current.withLock { $0 }
                view.connect(consumer, in: start)
                return Connection(
                    acceptClosure: { model in
                        if model.start != start { misplaced.withLock { $0 += 1 } }
                        consumer(start)
                    },
                    disposeClosure: { view.disposed.withLock { $0 += 1 } })
            })
        let isDone = Guarded(false)
        let starts = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        onThreads(3) { thread in
            guard thread == 0 else {
                let talker = thread == 1 ? source : view
                // They talk twenty times for each start, and wait for the next one: spinning threads would take the cores from
                // the starts and stops under test.
                while true {
                    starts[thread - 1].wait()
                    if isDone.withLock({ $0 }) { return }
                    for _ in 1...20 { talker.talk() }
                }
            }
            for cycle in 0...count {
                isStopped.withLock { $0 = false }
                current.withLock { $0 = cycle + 1 }
                for start in starts { start.signal() }
                controller.start()
                if cycle == count { enough.wait() }
                controller.stop()
                isStopped.withLock { $0 = true }
            }
            isDone.withLock { $0 = true }
            for start in starts { start.signal() }
        }
        #expect(controller.model.start == count + 1)
        #expect(controller.model.strays == 0)
        #expect(late.withLock { $0 } == 0)
        #expect(misplaced.withLock { $0 } == 0)
        #expect(source.connected.withLock { $0 } == count + 1)
        viewQueue.sync {}
        for talker in [source, view] {
            #expect(talker.disposed.withLock { $0 } == talker.connected.withLock { $0 })
        }
    }
}
