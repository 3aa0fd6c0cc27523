import ArchitectureEngine
public import FunctionalCore

extension Component {
    /// Calls `body` on the main actor with `owner` and each state, until `owner` is deallocated.
    ///
    /// The owner is not retained, and `body` needs no `[weak self]`. Use this in a view controller:
    ///
    /// ```swift
    /// component.observe(with: self) { controller, forecast in controller.label.text = forecast.city }
    /// ```
    ///
    /// `body` is called with the current state before this returns, unless the component is busy or an earlier call on
    /// the main actor is pending. See ``observe(initial:buffering:_:)`` for when `body` is called with later states.
    /// The argument label `with` follows `subscribe(with:onNext:)` in RxSwift.
    ///
    /// - Parameters:
    ///   - owner: The object that is passed to `body`. Its lifetime limits that of the observer.
    ///   - buffering: What happens to states that wait for the main actor. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with the owner and each state.
    /// - Returns: A registration that cancels the observer earlier.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner, buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, S) -> Void
    ) -> Registration {
        runtime.observe(with: owner, buffering: buffering, body)
    }
}

extension Scope {
    /// Calls `body` on the main actor with `owner` and each value of the part, until `owner` is deallocated.
    ///
    /// `body` is called when the part has changed; see ``observe(initial:buffering:_:)``. In all other respects this
    /// method behaves like ``Component/observe(with:buffering:_:)``.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner, buffering: AsyncStream<S>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, S) -> Void
    ) -> Registration {
        view.observe(with: owner, buffering: buffering, body)
    }
}
