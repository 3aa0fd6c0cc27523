import Dispatch
import Loop
import TestSupport
import Testing

/// The queues of controllers. The tests have the numbers of the promised behaviours.
@Suite(.timeLimit(.minutes(10))) struct MobiusControllerTests {
    @Test("92, 102. A controller processes all events one at a time and keeps each thread's order")
    func serialisesOnAnyQueue() {
        for queue in [
            DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
            .global(),
        ] {
            let (threads, each) = (4, 5_000)
            let isDone = DispatchSemaphore(value: 0)
            let entered = Guarded(0)
            let port = Port<Int>()
            // Counts the events of each thread. A concurrent or misplaced event sets the count to -1.
            let controller = Mobius.loop(
                update: { (model: [Int], event: Int) -> Next<[Int], Bool> in
                    let isAlone = entered.withLock { count in
                        count += 1
                        return count == 1
                    }
                    defer { entered.withLock { $0 -= 1 } }
                    var model = model
                    let (thread, number) = (event / each, event % each)
                    model[thread] = isAlone && model[thread] == number ? number + 1 : -1
                    return .next(model, effects: model.reduce(0, +) == threads * each ? [true] : [])
                },
                effectHandler: EffectSwitch<Bool, Int> { _ in .to { isDone.signal() } }
            )
            .withEventSource(
                AnyEventSource<Int> { consumer in
                    port.attach(consumer)
                    return EmptyDisposable()
                }
            )
            .makeController(from: Array(repeating: 0, count: threads), loopQueue: queue)
            controller.start()
            onThreads(threads) { thread in
                for number in 0..<each { port.send(thread * each + number) }
            }
            isDone.wait()
            #expect(controller.model == Array(repeating: each, count: threads))
            controller.stop()
        }
    }
}

/// Controllers whose loop runs on the main queue.
@Suite(.timeLimit(.minutes(10))) @MainActor struct MainControllerTests {
    @Test(
        "92, 107. The main thread, its queue and other threads can start and stop a loop on the main queue"
    )
    func mainLoopQueue() async {
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(
            Numbers.builder().withEventSource(PortSource(port: port)), loopQueue: .main)
        controller.start()
        port.send(.callInUpdate { MainActor.preconditionIsolated() })
        port.send(.add(1))
        await withCheckedContinuation { (settled: CheckedContinuation<Void, Never>) in
            port.send(.call { settled.resume() })
        }
        #expect(controller.model == [1])
        controller.stop()
        await onThread { controller.start() }
        #expect(controller.running)
        #expect(port.count == 2)
        await onThread { controller.stop() }
        #expect(!controller.running)
        await withCheckedContinuation { (started: CheckedContinuation<Void, Never>) in
            DispatchQueue.main.async {
                controller.start()
                started.resume()
            }
        }
        #expect(port.count == 3)
        controller.stop()
    }
}
