import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// When effects begin and end, and what ends with them.
@Suite(.timeLimit(.minutes(10))) struct EffectLifetimeTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    @Test("40. An effect whose stream has ended handles no more actions, and its status is finished")
    func finished() {
        let store = world.store()
        let registration = store.register(world.effect { $0.first().map { Answered(id: $0.id) } })
        store.ask(1, 2)
        #expect(store.state == ["asked 1", "answered 1", "asked 2"])
        #expect(registration.status.isFinished)
        registration.cancel()
        #expect(registration.status.isFinished)
    }

    @Test("42. An answer that arrives after its store is deallocated is dropped")
    func lateResult() {
        let gate = Gate()
        let (executor, log) = (world.scheduler.executor, log)
        var store: Store? = world.store(
            world.effect { asked in
                asked.flatMap { asked in
                    await gate.pass()
                    log.append("woken")
                    return Answered(id: asked.id)
                }
                .handleEvents { _ in log.append("answered") }
            })
        store?.ask(1)
        executor.drain()
        store = nil
        Task(executorPreference: executor) { await gate.open() }
        executor.drain()
        #expect(log.lines == ["woken"])
    }

    @Test("43. An effect receives only actions that are dispatched after its registration")
    func fromNowOn() {
        let store = world.store()
        store.ask(1, 2)
        store.register(world.logging())
        store.ask(3)
        #expect(log.lines == ["asked 3"])
    }

    @Test("44. An effect that cancels itself calls no further closures for the same action")
    func cancelsItself() {
        let store = world.store()
        store.register { cancel in
            Effect { actions in
                actions.ofType(Asked.self)
                    .handleEvents { _ in cancel() }
                    .flatMap { [log] asked in
                        log.append("inner")
                        return ActionStream.just(Answered(id: asked.id))
                    }
                    .handleEvents { [log] _ in log.append("later") }
                    .eraseActionType()
                    .merge(with: actions.handleEvents { [log] _ in log.append("merged") })
            }
        }
        store.ask(1)
        #expect(log.lines.isEmpty)
        #expect(store.state == ["asked 1"])
    }

    @Test("44. A task calls no closure if its effect is cancelled before the task begins")
    func cancelBeforeTheTaskBegins() {
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.flatMap { [log] asked in
                    log.append("began")
                    return Answered(id: asked.id)
                }
                .merge(
                    with: asked.flatMap { [log] asked async in
                        log.append("made")
                        return AsyncStream<Answered> { $0.finish() }
                    })
            })
        store.ask(1)
        registration.cancel()
        world.scheduler.drain()
        #expect(log.lines.isEmpty)
    }

    enum Scope: CaseIterable { case none, registration, set }

    @Test("44, 45. An effect ends with its registration or its set", arguments: Scope.allCases)
    func scoped(scope: Scope) {
        let store = world.store()
        var registrations: Set<ScopedRegistration> = []
        var registration: EffectRegistration? = store.register(world.logging())
        if scope == .set { registration?.store(in: &registrations) }
        store.ask(1)
        if scope == .registration { registration?.cancel() }
        if scope == .none { registration = nil }
        registrations = []
        store.ask(2)
        #expect(log.lines == (scope == .none ? ["asked 1", "asked 2"] : ["asked 1"]))
        #expect(registration?.status.isCancelled == (scope == .none ? nil : true))
    }

    @Test("46. Cancelling effects in any order, some of them twice, keeps the order of the remaining ones")
    func cancelledInAnyOrder() {
        let store = world.store()
        let registrations = (0..<200).map { store.register(world.logging("\($0) ")) }
        store.ask(1)
        var expected = (0..<200).map { "\($0) asked 1" }
        for index in 0..<200 where index % 7 != 0 {
            for _ in 0...index % 2 { registrations[(index * 73) % 200].cancel() }
            if index % 50 == 0 {
                store.ask(index)
                let left = (0..<200).filter { registrations[$0].status.isRunning }
                expected += left.map { "\($0) asked \(index)" }
            }
        }
        #expect(log.lines == expected)
    }

    @Test(
        "46. The cost of ending an effect does not grow with the number of effects", .countsSteps,
        arguments: [false, true])
    func endingIsLinear(isGroup: Bool) {
        func cost(of count: Int) -> Int {
            let store = world.store()
            let effect = Effect(dispatch: false) { actions in actions.ofType(Failed.self).eraseActionType() }
            if isGroup {
                store.register(Array(repeating: effect, count: count), as: 1)
                return steps { store.unregister(1) }
            }
            let registrations = (0..<count).map { _ in store.register(effect) }
            return steps {
                for registration in registrations {
                    registration.cancel()
                    store.dispatch(action: Answered(id: 1))
                }
            }
        }
        #expect(growth(from: 100, to: 1_600, cost) < 1.2)
    }

    @Test("47. An effect registered during the delivery of an action receives only later actions")
    func registeredDuringDelivery() {
        let (store, logging) = (world.store(), world.logging())
        store.register(
            world.effect { asked in
                asked.first().handleEvents { [weak store] _ in store?.register(logging) }.map { Answered(id: $0.id) }
            })
        store.ask(1)
        #expect(log.lines == ["answered 1"])
        store.ask(2)
        #expect(log.lines == ["answered 1", "asked 2"])
    }

    @Test("48. An effect that an earlier effect cancels does not receive the current action")
    func cancelledDuringDelivery() {
        let store = world.store()
        let victim = Guarded<EffectRegistration?>(nil)
        store.register(
            Effect(dispatch: false) { $0.handleEvents { _ in victim.withLock { $0 }?.cancel() } })
        let registration = store.register(world.logging())
        store.ask(1)
        victim.withLock { $0 = registration }
        store.ask(2)
        #expect(log.lines == ["asked 1"])
    }

    @Test("49. An effect may run several times in one or several stores, and each run has its own state and end")
    func severalRuns() {
        let effect = world.effect { $0.scan(0) { $0 + $1.id }.removeDuplicates().map(Answered.init) }
        let stores = [world.store(effect), world.store(effect)]
        stores[0].ask(1)
        stores[1].ask(10)
        let second = stores[0].register(effect)
        stores[0].ask(0, 2)
        second.cancel()
        stores[0].ask(4)
        #expect(stores[0].answers == ["answered 1", "answered 0", "answered 3", "answered 2", "answered 7"])
        #expect(stores[1].answers == ["answered 10"])
    }

    @Test("51. A program that is cancelled while it acquires a resource releases the resource")
    func bracketIsReleased() {
        let clock = world.clock
        let store = world.store()
        store.register { cancel in
            world.effect { asked in
                asked.flatMap { [log] asked in
                    ActionStream(
                        EnvIO<Void, any Error, Answered>.bracket(
                            acquire: EnvIO { _ in
                                log.append("acquired")
                                cancel()
                            },
                            release: { _ in EnvIO { _ in log.append("released") } },
                            use: { _ in
                                EnvIO<Void, any Error, Void>.sleep(for: .seconds(1), clock: clock)
                                    .map { Answered(id: asked.id) }
                            }), in: ())
                }
            }
        }
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["acquired", "released"])
        #expect(store.state == ["asked 1"])
    }

    /// Effects that wait for a clock: for a request, and for values that they hold.
    static let waiting: [(name: String, make: @Sendable (QuestionWorld) -> Effect<Void>)] = [
        ("request", { $0.sleeping() }),
        (
            "ticker",
            { world in world.effect { _ in ActionStream.interval(.seconds(1), clock: world.clock).map(Answered.init) } }
        ),
        (
            "debounce",
            { world in world.effect { $0.debounce(for: .seconds(1), clock: world.clock).map { Answered(id: $0.id) } } }
        ),
        (
            "debounced stream",
            { world in
                world.effect { asked in
                    asked.flatMap(.debounce(for: .seconds(1), clock: world.clock)) { [log = world.log] asked in
                        log.append("began")
                        return .just(Answered(id: asked.id))
                    }
                }
            }
        ),
    ]

    enum Lifetime: CaseIterable { case registration, store }

    @Test(
        "51. What waits for a clock is dropped with its registration or its store",
        arguments: waiting.indices, Lifetime.allCases)
    func waits(index: Int, lifetime: Lifetime) {
        let clock = world.clock
        var store: Store<[String]>? = world.store()
        let registration = store!.register(Self.waiting[index].make(world))
        let states = store!.recorded()
        store!.ask(1)
        world.scheduler.drain()
        #expect(clock.sleeperCount == 1)
        switch lifetime {
        case .registration: registration.cancel()
        case .store: store = nil
        }
        world.scheduler.drain()
        #expect(clock.sleeperCount == 0)
        world.scheduler.advance(by: .seconds(3))
        #expect(registration.status.isCancelled)
        #expect(states.values.last == ["asked 1"])
        #expect(log.lines == [])
    }

    enum End: CaseIterable { case cancel, finish, fail, store }

    @Test("51. An effect that has ended does not retain what its operators captured", arguments: End.allCases)
    func nothingIsHeld(end: End) {
        let count = Guarded(0)
        let clock = world.clock
        var store: Store? = world.store()
        store?.onError { _ in }
        var registration: EffectRegistration?
        do {
            let witness = Witness { count.withLock { $0 += 1 } }
            let effect = Effect(onFailure: .stop) { actions in
                let asked = actions.ofType(Asked.self)
                return asked.filter { _ in withExtendedLifetime(witness) { true } }
                    .flatMap { asked in ActionStream.just(asked).handleEvents { _ in _ = witness } }
                    .merge(
                        with: asked.flatMap(.latest) { asked in
                            actions.ofType(Asked.self).handleEvents { _ in _ = witness }.prefix(2)
                        }
                    )
                    .merge(
                        with: asked.flatMap(.queued) { asked in
                            try await clock.sleep(for: .seconds(100))
                            return withExtendedLifetime(witness) { asked }
                        }
                    )
                    .merge(
                        with: asked.debounce(for: .seconds(50), clock: clock).removeDuplicates { $0 == $1 }
                    )
                    .flatMap { $0.id == 9 ? ActionStream.fail(Unanswerable()) : .just(Answered(id: $0.id)) }
                    .retry(1)
                    .prefix(4)
                    .eraseActionType()
            }
            registration = store?.register(effect)
        }
        store?.ask(1, 2)
        world.scheduler.drain()
        #expect(count.withLock { $0 } == 0)
        switch end {
        case .cancel: registration?.cancel()
        case .finish: store?.ask(3, 4)
        case .fail: store?.ask(9, 9)
        case .store: store = nil
        }
        #expect(registration?.status.isRunning == false)
        world.scheduler.drain()
        #expect(count.withLock { $0 } == 1)
        // The registration stays alive until here, so it does not retain the witness.
        withExtendedLifetime((store, registration)) {}
    }

    @Test("44. Registering and cancelling on eight threads loses no action and leaks nothing")
    func stress() {
        let (alive, seen, working) = (Guarded(0), Guarded(0), Guarded(8))
        let executor = world.scheduler.executor
        var store: Store? = Store(
            reducer: counting, initialState: 0,
            effects: [
                Effect { $0.ofType(Increment.self).map { _ in Acknowledged() }.eraseActionType() },
                Effect(dispatch: false) { actions in
                    actions.ofType(Acknowledged.self).handleEvents { _ in seen.withLock { $0 += 1 } }
                        .eraseActionType()
                },
            ],
            executor: executor)
        let rounds = 200
        onThreads(9) { [store] thread in
            if thread == 8 {
                while working.withLock({ $0 }) > 0 { executor.drain() }
                return
            }
            for round in 0..<rounds {
                alive.withLock { $0 += 1 }
                let witness = Witness { alive.withLock { $0 -= 1 } }
                let effect = Effect(dispatch: false) { actions in
                    actions.ofType(Increment.self)
                        .flatMap(round.isMultiple(of: 2) ? .latest : .concurrent) { _ in
                            round.isMultiple(of: 3)
                                ? ActionStream { withExtendedLifetime(witness) { Acknowledged() } }
                                : actions.ofType(Acknowledged.self).first()
                        }
                        .eraseActionType()
                }
                let registration = store?.register(effect)
                if round.isMultiple(of: 50) { store?.register([effect, effect], as: "group") }
                store?.dispatch(action: Increment())
                registration?.cancel()
                if round.isMultiple(of: 50) { store?.unregister("group") }
            }
            working.withLock { $0 -= 1 }
        }
        executor.drain()
        #expect(store?.state == 8 * rounds)
        #expect(seen.withLock { $0 } == 8 * rounds)
        store?.unregister("group")
        store?.dispatch(action: Increment())
        executor.drain()
        #expect(alive.withLock { $0 } == 0)
        store = nil
    }
}
