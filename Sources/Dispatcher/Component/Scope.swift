public import ArchitectureEngine
public import FunctionalCore
public import Observation
public import Optics

/// A function that sends an input to a component. In the turn of the input, the closure is asked whether the part of the
/// input is present. If it returns `false`, the input is dropped.
@usableFromInline
typealias Forward<Input> = @Sendable (Input, _ isPresent: (() -> Bool)?) -> SendTask

/// A view of one part of a component, with an input type of its own.
///
/// ``Component/scope(state:input:)``, ``Component/scope(part:input:)`` and ``Component/scopes(state:input:)`` create
/// scopes. A scope retains the component and reads the state of the component. It stores no state, except for the value
/// of a part that may be absent. It may be created where it is used and need not be stored.
public final class Scope<S: Equatable & Sendable, Input>: Sendable {
    @usableFromInline let view: PartView<S>
    @usableFromInline let forward: Forward<Input>
    /// The id of the row, or `nil` if this is not the scope of a row.
    @usableFromInline let rowID: (any Sendable)?

    @usableFromInline
    init(view: PartView<S>, rowID: (any Sendable)? = nil, forward: @escaping Forward<Input>) {
        self.view = view
        self.rowID = rowID
        self.forward = forward
    }

    /// Sends the component's input for `input`; see ``Component/send(_:)``.
    ///
    /// If the part is absent when the turn of the input comes, for example because its row was removed, the input is
    /// dropped: the component does not process it, and the handle is cancelled.
    @inlinable
    @discardableResult
    public func send(_ input: Input) -> SendTask {
        forward(input, view.isPresent)
    }

    /// Calls `body` with the current value of the part, and then with the new value each time the part changes.
    ///
    /// See ``Component/observe(initial:buffering:_:)``.
    ///
    /// - Parameters:
    ///   - initial: Whether `body` is called with the current value. If it is not, the first call follows the next
    ///     change of the part.
    ///   - buffering: What happens to values that wait for the actor of `body`. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with each value of the part.
    /// - Returns: A registration that cancels the observer.
    @inlinable
    @discardableResult
    public func observe(
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        view.observe(initial: initial, isolation: body.isolation, buffering: buffering, unisolated(body))
    }

    /// Calls `body` on the main actor with `owner` and each value of the part, until `owner` is deallocated.
    ///
    /// `body` is called when the part has changed; see ``observe(initial:buffering:_:)``. In all other respects this
    /// method behaves like ``Component/observe(with:initial:buffering:_:)``.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner,
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, S) -> Void
    ) -> Registration {
        view.observe(with: owner, initial: initial, buffering: buffering, body)
    }

    /// Returns an asynchronous sequence of the current value of the part, and then of each new value that differs from
    /// the previous value; see ``Component/states(buffering:)``.
    public func states(buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded) -> AsyncStream<S> {
        view.values(buffering: buffering)
    }
}

// MARK: - Parts

extension Scope {
    /// Returns a view of a part of this part; see ``Component/scope(state:input:)``.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        state part: any KeyPath<S, Part> & Sendable,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput> {
        Scope<Part, PartInput>(view: view.part(at: part, by: ==)) { [forward] input, isPresent in
            forward(embed(input), isPresent)
        }
    }

    /// Returns a view of a part of this part that may be absent; see ``Component/scope(part:input:)``.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        part: some AffineProtocol<S, Part>,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput>? {
        view.scope(of: part.asAffine, forward, embed)
    }

    /// Returns a scope for each row of a collection in this part; see ``Component/scopes(state:input:)``.
    @inlinable
    public func scopes<Rows, RowInput>(
        state rows: any KeyPath<S, Rows> & Sendable,
        input embed: @escaping @Sendable (Rows.Element.ID, RowInput) -> Input
    ) -> RowScopes<Scope<Rows.Element, RowInput>>
    where
        Rows: RandomAccessCollection & Sendable, Rows.Element: Identifiable & Equatable & Sendable,
        Rows.Element.ID: Sendable
    {
        view.part(at: rows, by: { $0.hasSameIDs(as: $1) }).scopes(forward, embed)
    }
}

extension PartView {
    @inlinable
    func scope<Value: Equatable & Sendable, Input, WholeInput>(
        of part: Affine<Part, Value>, _ forward: @escaping Forward<WholeInput>,
        _ embed: @escaping @Sendable (Input) -> WholeInput
    ) -> Scope<Value, Input>? {
        let find: @Sendable (Part) -> Value? = { part.extract($0) }
        return presentPart(find).map { part in
            Scope(view: part) { input, isPresent in forward(embed(input), isPresent) }
        }
    }
}

extension PartView
where Part: RandomAccessCollection, Part.Element: Identifiable & Equatable & Sendable, Part.Element.ID: Sendable {
    @inlinable
    func scopes<Input, WholeInput>(
        _ forward: @escaping Forward<WholeInput>,
        _ embed: @escaping @Sendable (Part.Element.ID, Input) -> WholeInput
    ) -> RowScopes<Scope<Part.Element, Input>> {
        rows { row, find in
            let id = row.id
            return Scope(view: part(find, first: row), rowID: id) { input, isPresent in
                forward(embed(id, input), isPresent)
            }
        }
    }
}

// MARK: - State

extension Scope: Observable {
    /// The current value of the part.
    ///
    /// While a part of ``Component/scope(part:input:)`` or a row of ``Component/scopes(state:input:)`` is absent, this is
    /// the value that was read or observed last.
    ///
    /// May be read from any thread. Reading it from within a state update traps.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. A tracked read notifies once, when this part
    /// differs from the value that was read. Changes of other parts do not notify. The scope may be created inline:
    ///
    /// ```swift
    /// Text("\(component.scope(state: \.stepper, input: ParentInput.stepper).state.count)")
    /// ```
    ///
    /// The notification arrives after the change, on the main actor. Tracking on the main actor misses no change; see
    /// ``Component/state``.
    ///
    /// - Complexity: O(1), plus the cost of reading the part. While a read is tracked, each change of the state reads
    ///   the part again and compares the two values.
    @inlinable
    public var state: S {
        view.value
    }
}

extension Scope: Identifiable where S: Identifiable {
    /// The id of the part. If this is the scope of a row, reading the id is not tracked, because the id of a row never
    /// changes. Otherwise it is tracked like ``state``.
    @inlinable
    public var id: S.ID { rowID.map { $0 as! S.ID } ?? state.id }
}
