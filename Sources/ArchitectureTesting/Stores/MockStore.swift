public import Effects
import FunctionalCore
import VirtualTime

/// A store that records dispatched actions and does not reduce them. The test sets the state.
///
/// ```swift
/// let mock = MockStore(state: App())
/// let screen = PostScreen(mock.store)
/// screen.refresh()
/// #expect(mock.dispatchedActions is [GetPost])
/// mock.setState(App(title: "A post"))
/// ```
///
/// Effects that are registered with ``store`` receive the actions, and the actions that they dispatch are recorded,
/// too. To control the result of a selector, set the state that it selects from: selectors cannot be overridden. The
/// name is that of ReCombine's type.
public final class MockStore<S: Sendable>: Sendable {
    /// The store to pass to the code under test.
    public let store: Store<S>
    private let log = Locked<[any Action]>([])

    /// Creates a mock of a store.
    ///
    /// - Parameters:
    ///   - state: The initial state.
    ///   - effects: The effects that run from the start.
    ///   - executor: The executor on which the tasks of effects run, unless their code has an isolation of its own.
    ///     `nil` is the global executor.
    public init(state: S, effects: [Effect<Void>] = [], executor: (any TaskExecutor)? = nil) {
        store = Store(
            reducer: { [log] _, action in log.withLock { $0.append(action) } }, initialState: state, effects: effects,
            executor: executor)
    }

    /// All actions that were dispatched so far, in order, including those of effects. May be read from any thread.
    public var dispatchedActions: [any Action] {
        log.withLock { $0 }
    }

    /// Sets the state and notifies observers and selections. This is not an action: effects do not receive it.
    ///
    /// If the store is processing an action, the new state is enqueued, and this method may return before observers are
    /// notified. Otherwise, observers without isolation have been notified when this method returns. Observers on
    /// an actor may be notified later.
    public func setState(_ state: S) {
        store.set(state)
    }
}
