import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The functions of `handleEvents` that receive ends and cancellations.
@Suite(.timeLimit(.minutes(10))) struct HandleEventsTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    /// Logs the events of a stream.
    private func logged<Value>(_ stream: ActionStream<Value>) -> ActionStream<Value> {
        stream.handleEvents(
            receiveOutput: { [log] in log.append("\($0)") },
            receiveCompletion: { [log] in log.append($0.map { "failed \($0)" } ?? "completed") },
            receiveCancel: { [log] in log.append("cancelled") })
    }

    @Test("receiveCompletion is called at the end of a stream, and receiveCancel is not")
    func completion() {
        let store = world.store()
        let registration = store.register(
            world.effect { asked in logged(asked.prefix(2).map { Answered(id: $0.id) }) })
        store.ask(1, 2)
        #expect(log.lines == ["answered 1", "answered 2", "completed"])
        registration.cancel()
        #expect(log.lines.count == 3)
        #expect(store.state == ["asked 1", "answered 1", "asked 2", "answered 2"])
    }

    @Test("receiveCompletion receives the error of a stream before a later operator handles it")
    func failure() {
        let answers = world.answers(to: [1]) { asked in
            logged(asked.flatMap { _ in ActionStream<Answered>.fail(Unanswerable(id: 3)) })
                .replaceError { [log] _ in
                    log.append("replaced")
                    return Answered(id: 2)
                }
        }
        #expect(answers == [2])
        #expect(log.lines == ["failed Unanswerable(id: 3)", "replaced"])
    }

    @Test("The functions can be passed one at a time")
    func single() {
        let store = world.store()
        let registration = store.register(
            world.effect { [log] asked in
                asked.prefix(1).handleEvents(receiveCompletion: { _ in log.append("completed") })
                    .append(asked)
                    .handleEvents(receiveCancel: { log.append("cancelled") })
                    .map { Answered(id: $0.id) }
            })
        store.ask(1, 2)
        registration.cancel()
        #expect(log.lines == ["completed", "cancelled"])
        #expect(store.state.count == 4)
    }

    enum Way: CaseIterable { case registration, store, prefix, latest, sibling, group }

    @Test("receiveCancel is called once if the stream is stopped before its end", arguments: Way.allCases)
    func cancellation(way: Way) {
        var store: Store<[String]>? = world.store()
        store?.onError { _ in }
        let effect = world.effect(onFailure: .stop) { asked in
            switch way {
            case .registration, .store, .group: logged(asked).map { Answered(id: $0.id) }
            case .prefix: logged(asked).prefix(2).map { Answered(id: $0.id) }
            case .latest:
                asked.flatMap(.latest) { asked in
                    asked.id == 2 ? .just(Answered(id: 0)) : logged(.just(Answered(id: 1)).append(never))
                }
            case .sibling:
                logged(asked).map { Answered(id: $0.id) }
                    .merge(with: asked.tryMap { if $0.id == 2 { throw Unanswerable() } else { Answered(id: 0) } })
            }
        }
        switch way {
        case .group: store?.register([effect], as: "group")
        default:
            let registration = store?.register(effect)
            if way == .registration {
                store?.ask(1)
                registration?.cancel()
            }
        }
        if way != .registration { store?.ask(1) }
        if way == .store { store = nil }
        if way == .group { store?.unregister("group") }
        store?.ask(2)
        #expect(log.lines.filter { $0 == "cancelled" }.count == 1)
        #expect(log.lines.last == "cancelled")
        #expect(!log.lines.contains("completed"))
        // The task of `never` captures the world, whose end would drain it.
        world.scheduler.drain()
    }

    private var never: ActionStream<Answered> {
        ActionStream.empty.append(ActionStream(of: { AsyncStream<Answered> { _ in } }))
    }

    @Test("receiveCancel may dispatch, cancel and register")
    func reentrancy() {
        let store = world.store()
        let registration = store.register { cancel in
            world.effect { asked in
                asked.handleEvents(receiveCancel: { [weak store] in
                    cancel()
                    store?.register(world.effect { $0.map { Answered(id: 10 * $0.id) } })
                    store?.ask(1)
                })
                .map { Answered(id: $0.id) }
            }
        }
        registration.cancel()
        #expect(store.state == ["asked 1", "answered 10"])
    }

    @Test("A stream that starts when its effect has been cancelled calls receiveCancel, and nothing else")
    func startsCancelled() {
        let store = world.store()
        store.register { cancel in
            world.effect { asked in
                asked.flatMap { _ in
                    cancel()
                    return logged(ActionStream.just(Answered(id: 1)))
                }
            }
        }
        store.ask(1)
        #expect(log.lines == ["cancelled"])
        #expect(store.state == ["asked 1"])
    }

    @Test("Either receiveCompletion or receiveCancel is called if another thread cancels while a stream ends")
    func race() {
        for _ in 0..<300 {
            let (store, events) = (world.store(), Log())
            let registration = store.register(
                world.effect { asked in
                    asked.first().handleEvents(
                        receiveCompletion: { _ in events.append("completed") },
                        receiveCancel: { events.append("cancelled") }
                    ).map { Answered(id: $0.id) }
                })
            onThreads(2) { $0 == 0 ? store.ask(1) : registration.cancel() }
            #expect(events.lines.count == 1)
        }
    }

    @Test("The functions run in their isolation, in order, from any thread") @MainActor
    func mainActor() async {
        let store = world.store()
        let effects = [true, false].map { isLimited in
            Effect(dispatch: false) { actions in
                let asked = actions.ofType(Asked.self)
                return (isLimited ? asked.prefix(2) : asked).handleEvents(
                    receiveOutput: { @MainActor [log] in
                        MainActor.assertIsolated()
                        log.append("\(isLimited) \($0.id)")
                    },
                    receiveCompletion: { @MainActor [log] _ in
                        MainActor.assertIsolated()
                        log.append("\(isLimited) completed")
                    },
                    receiveCancel: { @MainActor [log] in
                        MainActor.assertIsolated()
                        log.append("\(isLimited) cancelled")
                    }
                ).eraseActionType()
            }
        }
        let registrations = effects.map { store.register($0) }
        await onThread { store.ask(1, 2) }
        await Task { @MainActor in }.value
        #expect(log.lines == ["true 1", "false 1", "true 2", "true completed", "false 2"])
        onThreads(1) { _ in for registration in registrations { registration.cancel() } }
        #expect(log.lines.count == 5)
        await Task { @MainActor in }.value
        #expect(log.lines.dropFirst(5) == ["false cancelled"])
    }

    enum End: CaseIterable { case effect, set }

    @Test(
        "44, 45. Calls enqueued for the main actor are dropped after the cancellation, or with the set, of an effect",
        arguments: End.allCases) @MainActor
    func dropped(end: End) async {
        let store = world.store()
        var owned: Set<ScopedRegistration> = []
        let effects = [1, 2].map { [log] count in
            Effect(dispatch: false) { actions in
                actions.handleEvents { @MainActor _ in log.append("value") }.prefix(count)
                    .handleEvents(
                        receiveOutput: { @MainActor _ in log.append("value") },
                        receiveCompletion: { @MainActor _ in log.append("completed") })
            }
        }
        let registrations = effects.map { store.register($0) }
        if end == .set { for registration in registrations { registration.store(in: &owned) } }
        onThreads(1) { _ in store.ask(1) }
        #expect(registrations[0].status.isFinished)
        switch end {
        case .effect: for registration in registrations { registration.cancel() }
        case .set: owned = []
        }
        await Task { @MainActor in }.value
        #expect(log.lines.isEmpty)
        #expect(registrations[0].status.isFinished)
    }

    private actor Notes {
        var lines: [String] = []

        func effect(ofValues: Bool, _ done: CheckedContinuation<Void, Never>) -> Effect<Void> {
            Effect(dispatch: false) { actions in
                let asked = actions.ofType(Asked.self).prefix(20)
                if ofValues {
                    return asked.handleEvents { asked in
                        self.assertIsolated()
                        self.lines.append("\(asked.id)")
                        if asked.id == 20 { done.resume() }
                    }.eraseActionType()
                }
                return asked.handleEvents(
                    receiveOutput: { asked in
                        self.assertIsolated()
                        self.lines.append("\(asked.id)")
                    },
                    receiveCompletion: { _ in
                        self.assertIsolated()
                        self.lines.append("completed")
                        done.resume()
                    }
                ).eraseActionType()
            }
        }
    }

    @Test("The functions of one actor are called in order", arguments: [false, true])
    func oneActor(ofValues: Bool) async {
        let (notes, store) = (Notes(), world.store())
        await withCheckedContinuation { done in
            Task {
                store.register(await notes.effect(ofValues: ofValues, done))
                for id in 1...20 { store.ask(id) }
            }
        }
        #expect(await notes.lines == (1...20).map { "\($0)" } + (ofValues ? [] : ["completed"]))
    }
}
