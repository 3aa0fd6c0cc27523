public import ArchitectureEngine
public import FunctionalCore

extension Store {
    /// A view of the whole state, which counts as changed after each action.
    @inlinable
    var view: PartView<S> { view({ _, _ in false }, memory: { { $0 } }) }
}

extension PartView {
    /// Returns a view of a value that is computed from this part. `memory` creates the function that computes the
    /// value. `memory` is called once for all reads, and once for each observer.
    ///
    /// For each observer, the value is computed after each action, even if this part has not changed. To detect a
    /// change, the observer would have to retain the previous part. A reducer that changes an array in place would then
    /// copy the array.
    @inlinable
    func part<Value: Sendable>(
        _ isSame: @escaping @Sendable (Value, Value) -> Bool,
        memory: @escaping @Sendable () -> @Sendable (Part) -> Value
    ) -> PartView<Value> {
        let select = memory()
        return PartView<Value>(
            queue: queue, observation: observation, read: { [read] in select(read()) }, isSame: isSame,
            isPresent: isPresent, changeCount: changeCount,
            attach: { [attach] in attach($0.on(memory())) })
    }
}

extension PartView
where Part: RandomAccessCollection, Part.Element: Identifiable & Equatable & Sendable, Part.Element.ID: Sendable {
    /// Returns the scopes of the rows, whose ids are compared by `hasSameIDs(as:)`.
    @inlinable
    func scopes(of store: any AnyStore) -> RowScopes<Selection<Part.Element>> {
        rows { row, find in Selection(part(find, first: row), of: store, rowID: row.id) }
    }
}
