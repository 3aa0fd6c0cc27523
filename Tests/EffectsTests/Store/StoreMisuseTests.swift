import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Programmer errors trap with a message that names the remedy.
@Suite(.timeLimit(.minutes(10))) struct StoreMisuseTests {
    private static func store(_ reduce: @escaping @Sendable (Store<Int>?, inout Int) -> Void) -> Store<Int> {
        struct Link: Sendable { weak var store: Store<Int>? }
        let link = Guarded(Link())
        let store = Store(reducer: { (state: inout Int, _) in reduce(link.value.store, &state) }, initialState: 0)
        link.value.store = store
        return store
    }

    /// A wrong use, and texts of the message with which it traps.
    enum Mistake: CaseIterable, Codable {
        case mapToItself, mapToItselfWithEnvironment, mapToSubclass, mapToBaseClass
        case readingStore, readingScope, readingEnvironment, observing
        case renumbering, collectingNothing, endlessTicking

        var texts: [String] {
            switch self {
            case .mapToItself:
                [
                    "An effect that listens to Asked answers with Asked, which it listens to as well.",
                    "To fix, answer with an action of another type, neither a subclass nor a base class",
                ]
            case .mapToItselfWithEnvironment:
                ["An effect that listens to Asked answers with Asked, which it listens to as well."]
            case .mapToSubclass: ["An effect that listens to Base answers with Derived, which it listens to as well."]
            case .mapToBaseClass: ["An effect that listens to Derived answers with Base, which it listens to as well."]
            case .readingStore, .readingScope:
                [
                    "Store<Int> was asked for its state from inside one of its own transitions. To fix, use the state"
                ]
            case .readingEnvironment:
                [
                    """
                    The state of Store<Int> was read through its environment from inside one of its own transitions. \
                    To fix, read the state before the reducer and pass the value on, or use the state that the reducer \
                    receives.
                    """
                ]
            case .observing: ["Store<Int> was observed from"]
            case .renumbering: ["changed the id of a Player from 1 to 2. To fix, keep the id in the change"]
            case .collectingNothing:
                [
                    """
                    A stream of Int cannot be collected into arrays of 0 values. To fix, pass a positive count to \
                    collect.
                    """
                ]
            case .endlessTicking:
                ["ActionStream.interval cannot emit a number every 0.0 seconds. To fix, pass a positive period."]
            }
        }

        func make() {
            switch self {
            case .mapToItself: _ = Effect.map(Asked.self) { $0 }
            case .mapToItselfWithEnvironment: _ = Effect<Int>.map(Asked.self) { asked, _ in asked }
            case .mapToSubclass: _ = Effect.map(Base.self) { _ in Derived() }
            case .mapToBaseClass: _ = Effect.map(Derived.self) { $0 as Base }
            case .readingStore:
                StoreMisuseTests.store { store, state in state = store?.state ?? 0 }.dispatch(Increment())
            case .readingScope:
                let scope = Guarded<Selection<Int>?>(nil)
                let store = Store(reducer: { (_: inout Int, _) in _ = scope.value?.value }, initialState: 0)
                scope.value = store.scope(state: \.self)
                store.dispatch(Increment())
            case .readingEnvironment:
                let reader = Guarded<(@Sendable () -> Int)?>(nil)
                let effect = Effect<@Sendable () -> Int>(dispatch: false) { actions, state in
                    reader.value = state
                    return actions
                }
                Store(
                    reducer: { (count: inout Int, _) in count = reader.value?() ?? 0 }, initialState: 0,
                    environment: { state in state }, effects: [effect]
                ).dispatch(Increment())
            case .observing: StoreMisuseTests.store { store, _ in store?.observe { _ in } }.dispatch(Increment())
            case .renumbering:
                struct Player: Identifiable { var id: Int }
                struct Renumbered: Action { let id: Int }
                var players = [Player(id: 1)]
                let reduce: ReducerFn<[Player]> = forEach(\.self, id: \Renumbered.id) { player, _ in player.id += 1 }
                reduce(&players, Renumbered(id: 1))
            case .collectingNothing: _ = ActionStream.just(1).collect(0)
            case .endlessTicking: _ = ActionStream.interval(.zero)
            }
        }
    }

    @Test(
        "31. Wrong uses of stores, effects and streams trap with a message that says how to fix them", .promptly,
        arguments: Mistake.allCases)
    func trap(mistake: Mistake) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            mistake.make()
        }
        for text in mistake.texts { #expect(result.standardErrorText.contains(text)) }
    }

    @Test("12. An action that a reducer dispatches is enqueued, and no update is lost")
    func dispatchingFromAReducer() {
        let store = Self.store { store, state in
            if state == 0 { store?.dispatch(action: Add(amount: 2)) }
            state += 1
        }
        store.dispatch(action: Increment())
        #expect(store.state == 2)
    }

    @Test("12. A reducer may release a value that dispatches when it is deallocated")
    func dispatchingFromADeinit() {
        struct Screen: Sendable {
            var part: Witness?
            var count = 0
        }
        let store = Store<Screen>(
            reducer: { screen, action in
                screen.count += 1
                if action is Increment { screen.part = nil }
            }, initialState: Screen())
        store.register(Effect(dispatch: false) { $0 })
        store.dispatch(action: Acknowledged())
        let log = Log()
        store.observe { log.append("\($0.count)") }
        let owner = Store<Screen>(
            reducer: { screen, _ in screen.part = nil },
            initialState: Screen(part: Witness { [weak store] in store?.dispatch(action: Increment()) }))
        owner.dispatch(action: Increment())
        #expect(store.state.count == 2)

        let link = Guarded<Store<Screen>?>(nil)
        let own = Store<Screen>(
            reducer: { screen, action in
                screen.count += 1
                if action is Increment { screen.part = nil }
            },
            initialState: Screen(part: Witness { link.withLock { $0 }?.dispatch(action: Add(amount: 1)) }))
        link.withLock { $0 = own }
        own.dispatch(action: Increment())
        #expect(own.state.count == 2)
        link.withLock { $0 = nil }
    }

    @Test("A reducer may cancel effects, observers and middleware, which do not receive the current action")
    func cancellingFromAReducer() {
        let (registrations, log) = (Guarded<[@Sendable () -> Void]>([]), Log())
        let store = Store(
            reducer: { (_: inout Int, _) in for cancel in registrations.value { cancel() } }, initialState: 0)
        let effect = store.register(
            Effect(dispatch: false) { actions in actions.handleEvents { log.append("\($0)") } })
        let states = Record<Int>()
        let observer = store.observe { states.append($0) }
        let middleware = store.add(Middleware { action, _, next in next(action) })
        registrations.value = [{ effect.cancel() }, { observer.cancel() }, { middleware.cancel() }]
        store.dispatch(Increment())
        #expect(log.lines == [])
        #expect(states.values == [0])
    }
}
