// The code of the article on controllers and views.

import Dispatch
import Loop
import Observation
import TestSupport
import Testing

//@block Loop/ControllersAndViews private enum CounterEvent

//@block Loop/ControllersAndViews @MainActor private final class CounterScreen

@Suite("The article on controllers and views", .timeLimit(.minutes(10)))
struct ControllersAndViewsExampleTests {
    @Test @MainActor func aScreenShowsTheModel() async throws {
        let screen = CounterScreen()

        //@block Loop/ControllersAndViews let controller = Mobius.loop(update: counting, effectHandler: effectHandler) .makeController(from

        #expect(controller.model == 41)
    }

    @Test @MainActor func aModelIsTracked() async throws {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        //@block Loop/ControllersAndViews let controller = Mobius.loop(update: counting, effectHandler: effectHandler).makeController(from

        #expect(text == "0")
        await yield { !log.lines.isEmpty }
        #expect(controller.model == 1)
        await controller.stopAndWait()
    }

    @Test @MainActor func aTestWaitsForTheScreen() async throws {
        let screen = CounterScreen()
        let controller = Mobius.loop(update: counting, effectHandler: effectHandler).makeController(from: 0)
        controller.connectView(screen)
        controller.start()

        //@block Loop/ControllersAndViews screen.tapIncrement()

        await controller.stopAndWait()
    }

    @Test func aStopDropsModelsThatAViewHasNotBeenGiven() async throws {
        let events = Record<Consumer<CounterEvent>>()
        let models = Record<Int>()
        let view = AnyConnectable<Int, CounterEvent> { consumer in
            events.append(consumer)
            return Connection(acceptClosure: { models.append($0) }, disposeClosure: {})
        }
        let viewQueue = DispatchQueue(label: "views")
        let controller = Mobius.loop(update: counting, effectHandler: effectHandler)
            .makeController(from: 0, loopQueue: .global(), viewQueue: viewQueue)
        controller.connectView(view)

        viewQueue.suspend()
        controller.start()
        events.values.first?(.increment)
        try await controller.settled()
        #expect(controller.model == 1)
        #expect(models.values.isEmpty)
        await controller.stopAndWait()
        viewQueue.resume()
        viewQueue.sync {}
        #expect(models.values.isEmpty)

        // The next start gives the view the model that it begins with.
        controller.start()
        // The view may be given the model in a second turn of its queue.
        for _ in 0..<2 { viewQueue.sync {} }
        #expect(models.values == [1])
        await controller.stopAndWait()
    }
}
