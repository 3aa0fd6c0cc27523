// The code of the article on bridging dispatchers.

import Dispatcher
import FunctionalCore
import Loop
import TestSupport
import Testing

//@block Loop/BridgingDispatchers enum Step<Environment

//@block Loop/BridgingDispatchers func update<Environment

//@block Loop/BridgingDispatchers struct Turn<Model

extension Turn: Sendable where Model: Sendable, Effect: Sendable {}

@Suite("The article on bridging dispatchers", .timeLimit(.minutes(10)))
struct BridgingDispatchersExampleTests {
    // MARK: - A dispatcher in a loop

    private enum Input: Sendable {
        case add(Int)
        case addTwiceAndFail(Int)
        case addLater(Int)
    }
    private struct Refused: Error {}

    private static let sum = StateDispatcher<Gate, [Int], Input>.workflow { input in
        switch input {
        case .add(let number): return [.pure(.update { $0.append(number) })]
        case .addTwiceAndFail(let number):
            return [
                .pure(.update { $0.append(number) }), .pure(.update { $0.append(number + 1) }), .fail(Refused()),
                .pure(.update { $0.append(-1) }),
            ]
        case .addLater(let number):
            return [
                EnvIO { gate in
                    await gate.pass()
                    return .update { $0.append(number) }
                },
                .pure(.update { $0.append(number + 1) }),
            ]
        }
    }

    private func loop(_ gate: Gate) -> MobiusLoop<[Int], Step<Gate, [Int], Input>, Step<Gate, [Int], Input>.Actions> {
        Mobius.loop(update: update(Self.sum), effectHandler: handler(in: gate)).start(from: [])
    }

    @Test func actionsRunInSequenceAndAFailureEndsOnlyItsInput() {
        let loop = loop(Gate())
        let states = Record<[Int]>()
        loop.addObserver { states.append($0) }
        loop.dispatchEvent(.input(.add(1)))
        #expect(loop.latestModel == [1])
        loop.dispatchEvent(.input(.addTwiceAndFail(2)))
        loop.dispatchEvent(.input(.add(4)))
        #expect(states.values == [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]])
    }

    @Test func aWaitingActionDelaysOnlyItsOwnInput() async {
        let gate = Gate()
        let loop = loop(gate)
        loop.dispatchEvent(.input(.addLater(2)))
        loop.dispatchEvent(.input(.add(1)))
        #expect(loop.latestModel == [1])
        await gate.open()
        for await state in loop.models() where state.count == 3 {
            #expect(state == [1, 2, 3])
            break
        }
    }

    @Test func theLoopBehavesLikeAComponent() {
        let loop = loop(Gate())
        let gate = Gate()
        let component = Component(initialState: [], environment: gate, dispatcher: Self.sum)
        component.onError { _, _ in }
        for input in [Input.add(1), .addTwiceAndFail(2), .add(4)] {
            loop.dispatchEvent(.input(input))
            component.send(input)
        }
        #expect(component.state == loop.latestModel)
    }

    // MARK: - An update in a component

    private enum Event: Sendable {
        case add(Int)
        case answered(Int)
    }

    private static let answering = Update<[Int], Event, Int> { numbers, event in
        switch event {
        case .add(let number): .next(numbers + [number], effects: [number, number + 1])
        case .answered(let number) where number < 0: .dispatchEffects([])
        case .answered(let number): .next(numbers + [number])
        }
    }

    private func answerer(_ effects: Record<Int>) -> EffectSwitch<Int, Event> {
        EffectSwitch { effect in
            .toEvent {
                effects.append(effect)
                return .answered(effect * 10)
            }
        }
    }

    @Test func theComponentBehavesLikeALoop() {
        let (inLoop, inComponent) = (Record<Int>(), Record<Int>())
        let loop = Mobius.loop(update: Self.answering, effectHandler: answerer(inLoop)).start(from: [], effects: [7])
        let component = Component(
            initialState: Turn(model: [], effects: [7]), environment: (), dispatcher: dispatcher(Self.answering))
        connect(answerer(inComponent), to: component)
        for event in [Event.add(1), .answered(-1), .add(1)] {
            loop.dispatchEvent(event)
            component.send(event)
        }
        #expect(loop.latestModel == [70, 1, 10, 20, 1, 10, 20])
        #expect(component.state.model == loop.latestModel)
        #expect(inLoop.values == [7, 1, 2, 1, 2])
        #expect(inComponent.values == inLoop.values)
    }

    @Test func theConnectionIsDisposedWithTheComponent() {
        let disposals = Record<Int>()
        let handler = EffectSwitch<Int, Event> { effect in
            .to { (callback: EffectCallback<Event>) in
                AnonymousDisposable { [callback] in
                    disposals.append(effect)
                    callback.end()
                }
            }
        }
        do {
            let component = Component(
                initialState: Turn(model: [Int](), effects: [7]), environment: (),
                dispatcher: dispatcher(Self.answering))
            connect(handler, to: component)
            #expect(disposals.values.isEmpty)
        }
        #expect(disposals.values == [7])
    }
}
