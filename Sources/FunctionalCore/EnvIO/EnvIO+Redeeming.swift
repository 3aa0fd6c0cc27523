extension EnvIO {
    /// Returns a program that cannot fail. It succeeds with `recover(failure)` if this program fails, and with
    /// `transform(value)` if it succeeds.
    ///
    /// ```swift
    /// let title = load.redeem(recover: { error in "Not available: \(error)" }, map: { page in page.title })
    /// ```
    ///
    /// A cancelled program still ends as cancelled. The result equals `attempt()` with a `map` that switches over the
    /// `Result`. The name comes from cats. In ZIO and Arrow, this operation is `fold`.
    ///
    /// - Parameters:
    ///   - recover: Called once if this program fails.
    ///   - transform: Called once if this program succeeds.
    @_alwaysEmitIntoClient
    public func redeem<NewValue>(
        recover: @escaping @Sendable (Failure) -> NewValue,
        map transform: @escaping @Sendable (Value) -> NewValue
    ) -> EnvIO<Environment, Never, NewValue> {
        map(transform).mapEnd { failure in .init(form: .pure(recover(failure))) }
    }

    /// Returns a program that runs `recover(failure)` if this program fails, and `bind(value)` if it succeeds.
    ///
    /// Unlike `flatMap(bind).handleErrorWith(recover)`, a failure of the program that `bind` returns is not passed to
    /// `recover`.
    ///
    /// ```swift
    /// let user = cached.redeemWith(recover: { _ in loadUser }, bind: { user in refresh(user) })
    /// ```
    ///
    /// A cancelled program still ends as cancelled. The name comes from cats. `foldM` of Bow also passes a
    /// failure of the second program to its first closure.
    ///
    /// - Parameters:
    ///   - recover: Called once if this program fails.
    ///   - bind: Called once if this program succeeds.
    @_alwaysEmitIntoClient
    public func redeemWith<NewFailure: Error, NewValue>(
        recover: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, NewValue>,
        bind: @escaping @Sendable (Value) -> EnvIO<Environment, NewFailure, NewValue>
    ) -> EnvIO<Environment, NewFailure, NewValue> {
        map(bind).mapEnd(isRecorded: false) { failure in .init(form: .pure(recover(failure).replacing(failure))) }
            .flatten()
    }

    /// Returns a program that applies `transformFailure` to a failure of this program, and `transform` to its value.
    ///
    /// ```swift
    /// let age = parsed.bimap({ error in FormError.age(error) }, { number in Age(number) })
    /// ```
    @_alwaysEmitIntoClient
    public func bimap<NewFailure: Error, NewValue>(
        _ transformFailure: @escaping @Sendable (Failure) -> NewFailure,
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> EnvIO<Environment, NewFailure, NewValue> {
        map(transform).mapError(transformFailure)
    }
}
