public import ArchitectureEngine
public import FunctionalCore
public import Observation
public import Optics

/// A view of one part of a store, for a feature that needs neither the rest of the state nor its type.
///
/// ```swift
/// func fontSizes(_ settings: StoreScope<Settings>) -> Selection<String> {
///     settings.dispatch(action: FontSizeChanged(size: 12))
///     return settings.select(\.fontSize).map { "\($0) pt" }
/// }
///
/// let size = fontSizes(store.scope(state: \.settings))
/// ```
///
/// ``Store/scope(state:)``, ``Store/scope(part:)`` and ``Store/scopes(state:)`` create scopes. A scope retains the store
/// and reads the state of the store. It may be created where it is used and need not be stored.
///
/// The actions of a scope are those of its store. Reducers and effects therefore need no scope: ``forKey(_:use:)``,
/// ``forPart(_:use:)`` and ``forEach(_:id:use:)`` apply the reducer of a feature to a part of the state, and
/// ``Effect/contramap(_:)`` gives the feature's effects their part of the environment.
///
/// The idea comes from the Composable Architecture, whose scopes also transform the actions.
public final class StoreScope<S: Equatable & Sendable>: Sendable {
    @usableFromInline let store: any ScopedStore
    @usableFromInline let view: PartView<S>

    /// The id of the row, or `nil` if this is not the scope of a row.
    @usableFromInline let rowID: (any Sendable)?

    @usableFromInline
    init(_ store: any ScopedStore, _ view: PartView<S>, rowID: (any Sendable)? = nil) {
        self.store = store
        self.view = view
        self.rowID = rowID
    }

    /// Dispatches an action to the store; see ``Store/dispatch(action:)``.
    public func dispatch(action: any Action) {
        store.dispatch(action: action)
    }

    /// Registers an effect with the store. It receives all actions of the store; see ``Store/register(_:)``.
    @discardableResult
    public func register(_ effect: Effect<Void>) -> EffectRegistration {
        store.register(effect)
    }
}

/// The methods of a store that do not depend on the type of its state.
@usableFromInline
protocol ScopedStore: AnyObject, Sendable {
    func dispatch(action: any Action)
    func register(_ effect: Effect<Void>) -> EffectRegistration
}

extension Store: ScopedStore {}

// MARK: - The state

extension StoreScope: Observable {
    /// The current value of the part.
    ///
    /// While a part of ``Store/scope(part:)`` or a row of ``Store/scopes(state:)`` is absent, this is the value that was
    /// read or observed last.
    ///
    /// May be read from any thread. Traps if a reducer of the store reads it. `withObservationTracking`, and therefore
    /// SwiftUI, tracks the read, and is notified when this part differs from the value that was read; see
    /// ``Selection/value``.
    @inlinable
    public var state: S {
        view.value
    }

    /// Calls `body` with the current value of the part, and then with each value that differs from the previous value.
    ///
    /// `body` runs in the isolation in which it is formed; see ``Store/observe(initial:buffering:_:)``.
    ///
    /// - Parameters:
    ///   - initial: Whether `body` is called with the current value. If it is not, the first call follows the next
    ///     change of the part.
    ///   - buffering: What happens to values that wait for the actor of `body`. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with each value.
    /// - Returns: The registration of the observer. If it is dropped, the observer is called until the store is
    ///   deallocated.
    @inlinable
    @discardableResult
    public func observe(
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        view.observe(initial: initial, isolation: body.isolation, buffering: buffering, unisolated(body))
    }

    /// Calls `body` on the main actor with `owner` and the current value of the part, and then with each value that
    /// differs from the previous value, until `owner` is deallocated.
    ///
    /// See ``Selection/observe(with:initial:buffering:_:)``.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner,
        initial: Bool = true,
        buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, S) -> Void
    ) -> Registration {
        view.observe(with: owner, initial: initial, buffering: buffering, body)
    }

    /// Returns an asynchronous sequence of the current value of the part, and then of each value that differs from the
    /// previous value.
    ///
    /// The sequence ends when the store is deallocated. Traps if a reducer calls this method.
    ///
    /// - Parameter buffering: What happens to values that are produced faster than they are consumed.
    public func states(buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded) -> AsyncStream<S> {
        view.values(buffering: buffering)
    }
}

// MARK: - Selecting

extension StoreScope {
    /// Returns a selection of the value that `selector` computes from the part; see ``Store/select(_:)-((S)->Value)``.
    @inlinable
    public func select<Value: Equatable & Sendable>(_ selector: @escaping @Sendable (S) -> Value) -> Selection<Value> {
        select(selector, by: ==)
    }

