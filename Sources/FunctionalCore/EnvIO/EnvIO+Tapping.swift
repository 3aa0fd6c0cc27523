extension EnvIO {
    /// Returns a program that calls `observe` with the value of this program, and succeeds with the same value.
    ///
    /// The run calls `observe` once, directly after this program has succeeded, on the same thread. It is not called
    /// for a failure or a cancellation.
    ///
    /// ```swift
    /// let total = price.tap { price in print("The price is \(price).") }.map { $0 * 2 }
    /// ```
    ///
    /// To run a program with the value, use ``flatTap(_:)``.
    @_alwaysEmitIntoClient
    public func tap(_ observe: @escaping @Sendable (Value) -> Void) -> EnvIO {
        map { value in
            observe(value)
            return value
        }
    }

    /// Returns a program that runs this program and then the result of `next` for its value, and succeeds with the
    /// value of this program.
    ///
    /// The value of the second program is discarded. If the second program fails or ends as cancelled, the whole
    /// program ends in the same way.
    ///
    /// ```swift
    /// let order = buy.flatTap { order in save(order) }  // succeeds with the order
    /// ```
    ///
    /// The name comes from cats.
    @_alwaysEmitIntoClient
    public func flatTap<Ignored>(
        _ next: @escaping @Sendable (Value) -> EnvIO<Environment, Failure, Ignored>
    ) -> EnvIO {
        flatMap { value in next(value).map { [value = Unchecked(value)] _ in value.value } }
    }

    /// Returns a program that calls `observe` with a failure of this program, and fails with the same failure.
    ///
    /// The run calls `observe` once, directly after this program has failed, on the same thread. It is not called for a
    /// value or a cancellation.
    ///
    /// ```swift
    /// let page = download.tapError { error in print("The download failed: \(error)") }.retry(.recurs(3))
    /// ```
    ///
    /// To run a program with the failure, use `handleErrorWith`, and fail with the failure again.
    @_alwaysEmitIntoClient
    public func tapError(_ observe: @escaping @Sendable (Failure) -> Void) -> EnvIO {
        mapEnd(isRecorded: false) { failure in
            observe(failure)
            return .fail(failure)
        }
    }
}
