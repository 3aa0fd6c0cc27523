import Dispatch
import Loop
import TestSupport
import Testing

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
