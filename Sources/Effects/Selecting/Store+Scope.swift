public import ArchitectureEngine
public import FunctionalCore
public import Optics

extension Store {
    /// Returns a selection of the part of the state at a key path, for a feature that uses this part.
    ///
    /// The scope may be created inline, and retains the store. Its tracked reads and its observers are notified only if
    /// the part changes. To make a scope of the whole state, for example in a preview of a feature, pass `\.self`.
    ///
    /// - Complexity: O(1). After each action, each observer reads the part and compares it with the previous value.
    @inlinable
    public func scope<Part: Equatable & Sendable>(state path: any KeyPath<S, Part> & Sendable) -> Selection<Part> {
        selection(==) { { $0[keyPath: path] } }
    }

    /// Returns a selection of a part of the state that may be absent, such as an optional, an element of a collection or a
    /// case of an enum. Returns `nil` if the part is absent now.
    ///
    /// `withObservationTracking` tracks whether the part is present. A view that creates the scope in its body is
    /// therefore evaluated again when the part appears or disappears.
    ///
    /// ```swift
    /// if let row = store.scope(part: Lens(\App.todos).element(id: 3)) {
    ///     row.select(\.isDone).observe { isDone in print("done: \(isDone)") }
    /// }
    /// ```
    ///
    /// While the part is absent, observers of the scope are not notified, and ``Selection/value`` is the value that
    /// was read or observed last. An observer that is registered then is called with this value. When the part is present
    /// again, the scope continues with it. If the part is `Identifiable`, a part with another id counts as absent.
    ///
    /// - Complexity: The cost of reading the optic's part: O(n) in the number of elements for `element(id:)` of an array.
    ///   After each action, each observer and each tracked read of the scope reads the part again. For the rows of a
    ///   list, use ``scopes(state:)``.
    /// - Parameter part: A prism, or another optic whose part may be absent.
    @inlinable
    public func scope<Part: Equatable & Sendable>(part: some AffineProtocol<S, Part>) -> Selection<Part>? {
        let part = part.asAffine
        return view.presentPart { part.extract($0) }.map { Selection($0, of: self) }
    }

    /// Returns a scope for each row of a collection, for example for the `ForEach` of a list.
    ///
    /// ```swift
    /// ForEach(store.scopes(state: \.todos)) { todo in TodoView(todo: todo) }
    /// // in TodoView: todo.dispatch(action: TodoToggled(id: todo.id))
    /// ```
    ///
    /// The actions of a row are those of the store, and contain the id. An action for a row that is gone is dispatched,
    /// and ``forEach(_:id:use:)`` ignores it. The ids must differ.
    ///
    /// A view that calls this in its body tracks only the ids: it is evaluated again when rows are added, removed or
    /// moved. A view that reads ``Selection/value`` of a row is evaluated again when this row changes. So read a row
    /// in a view of its own.
    ///
    /// The result has the rows of this moment, and makes a scope when an element is accessed. A scope belongs to the id
    /// of its row. If the row is gone, the scope is like that of an absent part; see ``scope(part:)``.
    ///
    /// The result keeps its rows. So the next action that changes them copies the collection once.
    ///
    /// - Complexity: O(n) for each action while the call, or a row that is gone, is tracked, to compare the ids. A row
    ///   is found in O(1). After rows have moved, the first row that is read takes O(n).
    /// - Parameter rows: The key path to the rows. If it is not a stored property, each tracked row evaluates it after
    ///   each action.
    @inlinable
    public func scopes<Rows>(
        state rows: any KeyPath<S, Rows> & Sendable
    ) -> RowScopes<Selection<Rows.Element>>
    where
        Rows: RandomAccessCollection & Sendable, Rows.Element: Identifiable & Equatable & Sendable,
        Rows.Element.ID: Sendable
    {
        // Not through `view`, which would copy the whole state for each row.
        runtime.view(of: rows, by: { $0.hasSameIDs(as: $1) }, retaining: self).scopes(of: self)
    }
}
