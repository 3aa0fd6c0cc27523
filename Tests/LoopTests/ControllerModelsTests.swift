import Dispatch
import Loop
import TestSupport
import Testing

/// The sequence of a controller's models.
@Suite(.timeLimit(.minutes(10))) struct ControllerModelsTests {
    private let port = Port<Numbers.Event>()

    private func makeController(_ initiate: Initiate<[Int], Numbers.Effect>? = nil) -> Numbers.Controller {
        Numbers.controller(
            from: [0], Numbers.builder().withEventSource(PortSource(port: port)), initiate: initiate)
    }

    @Test func modelsStartWithTheCurrentModelAndContinueAfterARestart() async {
        let controller = makeController { First(model: $0 + [0]) }
        var models = controller.models().makeAsyncIterator()
        #expect(await models.next() == [0])
        controller.start()
        #expect(await models.next() == [0, 0])
        port.send(.add(1))
        #expect(await models.next() == [0, 0, 1])
        controller.stop()
        controller.replaceModel([7])
        controller.start()
        #expect(await models.next() == [7, 0])
        port.send(.add(2))
        #expect(await models.next() == [7, 0, 2])
        controller.stop()
    }

    @Test func modelsOfARunningControllerStartWithItsLatestModel() async {
        let controller = makeController()
        controller.start()
        port.send(.add(1))
        port.settle()
        var models = controller.models().makeAsyncIterator()
        #expect(await models.next() == [0, 1])
        port.send(.add(2))
        #expect(await models.next() == [0, 1, 2])
        controller.stop()
        controller.start()
        #expect(await models.next() == [0, 1, 2])
        controller.stop()
    }

    @Test func modelsEndWhenTheControllerIsDeallocated() async throws {
        for isRunning in [false, true] {
            var controller: Numbers.Controller? = makeController()
            if isRunning { controller?.start() }
            let models = try #require(controller?.models())
            // A running controller yields its first model on the loop's queue.
            if isRunning { port.settle() }
            controller = nil
            var seen: [[Int]] = []
            for await model in models { seen.append(model) }
            #expect(seen == [[0]])
        }
    }

    @Test func aBufferOfOneKeepsTheLatestModel() async {
        let controller = makeController()
        var models = controller.models(buffering: .bufferingNewest(1)).makeAsyncIterator()
        controller.start()
        for number in 1...100 { port.send(.add(number)) }
        port.settle()
        #expect(await models.next() == Array(0...100))
        controller.stop()
    }

    @Test func modelsRequestedDuringAStopYieldAModel() async {
        let controller = makeController()
        controller.start()
        // This runs on the loop's queue, so work that the sequence enqueues there runs after the disposal.
        let models = await withCheckedContinuation { (asked: CheckedContinuation<AsyncStream<[Int]>, Never>) in
            port.send(.add(1))
            port.send(
                .call { [unowned controller, port] in
                    port.send(.add(2))
                    // Called on another thread, since on this one the work would run at once.
                    onThreads(1) { _ in asked.resume(returning: controller.models()) }
                    controller.stop()
                })
        }
        var iterator = models.makeAsyncIterator()
        #expect(await iterator.next() == [0, 1])
    }

    @Test func severalSequencesYieldTheSameModels() async {
        let controller = makeController()
        controller.start()
        let sequences = (0..<3).map { _ in controller.models() }
        for number in 1...10 { port.send(.add(number)) }
        port.settle()
        controller.stop()
        for sequence in sequences {
            let models = await sequence.prefix(11).reduce(into: [[Int]]()) { $0.append($1) }
            #expect(models == (0...10).map { Array(0...$0) })
        }
    }
}
