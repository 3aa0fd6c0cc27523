public import ArchitectureEngine
import FunctionalCore

// An operator returns a selection that retains the store and stores no value of its own. There is no `compactMap`,
// because its selection would have no value while `transform` returns `nil`.

extension Selection where Value: Equatable {
    /// Returns a selection of the value that `transform` computes from this selection's value.
    ///
    /// ```swift
    /// let count = store.select(\.todos).map { todos in todos.count { !$0.isDone } }
    /// ```
    ///
    /// A read of the new selection's ``Selection/value`` calls `transform` only if the value of this selection differs
    /// from that of the previous read. For each observer of the new selection, `transform` is called after each change
    /// of this selection. The observer is notified if the result differs.
    ///
    /// `map` of Combine calls its closure as often, and does not remove duplicates from the results.
    ///
    /// - Parameter transform: Returns the new value. It may be called on any thread.
    @inlinable
    public func map<New: Equatable & Sendable>(_ transform: @escaping @Sendable (Value) -> New) -> Selection<New> {
        let recall = createSelector({ $0 }, transform: transform).memoized()
        return derived(read: { [read = view.read] in recall(read()) }, isSame: ==, { $0.on(transform) })
    }
}

extension Selection {
    /// Returns a selection that notifies of a value only if `isSame` returns `false` for the previous value and this
    /// value.
    ///
    /// ```swift
    /// let steps = store.select(\.settings.fontSize).removeDuplicates { abs($0 - $1) < 2 }
    /// ```
    ///
    /// Observers, assignments, asynchronous sequences and tracked reads are affected. ``Selection/value`` remains the
    /// current value. If ``map(_:)`` follows, a tracked read of its selection is notified whenever the result of `map`
    /// differs. `removeDuplicates(by:)` of Combine treats its values in the same way.
    ///
    /// - Parameter isSame: Returns whether a new value counts as unchanged. The first argument is the last value of
    ///   which the observer was notified. For a tracked read, it is the value that was read.
    @inlinable
    public func removeDuplicates(
        by isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
    ) -> Selection<Value> {
        derived(read: view.read, isSame: { [same = view.isSame] in same($0, $1) || isSame($0, $1) }, { $0 })
    }

    /// Returns a selection that does not notify an observer of its first `count` values.
    ///
    /// By default, an observer is not notified of the value at the time of its registration, but only of changes:
    ///
    /// ```swift
    /// store.select(\.settings.fontSize).dropFirst().observe { size in print("new size: \(size)") }
    /// ```
    ///
    /// Each observer, assignment and asynchronous sequence drops the first values that it would otherwise receive, as
    /// with `dropFirst(_:)` of Combine. ``Selection/value`` and tracked reads are not affected.
    ///
    /// - Parameter count: The number of values to drop. Traps if it is negative.
    public func dropFirst(_ count: Int = 1) -> Selection<Value> {
        checkCount(count, of: "dropFirst of a selection of \(Value.self)")
        return derived(read: view.read, isSame: view.isSame) { $0.dropFirst(count) }
    }

    /// Returns a selection whose observers are notified only after a change of this selection's value.
    ///
    /// - Parameter observer: Converts an observer of the new selection to an observer of this selection.
    @inlinable
    func derived<New: Sendable>(
        read: @escaping @Sendable () -> New, isSame: @escaping @Sendable (New, New) -> Bool,
        _ observer: @escaping @Sendable (Observer<New>) -> Observer<Value>
    ) -> Selection<New> {
        Selection<New>(
            PartView(
                queue: view.queue, observation: view.observation, read: read, isSame: isSame,
                isPresent: view.isPresent, changeCount: view.changeCount,
                attach: { [view] in view.attach(observer($0).onlyChanges(by: view.isSame)) }), of: store)
    }
}
