import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// When effects begin and end, and what ends with them.
@Suite(.timeLimit(.minutes(10))) struct EffectLifetimeTests {
    private let world = QuestionWorld()
    private let log = Log()

    private func logging(_ name: String = "") -> Effect<Void> {
        Effect(dispatch: false) { actions in
            actions.handleEvents { [log] in log.append(name + "\($0)") }
        }
    }

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
        store.register(logging())
        store.ask(3)
        #expect(log.lines == ["asked 3"])
    }

    @Test("44. A cancelled effect receives no more actions")
    func cancelled() {
        let store = world.store()
        let registration = store.register(logging())
        store.ask(1)
        registration.cancel()
        store.ask(2)
        #expect(log.lines == ["asked 1"])
        #expect(registration.status.isCancelled)
    }

    @Test("44. An effect that cancels itself calls no further closures for the same action")
    func cancelsItself() {
        let store = world.store()
        let link = Guarded<EffectRegistration?>(nil)
        let registration = store.register(
            Effect { actions in
                actions.ofType(Asked.self)
                    .handleEvents { _ in link.withLock { $0 }?.cancel() }
                    .flatMap { [log] asked in
                        log.append("inner")
                        return ActionStream.just(Answered(id: asked.id))
                    }
                    .handleEvents { [log] _ in log.append("later") }
                    .eraseActionType()
                    .merge(with: actions.handleEvents { [log] _ in log.append("merged") })
            })
        link.withLock { $0 = registration }
        store.ask(1)
        #expect(log.lines.isEmpty)
        #expect(store.state == ["asked 1"])
    }

    enum Operator: CaseIterable {
        case map, compactMap, filter, scan, removeDuplicates, handleEvents, flatMap, program, task, sequence
        case replaceError, again
    }

    @Test("44. An operator does not call its closure after its effect is cancelled", arguments: Operator.allCases)
    func noneIsCalled(kind: Operator) {
        let store = world.store()
        store.onError { _ in }
        let link = Guarded<EffectRegistration?>(nil)
        let isCancelled = Guarded(false)
        let called: @Sendable () -> Void = { [log] in if isCancelled.withLock({ $0 }) { log.append("called") } }
        let registration = store.register(
            world.effect { asked in
                // Cancels in the middle of the stream, so that the following operator already has a value.
                let values = asked.map { asked in
                    if asked.id == 2 {
                        link.withLock { $0 }?.cancel()
                        isCancelled.withLock { $0 = true }
                    }
                    return Answered(id: asked.id)
                }
                return switch kind {
                case .map:
                    values.map {
                        called()
                        return $0
                    }
                case .compactMap:
                    values.compactMap {
                        called()
                        return $0
                    }
                case .filter:
                    values.filter { _ in
                        called()
                        return true
                    }
                case .scan:
                    values.scan(Answered(id: 0)) {
                        called()
                        return $1
                    }
                case .removeDuplicates:
                    values.removeDuplicates {
                        called()
                        return $0 == $1
                    }
                case .handleEvents:
                    values.handleEvents { _ in called() }
                case .flatMap:
                    values.flatMap { answered -> ActionStream<Answered> in
                        called()
                        return .just(answered)
                    }
                case .program:
                    values.flatMap(in: called()) { answered in
                        EnvIO<Void, any Error, Answered> { _ in
                            called()
                            return answered
                        }
                    }
                case .task:
                    values.flatMap { answered in
                        called()
                        await Task.yield()
                        return answered
                    }
                case .sequence:
                    asked.flatMap { asked in
                        ActionStream.sequence(
                            sequence(state: 0) { (count: inout Int) -> Int? in
                                called()
                                count += 1
                                return count < 3 ? count : nil
                            })
                    }.map { id in
                        link.withLock { $0 }?.cancel()
                        isCancelled.withLock { $0 = true }
                        return Answered(id: id)
                    }
                case .replaceError:
                    values.flatMap { $0.id == 2 ? ActionStream.fail(Unanswerable()) : .just($0) }
                        .replaceError { _ in
                            called()
                            return Answered(id: 0)
                        }
                case .again:
                    values.flatMap { answered -> ActionStream<Answered> in
                        called()
                        return .fail(Unanswerable())
                    }.retry(2)
                }
            })
        link.withLock { $0 = registration }
        store.ask(1, 2, 3)
        world.scheduler.drain()
        #expect(log.lines == [])
        #expect(isCancelled.withLock { $0 })
    }

    @Test("44. An observer that is cancelled while its selector runs is not notified")
    func cancelledSelection() {
        let store = world.store()
        let link = Guarded<Registration?>(nil)
        let registration = store.select(
            { state in
                if state.count == 1 { link.withLock { $0 }?.cancel() }
                return state
            },
            by: { [log] _, new in
                if new.count == 1 { log.append("compared") }
                return false
            }
        ).observe { [log] state in log.append("\(state)") }
        link.withLock { $0 = registration }
        store.ask(1, 2)
        #expect(log.lines == ["[]"])
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

    @Test("45. An effect whose registration is dropped continues to run")
    func dropped() {
        let store = world.store()
        store.register(logging())
        store.ask(1, 2)
        #expect(log.lines == ["asked 1", "asked 2"])
    }

    @Test("45. An effect whose registration is stored in a set ends when the set is emptied")
    func storedInASet() {
        let store = world.store()
        var registrations: Set<ScopedRegistration> = []
        store.register(logging()).store(in: &registrations)
        store.ask(1)
        registrations = []
        store.ask(2)
        #expect(log.lines == ["asked 1"])
    }

    @Test("45. An effect that is registered for an owner ends when the owner is deallocated")
    func withOwner() {
        let store = world.store()
        var owner: Witness? = Witness()
        let registration = owner.map { store.register(logging(), for: $0) }
        store.ask(1)
        owner = nil
        store.ask(2)
        #expect(log.lines == ["asked 1"])
        #expect(registration?.status.isCancelled == true)
    }

    @Test("51. A request whose owner is deallocated answers nothing")
    func underWayForAnOwner() {
        let store = world.store()
        let clock = world.clock
        var owner: Witness? = Witness()
        let effect = world.effect { asked in
            asked.flatMap { asked in
                try await clock.sleep(for: .seconds(1))
                return Answered(id: asked.id)
            }
        }
        let registration = owner.map { store.register(effect, for: $0) }
        store.ask(1)
        world.scheduler.drain()
        owner = nil
        world.scheduler.advance(by: .seconds(1))
        #expect(store.state == ["asked 1"])
        #expect(registration?.status.isCancelled == true)
    }

    @Test("46. Cancelling effects in any order keeps the order of the remaining ones")
    func cancelledInAnyOrder() {
        let store = world.store()
        let registrations = (0..<200).map { store.register(logging("\($0) ")) }
        store.ask(1)
        var expected = (0..<200).map { "\($0) asked 1" }
        for index in 0..<200 where index % 7 != 0 {
            registrations[(index * 73) % 200].cancel()
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

    @Test("46. A second cancellation of an effect ends no other effect")
    func idempotent() {
        let store = world.store(logging("first "))
        let registration = store.register(logging("second "))
        store.register(logging("third "))
        registration.cancel()
        registration.cancel()
        store.ask(1)
        #expect(log.lines == ["first asked 1", "third asked 1"])
    }

    @Test("47. An effect registered during the delivery of an action receives only later actions")
    func registeredDuringDelivery() {
        let store = world.store()
        store.register(
            world.effect { asked in
                asked.first().handleEvents { [weak store, log] _ in
                    store?.register(
                        Effect(dispatch: false) { $0.handleEvents { log.append("\($0)") } })
                }.map { Answered(id: $0.id) }
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
        let registration = store.register(logging())
        store.ask(1)
        victim.withLock { $0 = registration }
        store.ask(2)
        #expect(log.lines == ["asked 1"])
    }

    @Test("49. An effect registered twice runs twice, and each registration is cancelled separately")
    func twice() {
        let store = world.store()
        let effect = logging()
        let registrations = [store.register(effect), store.register(effect)]
        store.ask(1)
        registrations[0].cancel()
        store.ask(2)
        #expect(log.lines == ["asked 1", "asked 1", "asked 2"])
    }

    @Test("49. Several stores may run one effect, and each run has its own state")
    func severalStores() {
        let effect = world.effect { $0.scan(0) { $0 + $1.id }.map(Answered.init) }
        let stores = [world.store(effect), world.store(effect)]
        stores[0].ask(1)
        stores[1].ask(10)
        stores[0].ask(2)
        #expect(stores[0].state == ["asked 1", "answered 1", "asked 2", "answered 3"])
        #expect(stores[1].state == ["asked 10", "answered 10"])
    }

    @Test("50. Effects given to the initializer are released with the store")
    func permanent() {
        var store: Store? = world.store()
        do {
            let witness = Witness { [log] in log.append("freed") }
            store = world.store(
                Effect(dispatch: false) { actions in
                    actions.handleEvents { [log] in log.append("\($0) \(witness)".prefix(7) + "") }
                })
        }
        for id in 1...3 { store?.ask(id) }
        #expect(log.lines == ["asked 1", "asked 2", "asked 3"])
        store = nil
        #expect(log.lines.last == "freed")
    }

    @Test("51. Cancelling a registration cancels the effect's request")
    func requestWithRegistration() {
        let clock = world.clock
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.flatMap { [log] asked in
                    do { try await clock.sleep(for: .seconds(1)) } catch { log.append("\(error)") }
                    return Answered(id: asked.id)
                }
            })
        store.ask(1)
        world.scheduler.drain()
        registration.cancel()
        world.scheduler.drain()
        #expect(log.lines == ["CancellationError()"])
        #expect(store.state == ["asked 1"])
    }

    @Test("51. A request is cancelled when its store is deallocated")
    func requestWithStore() {
        let clock = world.clock
        var store: Store? = world.store(
            world.effect { asked in
                asked.flatMap { [log] asked in
                    do { try await clock.sleep(for: .seconds(1)) } catch { log.append("\(error)") }
                    return Answered(id: asked.id)
                }
            })
        store?.ask(1)
        world.scheduler.drain()
        store = nil
        world.scheduler.drain()
        #expect(log.lines == ["CancellationError()"])
    }

    @Test("51. A program that is cancelled while it acquires a resource releases the resource")
    func bracketIsReleased() {
        let clock = world.clock
        let link = Guarded<EffectRegistration?>(nil)
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.flatMap(in: ()) { [log] asked in
                    EnvIO<Void, any Error, Answered>.bracket(
                        acquire: EnvIO { _ in
                            log.append("acquired")
                            link.withLock { $0 }?.cancel()
                        },
                        release: { _ in EnvIO { _ in log.append("released") } },
                        use: { _ in
                            EnvIO<Void, any Error, Void>.sleep(for: .seconds(1), clock: clock)
                                .map { Answered(id: asked.id) }
                        })
                }
            })
        link.withLock { $0 = registration }
        store.ask(1)
        world.scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["acquired", "released"])
        #expect(store.state == ["asked 1"])
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