    /// Returns a selection of the value that `selector` computes from the part, compared by `isSame`; see
    /// ``Store/select(_:by:)``.
    @inlinable
    public func select<Value: Sendable>(
        _ selector: @escaping @Sendable (S) -> Value,
        by isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
    ) -> Selection<Value> {
        Selection(view.part(isSame) { selector })
    }

    /// Returns a selection that computes the value of `selector` only if an input differs; see
    /// ``Store/select(_:)-(Selector<S,Value>)``.
    @inlinable
    public func select<Value: Equatable & Sendable>(_ selector: Selector<S, Value>) -> Selection<Value> {
        Selection(view.part(==, memory: selector.memoized))
    }
}

// MARK: - Scopes

extension StoreScope {
    /// Returns a view of a part of this part; see ``Store/scope(state:)``.
    @inlinable
    public func scope<Part: Equatable & Sendable>(state path: any KeyPath<S, Part> & Sendable) -> StoreScope<Part> {
        StoreScope<Part>(store, view.part(==) { { $0[keyPath: path] } })
    }

    /// Returns a view of a part of this part that may be absent; see ``Store/scope(part:)``.
    public func scope<Part: Equatable & Sendable>(part: some AffineProtocol<S, Part>) -> StoreScope<Part>? {
        let part = part.asAffine
        return view.presentPart { part.extract($0) }.map { StoreScope<Part>(store, $0) }
    }

    /// Returns a scope for each row of a collection in this part; see ``Store/scopes(state:)``.
    @inlinable
    public func scopes<Rows>(
        state rows: any KeyPath<S, Rows> & Sendable
    ) -> some RandomAccessCollection<StoreScope<Rows.Element>>
    where
        Rows: RandomAccessCollection & Sendable, Rows.Element: Identifiable & Equatable & Sendable,
        Rows.Element.ID: Sendable
    {
        view.part(at: rows, by: { $0.hasSameIDs(as: $1) }).scopes(of: store)
    }
}

extension StoreScope: Identifiable where S: Identifiable {
    /// The id of the part, for the actions of a row. If this is the scope of a row, reading the id is not tracked,
    /// because the id of a row never changes. Otherwise it is tracked like ``state``.
    @inlinable
    public var id: S.ID { rowID.map { $0 as! S.ID } ?? state.id }
}

extension Store {
    /// Returns a view of the part of the state at a key path.
    ///
    /// The scope may be created inline, and retains the store. Its tracked reads and its observers are notified only if
    /// the part changes. To make a scope of the whole state, for example in a preview of a feature, pass `\.self`.
    ///
    /// - Complexity: O(1). After each action, each observer reads the part and compares it with the previous value.
    @inlinable
    public func scope<Part: Equatable & Sendable>(state path: any KeyPath<S, Part> & Sendable) -> StoreScope<Part> {
        StoreScope<Part>(self, view.part(==) { { $0[keyPath: path] } })
    }

    /// Returns a view of a part of the state that may be absent, such as an optional, an element of a collection or a
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
    /// While the part is absent, observers of the scope are not notified, and ``StoreScope/state`` is the value that
    /// was read or observed last. An observer that is registered then is called with this value. When the part is present
    /// again, the scope continues with it. If the part is `Identifiable`, a part with another id counts as absent.
    ///
    /// - Complexity: The cost of reading the optic's part: O(n) in the number of elements for `element(id:)` of an array.
    ///   After each action, each observer and each tracked read of the scope reads the part again. For the rows of a
    ///   list, use ``scopes(state:)``.
    /// - Parameter part: A prism, or another optic whose part may be absent.
    @inlinable
    public func scope<Part: Equatable & Sendable>(part: some AffineProtocol<S, Part>) -> StoreScope<Part>? {
        let part = part.asAffine
        return view.presentPart { part.extract($0) }.map { StoreScope<Part>(self, $0) }
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
    /// moved. A view that reads ``StoreScope/state`` of a row is evaluated again when this row changes. So read a row
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
    ) -> some RandomAccessCollection<StoreScope<Rows.Element>>
    where
        Rows: RandomAccessCollection & Sendable, Rows.Element: Identifiable & Equatable & Sendable,
        Rows.Element.ID: Sendable
    {
        // Not through `view`, which would copy the whole state for each row.
        runtime.view(of: rows, by: { $0.hasSameIDs(as: $1) }, retaining: self).scopes(of: self)
    }
}

extension PartView
where Part: RandomAccessCollection, Part.Element: Identifiable & Equatable & Sendable, Part.Element.ID: Sendable {
    @inlinable
    func scopes(of store: any ScopedStore) -> LazyMapSequence<Range<Int>, StoreScope<Part.Element>> {
        rows { row, find in StoreScope(store, part(find, first: row), rowID: row.id) }
    }
}
