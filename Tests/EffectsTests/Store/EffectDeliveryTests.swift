import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Which actions effects receive and when, and how the store processes their answers.
@Suite(.timeLimit(.minutes(10))) struct EffectDeliveryTests {
    private let world = QuestionWorld()
    private let log = Log()

    /// An effect that logs every action.
    private func logging(_ name: String = "") -> Effect<Void> {
        Effect(dispatch: false) { actions in
            actions.handleEvents { [log] in log.append(name + "\($0)") }
        }
    }

    private var answering: Effect<Void> {
        Effect { $0.ofType(Asked.self).map { Answered(id: $0.id) }.eraseActionType() }
    }

    @Test("20. An effect that reads the store sees the state after its action")
    func afterReduction() {
        let store = world.store()
        store.register(
            Effect(dispatch: false) { actions in
                actions.handleEvents { [weak store, log] _ in log.append("\(store?.state ?? [])") }
            })
        store.ask(1, 2)
        #expect(log.lines == ["[\"asked 1\"]", "[\"asked 1\", \"asked 2\"]"])
    }

    @Test("21. Observers of the state are notified before effects, even if they are registered later")
    func stateFirst() {
        let store = world.store(logging("effect "))
        store.observe { [log] in log.append("state \($0.count)") }
        store.ask(1, 2)
        #expect(log.lines == ["state 0", "state 1", "effect asked 1", "state 2", "effect asked 2"])
    }

    @Test("22. An effect without a filter receives every action, including those that other effects emit")
    func allActions() {
        let store = world.store(answering, logging())
        store.ask(1)
        store.dispatch(action: Failed(id: 2))
        #expect(log.lines == ["asked 1", "answered 1", "failed 2"])
    }

    @Test("23. Every effect receives a cause before its consequence, in any order of registration", arguments: 0..<3)
    func causeFirst(place: Int) {
        var effects = [logging("a "), logging("b ")]
        effects.insert(answering, at: place)
        let store = Store(reducer: journal, initialState: [], effects: effects)
        store.ask(1)
        #expect(log.lines == ["a asked 1", "b asked 1", "a answered 1", "b answered 1"])
    }

    @Test("24. Effects receive an action in registration order, whatever types they listen to")
    func registrationOrder() {
        let effects = (0..<20).map { index in
            index.isMultiple(of: 2)
                ? logging("\(index) ")
                : Effect(dispatch: false) { actions in
                    actions.ofType(Asked.self).handleEvents { [log] in log.append("\(index) \($0)") }
                        .eraseActionType()
                }
        }
        let store = Store(reducer: journal, initialState: [], effects: effects)
        for index in 20..<30 { store.register(logging("\(index) ")) }
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

    @Test("26. An effect given to the store's initializer receives the first action")
    func startsImmediately() {
        let store = world.store(logging())
        store.ask(1)
        #expect(log.lines == ["asked 1"])
    }

    @Test("27. All effects given to the store's initializer listen before any of them emits")
    func allListenFirst() {
        let greeting = Effect { _ in
            ActionStream<any Action>.sequence([Answered(id: 1), Answered(id: 2)])
        }
        let store = world.store(greeting, logging())
        #expect(log.lines == ["answered 1", "answered 2"])
        #expect(store.state == ["answered 1", "answered 2"])
    }

    @Test("28. The reducer, observers and effects receive the actions that an effect emits")
    func dispatching() {
        let second = Effect { $0.ofType(Answered.self).map { Failed(id: $0.id) }.eraseActionType() }
        let store = world.store(answering, second)
        let states = Record<[String]>()
        store.observe { states.append($0) }
        store.ask(1)
        #expect(states.values.last == ["asked 1", "answered 1", "failed 1"])
        #expect(states.values.count == 4)
    }

    @Test("29. The store drops the actions that an effect with dispatch: false emits")
    func notDispatching() {
        let store = world.store(
            Effect(dispatch: false) { actions in
                actions.ofType(Asked.self).handleEvents { [log] in log.append("\($0)") }
                    .map { Answered(id: $0.id) }.eraseActionType()
            })
        store.ask(1)
        #expect(store.state == ["asked 1"])
        #expect(log.lines == ["asked 1"])
    }

    @Test("30. An effect with dispatch: false that emits its own actions handles each of them once")
    func identityWithoutDispatch() {
        let store = world.store(logging())
        store.ask(1, 2)
        #expect(log.lines == ["asked 1", "asked 2"])
    }

    @Test("31. An effect that answers itself synchronously is stopped and reported, and the store continues")
    func runaway() {
        let store = Store(
            reducer: counting, initialState: 0,
            effects: [Effect { $0.ofType(Increment.self).eraseActionType() }],
            maximumChain: 100)
        store.onError { [log] in log.append("\($0)") }
        store.dispatch(action: Increment())
        #expect(store.state == 102)
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.contains("EffectDeliveryTests.swift") == true)
        #expect(log.lines.first?.contains("Increment → Increment. To fix, ") == true)
        store.dispatch(action: Add(amount: 1_000))
        #expect(store.state == 1_102)
    }

    @Test("32. An effect may emit no, one or many answers, and their order is kept")
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

    @Test("32. An effect may emit answers one after another over time")
    func answersOverTime() {
        let clock = world.clock
        let store = world.store(
            world.effect { asked in
                asked.flatMap { asked in
                    AsyncThrowingStream(unfolding: countdown(from: asked.id, on: clock)).map(Answered.init)
                }
            })
        store.ask(2)
        world.scheduler.advance(by: .seconds(1))
        #expect(store.state == ["asked 2", "answered 2"])
        world.scheduler.advance(by: .seconds(10))
        #expect(store.state == ["asked 2", "answered 2", "answered 1"])
    }

    @Test("33. The closures of an effect receive the payloads of its actions")
    func payload() {
        let store = world.store(world.effect { $0.map { asked in Answered(id: asked.id * 10) } })
        store.ask(4)
        #expect(store.state == ["asked 4", "answered 40"])
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

/// Returns a closure that counts down from `start` to 1, one number per second.
private func countdown(from start: Int, on clock: VirtualClock) -> @Sendable () async throws -> Int? {
    let left = Guarded(start)
    return {
        try await clock.sleep(for: .seconds(1))
        return left.withLock { left in
            defer { left -= 1 }
            return left > 0 ? left : nil
        }
    }
}
