// The code of the article on controllers and views.

import Dispatch
import Loop
import Observation
import TestSupport
import Testing

private enum CounterEvent {
    case increment
    case loaded(Int)
}
private enum CounterEffect { case load }

private let counting = Update<Int, CounterEvent, CounterEffect> { count, event in
    switch event {
    case .increment: .next(count + 1)
    case .loaded(let count): .next(count)
    }
}

private let effectHandler = EffectRouter<CounterEffect, CounterEvent>()
    .routeCase(.load).toEvent { .loaded(40) }

@MainActor
private final class CounterScreen {
    private(set) var text = ""
    private var send: Consumer<CounterEvent>?

    func tapIncrement() { send?(.increment) }
}

extension CounterScreen: @MainActor Connectable {
    func connect(_ consumer: @escaping Consumer<CounterEvent>) -> Connection<Int> {
        send = consumer
        return Connection(
            acceptClosure: { @MainActor [weak self] count in self?.text = "\(count)" },
            disposeClosure: { @MainActor [weak self] in self?.send = nil })
    }
}

@Suite("The article on controllers and views", .timeLimit(.minutes(10)))
struct ControllersAndViewsExampleTests {
    @Test @MainActor func aScreenShowsTheModel() async throws {
        let screen = CounterScreen()

        let controller = Mobius.loop(update: counting, effectHandler: effectHandler)
            .makeController(from: 0, initiate: { count in First(model: count, effects: [.load]) })
        controller.connectView(screen)

        controller.start()  // when the screen appears
        try await controller.settled()
        screen.tapIncrement()
        try await controller.settled()
        await controller.stopAndWait()  // when the screen disappears

        #expect(controller.model == 41)
    }

    @Test @MainActor func aModelIsTracked() async throws {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        let controller = Mobius.loop(update: counting, effectHandler: effectHandler).makeController(from: 0)
        controller.start()
        let text = withObservationTracking {
            "\(controller.model)"  // Text("\(controller.model)") in a view
        } onChange: {
            print("the model has changed")
        }
        controller.dispatchEvent(.increment)  // Button("+") { controller.dispatchEvent(.increment) }

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

        screen.tapIncrement()
        try await controller.settled()
        #expect(controller.model == 1)
        while screen.text != "1" { await Task.yield() }  // The screen is given the model later.

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
