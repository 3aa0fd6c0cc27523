public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A part of a store's state, which can be read, observed and assigned to properties.
///
/// ```swift
/// store.select(\.title).assign(to: \.text, on: titleLabel).store(in: &registrations)
/// ```
///
/// `select` of a store returns a selection of a value. ``Store/scope(state:)``, ``Store/scope(part:)`` and
/// ``Store/scopes(state:)`` return scopes: selections of a part for a feature, which selects from the part and
/// dispatches actions. The feature needs neither the rest of the state nor its type:
///
/// ```swift
/// func fontSizes(_ settings: Selection<Settings>) -> Selection<String> {
///     settings.dispatch(action: FontSizeChanged(size: 12))
///     return settings.select(\.fontSize).map { "\($0) pt" }
/// }
///
/// let size = fontSizes(store.scope(state: \.settings))
/// ```
///
/// A selection retains the store, and may be created inline where it is used. Its actions are those of the store.
/// Reducers and effects therefore need no scope: ``forKey(_:use:)``, ``forPart(_:use:)`` and ``forEach(_:id:use:)``
/// apply the reducer of a feature to a part of the state, and ``Effect/contramap(_:)`` gives the feature's effects
/// their part of the environment. Scopes come from the Composable Architecture, whose scopes also transform the actions.
///
/// The registrations that ``observe(initial:buffering:_:)`` and `assign(to:on:)` return may be dropped. An observer is then
/// called until the store is deallocated. A property is then set until the store or the target is deallocated.
public final class Selection<Value: Sendable>: Sendable {
    @usableFromInline let view: PartView<Value>
    @usableFromInline let store: any AnyStore
    /// The id of the row, or `nil` if this is not the scope of a row.
    @usableFromInline let rowID: (any Sendable)?

    @usableFromInline
    init(_ view: PartView<Value>, of store: any AnyStore, rowID: (any Sendable)? = nil) {
        self.view = view
        self.store = store
        self.rowID = rowID
    }
}

extension Selection: Observable {
    /// The current value.
    ///
    /// While a part of ``Store/scope(part:)`` or a row of ``Store/scopes(state:)`` is absent, this is the value that was
    /// read or observed last.
    ///
    /// May be read from any thread. Traps if a reducer of the store reads it.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. The code that tracks the read is notified
    /// once, when the value differs from the value that was read. Actions that do not change the value do not notify.
    /// The selection may be created inline:
    ///
    /// ```swift
    /// Text(store.select(\.title).value)
    /// ```
    ///
    /// The notification arrives on the main actor, after the change. Code that tracks the value on the main actor
    /// misses no notification. Code on other threads may miss a notification, and should use ``observe(initial:buffering:_:)``
    /// or ``values(buffering:)``.
    ///
    /// A selection of a ``Selector`` remembers the inputs and the value of the last read, and computes the value only
    /// if an input differs. Threads that read at the same time may each compute the value. Keep the selection to keep
    /// its memory.
    ///
    /// - Complexity: O(1), plus a call of the selector. While a read is tracked, each action calls the selector at most
    ///   once. The tracking of a read ends with its notification.
    public var value: Value {
        view.value
    }

    /// Calls `body` with the current value, and then with each value that differs from the previous value.
    ///
    /// `body` runs in the isolation in which it is formed, as the body of ``Store/observe(initial:buffering:_:)`` does. Calls
    /// are made in order. Traps if a reducer calls this method.
    ///
    /// - Parameters:
    ///   - initial: Whether `body` is called with the current value. If it is not, the first call follows the next
    ///     change of the value.
    ///   - buffering: What happens to values that wait for the actor of `body`. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with each value.
    /// - Returns: The registration of the observer. If it is dropped, the observer is called until the store is
    ///   deallocated.
    @inlinable
    @discardableResult
    public func observe(
        initial: Bool = true,
        buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Value) -> Void
    ) -> Registration {
        view.observe(initial: initial, isolation: body.isolation, buffering: buffering, unisolated(body))
    }

    /// Calls `body` on the main actor with `owner` and the current value, and then with each value that differs from
    /// the previous value, until `owner` is deallocated.
    ///
    /// The owner is not retained, and `body` needs no `[weak self]`. Use this in a view controller:
    ///
    /// ```swift
    /// store.select(\.title).observe(with: self) { controller, title in controller.title = title }
    /// ```
    ///
    /// To set one property of an object, use `assign(to:on:)`. The argument label `with` follows
    /// `subscribe(with:onNext:)` in RxSwift. Traps if a reducer calls this method.
    ///
    /// - Parameters:
    ///   - owner: The object that is passed to `body`. Its lifetime limits that of the observer.
    ///   - initial: Whether `body` is called with the current value.
    ///   - buffering: What happens to values that wait for the main actor. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with the owner and each value.
    /// - Returns: The registration, which cancels the observer earlier. It may be dropped.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner,
        initial: Bool = true,
        buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, Value) -> Void
    ) -> Registration {
        view.observe(with: owner, initial: initial, buffering: buffering, body)
    }

    /// Sets a property to the current value, and then to each value that differs from the previous value.
    ///
    /// The property is set on the actor of the caller, as long as `target` exists. Outside of an actor, call
    /// ``observe(initial:buffering:_:)`` with a closure that captures the target weakly. Traps if a reducer calls this
    /// method.
    ///
    /// ```swift
    /// store.select(\.title).assign(to: \.text, on: titleLabel)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The property to set.
    ///   - target: The object whose property is set. It is not retained.
    ///   - isolation: The actor that sets the property. The default is the actor of the caller.
    /// - Returns: The registration, which ends the assignment when it is cancelled. It may be dropped.
    @discardableResult
    public func assign<Target: AnyObject>(
        to path: ReferenceWritableKeyPath<Target, Value>,
        on target: Target,
        isolation: isolated any Actor = #isolation
    ) -> Registration {
        assign(to: target, isolation) { $0[keyPath: path] = $1 }
    }

    /// Sets an optional property, such as a label's text, to the current value, and then to each value that differs
    /// from the previous value.
    ///
    /// The property is set on the actor of the caller, as long as `target` exists. Outside of an actor, call
    /// ``observe(initial:buffering:_:)`` with a closure that captures the target weakly. Traps if a reducer calls this
    /// method.
    ///
    /// - Parameters:
    ///   - path: The property to set.
    ///   - target: The object whose property is set. It is not retained.
    ///   - isolation: The actor that sets the property. The default is the actor of the caller.
    /// - Returns: The registration, which ends the assignment when it is cancelled. It may be dropped.
    @discardableResult
    public func assign<Target: AnyObject>(
        to path: ReferenceWritableKeyPath<Target, Value?>,
        on target: Target,
        isolation: isolated any Actor = #isolation
    ) -> Registration {
        assign(to: target, isolation) { $0[keyPath: path] = $1 }
    }

    private func assign<Target: AnyObject>(
        to target: Target,
        _ isolation: isolated any Actor,
        _ set: @escaping (Target, Value) -> Void
    ) -> Registration {
        let cancellation = Cancellation()
        // The target is used only in the isolation of the caller, to which it belongs.
        return view.observe(isolation: isolation, buffering: .unbounded, until: cancellation) { [weak target] value in
            if let target { set(target, value) } else { cancellation.cancel() }
        }
    }

    /// Returns an asynchronous sequence of the current value, and then of each value that differs from the previous
    /// value.
    ///
    /// The sequence ends when the store is deallocated. Traps if a reducer calls this method.
    ///
    /// - Parameter buffering: What happens to values that are produced faster than they are consumed.
    public func values(
        buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Value> {
        view.values(buffering: buffering)
    }
}
