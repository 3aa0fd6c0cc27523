public import ArchitectureEngine
public import FunctionalCore

extension Store {
    /// Returns a selection of the value that `selector` computes from the state.
    ///
    /// After each action, `selector` is called once for each observer of the selection. If that call is expensive, pass
    /// a ``Selector``, whose selection has a memory; see ``createSelector(_:transform:)``.
    @inlinable
    public func select<Value: Equatable & Sendable>(
        _ selector: @escaping @Sendable (S) -> Value
    ) -> Selection<Value> {
        select(selector, by: ==)
    }

    /// Returns a selection of the value that `selector` computes from the state, compared by `isSame`.
    ///
    /// After each action, `selector` is called once for each observer of the selection.
    ///
    /// - Parameters:
    ///   - selector: Returns the value for a state.
    ///   - isSame: Returns whether a new value counts as unchanged. The first argument is the last value of which the
    ///     observer was notified.
    @inlinable
    public func select<Value: Sendable>(
        _ selector: @escaping @Sendable (S) -> Value,
        by isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
    ) -> Selection<Value> {
        selection(isSame, memory: { selector })
    }

    /// Returns a selection that computes the value of `selector` only if an input differs.
    ///
    /// The selection has one memory for ``Selection/value``, and one more for each of its observers. Another selection
    /// of the same selector has memories of its own, so selections never evict each other's values. A selection that is
    /// created inline has an empty memory, so its first read computes the value. In a view that is evaluated often,
    /// keep the selection.
    @inlinable
    public func select<Value: Equatable & Sendable>(_ selector: Selector<S, Value>) -> Selection<Value> {
        selection(==, memory: selector.memoized)
    }

    /// Returns a selection. `memory` creates the function that computes its value. It is called once for all reads, and
    /// once for each observer.
    @inlinable
    func selection<Value: Sendable>(
        _ isSame: @escaping @Sendable (Value, Value) -> Bool, memory: @escaping @Sendable () -> @Sendable (S) -> Value
    ) -> Selection<Value> {
        Selection(view(isSame, memory: memory), of: self)
    }

    /// Returns a view of a value that is computed from the state. `memory` creates the function that computes it.
    @inlinable
    func view<Value: Sendable>(
        _ isSame: @escaping @Sendable (Value, Value) -> Bool, memory: @escaping @Sendable () -> @Sendable (S) -> Value
    ) -> PartView<Value> {
        let select = memory()
        return PartView(
            queue: runtime.core.mainActorQueue,
            observation: runtime.observation,
            read: { [core = runtime.core] in select(core.read { $0.value }) },
            isSame: isSame,
            changeCount: { [core = runtime.core] in core.changeCount },
            attach: { [self] observer in runtime.attach(observer.on(memory())) }
        )
    }
}
