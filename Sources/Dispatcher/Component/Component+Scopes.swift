import ArchitectureEngine
public import FunctionalCore
public import Optics

extension Component {
    /// Returns a view of one part of this component, with an input type of its own.
    ///
    /// ```swift
    /// let stepper = component.scope(state: \.stepper, input: ParentInput.stepper)
    /// stepper.send(.tapIncrement)
    /// ```
    ///
    /// A scope stores no state and registers no observer. It retains the component. Its observers are notified when the
    /// part changes. A scope may be created where it is used and need not be stored, even if SwiftUI or
    /// `withObservationTracking` tracks its ``Scope/state``.
    ///
    /// - Parameters:
    ///   - part: The key path to the part of the state.
    ///   - embed: Returns the component's input for an input of the scope.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        state part: any KeyPath<S, Part> & Sendable,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput> {
        // Not through `forward`, which would be a second closure for each scope.
        Scope(view: runtime.view(of: part, by: ==, retaining: self)) { [self] input, isPresent in
            runtime.send(embed(input), if: isPresent)
        }
    }

    /// Returns a view of a part that may be absent, such as an optional, a case of an enum or an element of a
    /// collection. Returns `nil` if the part is absent now.
    ///
    /// ```swift
    /// if let draft = component.scope(part: Lens(\Screen.draft).some(), input: ScreenInput.draft) {
    ///     draft.send(.titled("Tea"))
    /// }
    /// ```
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks whether the part is present. A view that calls this in
    /// its body is evaluated again when the part appears or disappears.
    ///
    /// While the part is absent, observers of the scope are not notified, and ``Scope/state`` is the value that was
    /// read or observed last. An observer that is registered then is called with this value. An input whose turn comes
    /// is dropped, and its handle is cancelled; see ``Scope/send(_:)``. When the part is present again, the scope
    /// continues with it. If the part is `Identifiable`, a part with another id counts as absent.
    ///
    /// - Complexity: The cost of reading the part through the optic. After each change, each observer and each tracked
    ///   read of the scope reads the part again. For the rows of a list, use ``scopes(state:input:)``.
    /// - Parameters:
    ///   - part: A prism, or another optic whose part may be absent.
    ///   - embed: Returns the component's input for an input of the scope.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        part: some AffineProtocol<S, Part>,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput>? {
        runtime.view(of: \.self, by: { _, _ in false }, retaining: self).scope(of: part.asAffine, forward, embed)
    }

    /// Returns a scope for each row of a collection, for example for the `ForEach` of a list.
    ///
    /// ```swift
    /// ForEach(component.scopes(state: \.rows, input: ScreenInput.row)) { row in RowView(row: row) }
    /// ```
    ///
    /// The input contains the id of the row, as for `forEach(state:input:)` of a dispatcher. The ids must differ: if
    /// rows have the same id, `forEach` changes the first of them, whatever scope the input comes from.
    ///
    /// A view that calls this in its body tracks only the ids: it is evaluated again when rows are added, removed or
    /// moved. A view that reads ``Scope/state`` of a row is evaluated again when this row changes. So read a row in a
    /// view of its own.
    ///
    /// The result has the rows of this moment, and makes a scope when an element is accessed. A scope belongs to the id
    /// of its row. If the row is gone, the scope is like that of an absent part; see ``scope(part:input:)``.
    ///
    /// The result keeps its rows. So the next change of the state copies the collection once.
    ///
    /// - Complexity: O(n) for each change while the call, or a row that is gone, is tracked, to compare the ids. A row
    ///   is found in O(1). After rows have moved, the first row that is read takes O(n).
    /// - Parameters:
    ///   - rows: The key path to the rows. If it is not a stored property, each tracked row evaluates it after each
    ///     change.
    ///   - embed: Returns the component's input for an id and an input of the row. Mostly it is a case of the input.
    @inlinable
    public func scopes<Rows, RowInput>(
        state rows: any KeyPath<S, Rows> & Sendable,
        input embed: @escaping @Sendable (Rows.Element.ID, RowInput) -> Input
    ) -> RowScopes<Scope<Rows.Element, RowInput>>
    where
        Rows: RandomAccessCollection & Sendable, Rows.Element: Identifiable & Equatable & Sendable,
        Rows.Element.ID: Sendable
    {
        runtime.view(of: rows, by: { $0.hasSameIDs(as: $1) }, retaining: self).scopes(forward, embed)
    }

    /// The function that sends the inputs of scopes. It retains the component.
    @inlinable
    var forward: Forward<Input> {
        { [self] input, isPresent in runtime.send(input, if: isPresent) }
    }
}
