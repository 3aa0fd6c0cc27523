public import ArchitectureEngine
public import FunctionalCore

extension Store {
    /// What `selector` makes of the state: its value now, and each that differs from the one before.
    ///
    /// It is asked after each action, once for each that selects. For what is dear to compute, see
    /// ``createSelector(_:transform:)``.
    @inlinable
    public func select<Value: Equatable & Sendable>(
        _ selector: @escaping @Sendable (S) -> Value
    ) -> Selection<Value> {
        select(selector, by: ==)
    }

    /// What `selector` makes of the state: its value now, and each for which `isSame` does not hold with the one
    /// before.
    @inlinable
    public func select<Value: Sendable>(
        _ selector: @escaping @Sendable (S) -> Value,
        by isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
    ) -> Selection<Value> {
        Selection(
            mailbox: root.mainMailbox,
            watch: root.watch,
            read: { [core = root.core] in selector(core.read { $0 }) },
            isSame: isSame,
            attach: { [self] observer in attach(observer, selector, isSame) }
        )
    }

    /// What a selector with a memory makes of the state: its value now, and each that differs from the one before.
    ///
    /// The selection has one memory for ``Selection/value``, and one more for each of its observers. Another selection
    /// of the same selector has memories of its own, so no two selections evict each other's values. In a view that is
    /// evaluated often, keep the selection: one that is made inline computes the value once each time it is made.
    @inlinable
    public func select<Value: Equatable & Sendable>(_ selector: Selector<S, Value>) -> Selection<Value> {
        let memory = selector.memoized()
        return Selection(
            mailbox: root.mainMailbox,
            watch: root.watch,
            read: { [core = root.core] in memory(core.read { $0 }) },
            isSame: ==,
            attach: { [self] observer in attach(observer, selector.memoized(), ==) }
        )
    }

    @inlinable
    func attach<Value>(
        _ observer: Observer<Value>,
        _ select: @escaping (S) -> Value,
        _ isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> Registration {
        let selecting = Selecting(observer, select, isSame)
        return root.attach(Observer(observer.cancellation) { selecting.take($0) })
    }
}
