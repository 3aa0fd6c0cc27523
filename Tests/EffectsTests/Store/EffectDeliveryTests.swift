import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Which actions effects receive and when, and how the store processes their answers.
@Suite(.timeLimit(.minutes(10))) struct EffectDeliveryTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    private var answering: Effect<Void> {
        Effect { $0.ofType(Asked.self).map { Answered(id: $0.id) }.eraseActionType() }
    }

    @Test("22, 26. An effect without a filter receives every action from the first on, also those of other effects")
    func allActions() {
        let store = world.store(answering, world.logging())
        store.ask(1)
        store.dispatch(action: Failed(id: 2))
        #expect(log.lines == ["asked 1", "answered 1", "failed 2"])
    }

    @Test("23. Every effect receives a cause before its consequence, in any order of registration", arguments: 0..<3)
    func causeFirst(place: Int) {
        var effects = [world.logging("a "), world.logging("b ")]
        effects.insert(answering, at: place)
        let store = Store(reducer: journal, initialState: [], effects: effects)
        store.ask(1)
        #expect(log.lines == ["a asked 1", "b asked 1", "a answered 1", "b answered 1"])
    }

    @Test("24. Effects receive an action in registration order, whatever types they listen to")
    func registrationOrder() {
        let effects = (0..<20).map { index in
            index.isMultiple(of: 2)
                ? world.logging("\(index) ")
                : Effect(dispatch: false) { actions in
                    actions.ofType(Asked.self).handleEvents { [log] in log.append("\(index) \($0)") }
                        .eraseActionType()
                }
        }
        let store = Store(reducer: journal, initialState: [], effects: effects)
        for index in 20..<30 { store.register(world.logging("\(index) ")) }
        store.ask(1)
        #expect(log.lines == (0..<30).map { "\($0) asked 1" })
    }

    @Test("24. Inner streams of one effect receive an action in the order in which they began")
    func orderWithinAnEffect() {
        let store = world.store(
            Effect(dispatch: false) { actions in
                actions.ofType(Asked.self).flatMap { asked -> ActionStream<any Action> in
                    actions.ofType(Answered.self)
                        .handleEvents { [log] _ in log.append("\(asked.id)") }.eraseActionType()
                }
            })
        for id in 0..<40 { store.ask(id) }
        store.dispatch(action: Answered(id: 0))
        #expect(log.lines == (0..<40).map { "\($0)" })
    }

    @Test("25. An effect's closure runs once, or once per registration if it takes an environment")
    func sourceRunsOnce() {
        let plain = Effect(dispatch: false) { actions in
            log.append("plain")
            return actions
        }
        let withEnvironment = Effect<Int>(dispatch: false) { [log] actions, number in
            log.append("environment \(number)")
            return actions
        }
        #expect(log.lines == ["plain"])
        let store = world.store(plain, withEnvironment.provide(1))
        store.register(plain)
        store.register(withEnvironment.provide(2))
        store.ask(1, 2)
        #expect(log.lines == ["plain", "environment 1", "environment 2"])
    }

    @Test("27. All effects given to the store's initializer listen before any of them emits")
    func allListenFirst() {
        let greeting = Effect { _ in
            ActionStream<any Action>.sequence([Answered(id: 1), Answered(id: 2)])
        }
        let store = world.store(greeting, world.logging())
        #expect(log.lines == ["answered 1", "answered 2"])
        #expect(store.state == ["answered 1", "answered 2"])
    }

    @Test("28. The reducer, observers and effects receive the actions that an effect emits")
    func dispatching() {
        let second = Effect { $0.ofType(Answered.self).map { Failed(id: $0.id) }.eraseActionType() }
        let store = world.store(answering, second)
        let states = store.recorded()
        store.ask(1)
        #expect(states.values.last == ["asked 1", "answered 1", "failed 1"])
        #expect(states.values.count == 4)
    }

    @Test("29, 30. The store drops the actions that an effect with dispatch: false emits, its own ones included")
    func notDispatching() {
        let store = world.store(
            Effect(dispatch: false) { [log] actions in
                actions.handleEvents { log.append("\($0)") }
                    .merge(with: actions.ofType(Asked.self).map { Answered(id: $0.id) })
            })
        store.ask(1, 2)
        #expect(store.state == ["asked 1", "asked 2"])
        #expect(log.lines == store.state)
    }

    @Test("32, 33. An effect emits no, one or many answers to the payload of an action, and their order is kept")
    func manyAnswers() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap { ActionStream.sequence((0..<$0.id).map(Answered.init)) }
            })
        store.ask(0, 1, 3)
        #expect(
            store.state == [
                "asked 0", "asked 1", "answered 0", "asked 3", "answered 0", "answered 1", "answered 2",
            ])
    }

    @Test("41. The reducer applies a late answer to the state at the time of its arrival")
    func lateAnswer() {
        let clock = world.clock
        let effect = Effect { actions in
            actions.ofType(Increment.self).flatMap { _ in
                try await clock.sleep(for: .seconds(1))
                return Add(amount: 100)
            }.eraseActionType()
        }
        let store = Store(
            reducer: counting, initialState: 0, effects: [effect], executor: world.scheduler.executor)
        store.dispatch(action: Increment())
        world.scheduler.drain()
        store.dispatch(action: Add(amount: 10))
        world.scheduler.advance(by: .seconds(1))
        #expect(store.state == 111)
    }
}
