public import Effects
import VirtualTime

/// A store that records what is dispatched to it, and reduces nothing: what is tested says itself what the state is.
///
/// ```swift
/// let mock = MockStore(state: App())
/// let screen = PostScreen(mock.store)
/// screen.refresh()
/// #expect(mock.dispatchedActions is [GetPost])
/// mock.setState(App(title: "A post"))
/// ```
///
/// Effects that are registered with ``store`` are given the actions, and what they dispatch is recorded, too. A
/// selector is not overridden: set the state that it selects from. After ReCombine's type of this name.
public final class MockStore<S: Sendable>: Sendable {
    /// The store, for what is tested. Any thread.
    public let store: Store<S>
    private let log = Lock<[any Action]>([])

    /// A mock of a store.
    ///
    /// - Parameters:
    ///   - state: What the state is until it is set.
    ///   - effects: Those that are given the actions from the first one on.
    ///   - executor: Where tasks of effects run that name no isolation; `nil` is the global executor.
    public init(state: S, effects: [Effect<Void>] = [], executor: (any TaskExecutor)? = nil) {
        store = Store(
            reducer: { [log] _, action in log.withLock { $0.append(action) } }, initialState: state, effects: effects,
            executor: executor)
    }

    /// All actions so far, by whomever they were dispatched, in order. Any thread.
    public var dispatchedActions: [any Action] {
        log.withLock { $0 }
    }

    /// Sets the state. Observers and selections are told before this returns; effects are not.
    public func setState(_ state: S) {
        store.set(state)
    }
}
