import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct MiddlewareTests {
    private struct Say: Action { let text: String }

    private static let saying: ReducerFn<String> = on(Say.self) { state, say in state = say.text }

    private static func appending(_ word: String) -> Middleware<String> {
        Middleware { action, _, next in
            next((action as? Say).map { Say(text: "\($0.text) \(word)") } ?? action)
        }
    }

    @Test("66. An interceptor receives each action with the old and new state until it is cancelled")
    func interceptor() {
        let log = Log()
        let answering = Effect { actions in
            actions.ofType(Increment.self).map { _ in Add(amount: 10) }.eraseActionType()
        }
        let store = Store(reducer: counting, initialState: 0, effects: [answering])
        let intercept: @Sendable (any Action, Int, Int) -> Void = { action, old, new in
            log.append("\(type(of: action)) \(old) \(new)")
        }
        let registration = store.intercept(intercept)
        store.dispatch(action: Increment())
        #expect(log.lines == ["Increment 0 1", "Add 1 11"])
        registration.cancel()
        store.dispatch(action: Increment())
        #expect(log.lines.count == 2)
        store.intercept(intercept)
        store.dispatch(action: Acknowledged())
        #expect(log.lines == ["Increment 0 1", "Add 1 11", "Acknowledged 22 22"])
    }

    @Test("21, 66. Observers are notified first, then interceptors, then effects, in any order of registration")
    func orderOfInterceptors() {
        let log = Log()
        let logger = Effect(dispatch: false) { actions in actions.handleEvents { _ in log.append("effect") } }
        let store = Store(reducer: counting, initialState: 0, effects: [logger])
        store.intercept { _, _, _ in log.append("interceptor") }
        store.observe { if $0 > 0 { log.append("observer") } }
        store.dispatch(action: Increment())
        #expect(log.lines == ["observer", "interceptor", "effect"])
    }

    @Test("67. The middleware that was added first is outermost")
    func order() {
        let store = Store(
            reducer: Self.saying, initialState: "",
            middleware: [Self.appending("First"), Self.appending("Second")])
        store.dispatch(action: Say(text: "OK"))
        #expect(store.state == "OK First Second")
        store.add(Self.appending("Third"))
        store.dispatch(action: Say(text: "OK"))
        #expect(store.state == "OK First Second Third")
    }

    @Test("67. A middleware may read the state, dispatch, and drop, replace or multiply actions")
    func deciding() {
        let log = Log()
        let deciding = Middleware<Int> { action, store, next in
            switch action {
            case is Acknowledged: store.dispatch(action: Add(amount: 100))
            case let add as Add where add.amount < 0: break
            case is Increment:
                next(Add(amount: 1))
                log.append("\(store.state)")
                next(Add(amount: 1))
                log.append("\(store.state)")
            default: next(action)
            }
        }
        let store = Store(reducer: counting, initialState: 0, middleware: [deciding])
        store.dispatch(action: Acknowledged())
        #expect(store.state == 100)
        store.dispatch(action: Add(amount: -1))
        #expect(store.state == 100)
        store.dispatch(action: Increment())
        #expect(store.state == 102)
        #expect(log.lines == ["101", "102"])
    }

    @Test("67. Observers and effects receive neither dropped actions nor the originals of replaced ones")
    func swallowed() {
        let log = Log()
        let logger = Effect(dispatch: false) { actions in actions.handleEvents { log.append("\($0)") } }
        let store = Store(
            reducer: counting, initialState: 0, effects: [logger],
            middleware: [
                Middleware { action, _, next in
                    if action is Increment { next(Acknowledged()) }
                }
            ])
        let states = store.recorded()
        store.dispatch(Add(amount: 1), Increment())
        #expect(states.values == [0, 0])
        #expect(log.lines == ["Acknowledged()"])
    }

    @Test("67. Middleware that is added during an action takes part from the next action on")
    func changesOfTheList() {
        let store = Store(reducer: Self.saying, initialState: "")
        let once = Once()
        let adding = store.add(
            Middleware { [weak store] action, _, next in
                if once.isFirst() { store?.add(Self.appending("Added")) }
                next(action)
            })
        store.dispatch(action: Say(text: "OK"))
        #expect(store.state == "OK")
        store.dispatch(action: Say(text: "OK"))
        #expect(store.state == "OK Added")
        adding.cancel()
        store.dispatch(action: Say(text: "Yes"))
        #expect(store.state == "Yes Added")
    }

    @Test("Inner middleware, reducers and interceptors that a middleware cancels do not receive the current action")
    func cancelledByAnOuterOne() {
        let (registrations, log) = (Guarded<[Registration]>([]), Log())
        let store = Store(reducer: Self.saying, initialState: "")
        store.add(
            Middleware { action, _, next in
                for registration in registrations.value { registration.cancel() }
                next(action)
            })
        registrations.value = [
            store.add(Self.appending("Inner")),
            store.register(reducer: { _, _ in log.append("reducer") }),
            store.intercept { _, _, _ in log.append("cancelled interceptor") },
        ]
        store.intercept { _, _, _ in log.append("interceptor") }
        store.dispatch(action: Say(text: "OK"))
        #expect(store.state == "OK")
        #expect(log.lines == ["interceptor"])
    }

    @Test("Cancelled middleware, interceptors and reducers are released")
    func letGo() {
        let store = Store(reducer: counting, initialState: 0)
        weak var held: Witness?
        do {
            let object = Witness()
            held = object
            let registrations = [
                store.add(Middleware { [object] action, _, next in withExtendedLifetime(object) { next(action) } }),
                store.intercept { [object] _, _, _ in withExtendedLifetime(object) {} },
                store.register(reducer: { [object] _, _ in withExtendedLifetime(object) {} }),
            ]
            store.dispatch(action: Increment())
            for registration in registrations { registration.cancel() }
        }
        #expect(held == nil)
        withExtendedLifetime(store) {}
    }

    // MARK: - Later

    private typealias Next = @Sendable (any Action) -> Void

    @Test(
        "67. A middleware may call next later on another thread, and the inner middleware runs then"
    )
    func later() {
        let kept = Record<Next>()
        let keeping = Middleware<String> { action, _, next in kept.append { _ in next(action) } }
        let store = Store(reducer: Self.saying, initialState: "", middleware: [keeping, Self.appending("Late")])
        store.dispatch(action: Say(text: "one"))
        store.dispatch(action: Say(text: "two"))
        #expect(store.state == "")
        onThreads(1) { _ in for next in kept.values { next(Acknowledged()) } }
        #expect(store.state == "two Late")
        kept.removeAll()
    }

    @Test("Actions that observers and effects pass to next are enqueued, not nested")
    func fromWithin() {
        let kept = Record<Next>()
        let log = Log()
        let keeping = Middleware<Int> { action, _, next in
            if action is Increment { kept.append(next) } else { next(action) }
        }
        let store = Store(reducer: counting, initialState: 0, middleware: [keeping])
        store.dispatch(action: Increment())
        store.observe { if $0 == 1 { kept.values[0](Add(amount: 10)) } }
        store.register(
            Effect(dispatch: false) { actions in
                actions.handleEvents { action in
                    if (action as? Add)?.amount == 10 { kept.values[0](Add(amount: 100)) }
                }
            })
        store.register(Effect(dispatch: false) { actions in actions.handleEvents { log.append("\($0)") } })
        store.observe { log.append("\($0)") }
        store.dispatch(action: Add(amount: 1))
        #expect(
            log.lines == ["0", "1", "Add(amount: 1)", "11", "Add(amount: 10)", "111", "Add(amount: 100)"])
        kept.removeAll()
    }

    @Test("31. A middleware that dispatches without end is stopped")
    func runawayMiddleware() {
        let store = Store(
            reducer: counting, initialState: 0,
            middleware: [
                Middleware { action, store, next in
                    next(action)
                    store.dispatch(action: action)
                    store.dispatch(action: action)
                }
            ], maximumChain: 100)
        let runaways = store.recorded(RunawayEffect.self)
        store.dispatch(action: Increment())
        // The action itself, its first two answers, and the hundred that repeat the sender.
        #expect(store.state == 103)
        #expect(runaways.values.map(\.effect) == [nil])
    }

    @Test("Adding and cancelling middleware loses no action that other threads dispatch")
    func fromManyThreads() async {
        let store = Store(reducer: counting, initialState: 0)
        onThreads(4) { thread in
            for _ in 0..<500 {
                if thread % 2 == 0 {
                    store.dispatch(action: Increment())
                } else {
                    store.add(Middleware { action, _, next in next(action) }).cancel()
                    store.intercept { _, _, _ in }.cancel()
                }
            }
        }
        await handled(by: store)
        #expect(store.state == 1_000)
    }
}
