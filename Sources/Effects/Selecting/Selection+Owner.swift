import ArchitectureEngine
public import FunctionalCore

extension Selection {
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
    ///   - buffering: What happens to values that wait for the main actor. The default
    ///     skips none. A limit of less than 1 traps.
    ///   - body: Called with the owner and each value.
    /// - Returns: The registration, which cancels the observer earlier. It may be dropped.
    @MainActor @discardableResult
    public func observe<Owner: AnyObject>(
        with owner: Owner, buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
        _ body: @escaping @MainActor (Owner, Value) -> Void
    ) -> Registration {
        view.observe(with: owner, buffering: buffering, body)
    }
}
