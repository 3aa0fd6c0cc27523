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

    /// What a selector with a memory makes of the state; each that observes has a memory of its own.
    @inlinable
    public func select<Value: Equatable & Sendable>(_ selector: Selector<S, Value>) -> Selection<Value> {
        Selection(
            mailbox: root.mainMailbox,
            watch: root.watch,
            read: { [core = root.core] in selector(core.read { $0 }) },
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
