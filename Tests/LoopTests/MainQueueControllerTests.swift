import Dispatch
import Loop
import TestSupport
import Testing

/// A controller whose loop runs on the main queue.
@Suite(.timeLimit(.minutes(10))) struct MainQueueControllerTests {
    private let builder = Mobius.loop(
        update: { (model: Int, event: Int) -> Next<Int, Int> in .next(model + event) },
        effectHandler: EffectRouter<Int, Int>()
    )

    @MainActor @Test func `it starts and stops on the main actor without waiting for itself`() {
        let controller = builder.makeController(from: 1, loopQueue: .main)
        controller.start()
        #expect(controller.running)
        controller.stop()
        #expect(!controller.running)
    }

    @Test func `a controller starts in a block of the main queue and stops outside it`() async {
        let controller = builder.makeController(from: 1, loopQueue: .main)
        await withCheckedContinuation { done in
            DispatchQueue.main.async {
                controller.start()
                done.resume()
            }
        }
        #expect(controller.running)
        controller.stop()
        #expect(!controller.running)
    }
}
