extension EnvIO where Value: Sendable {
    /// A program that waits for a callback: the bridge from code that has no `async`.
    ///
    /// ```swift
    /// let location = EnvIO<Locator, any Error, Location>.async { locator, done in
    ///     locator.request { done($0) }
    /// } onCancel: { request in
    ///     request.cancel()
    /// }
    /// ```
    ///
    /// Each run calls `register` once, where the run is. Its `done` may be called at once or later, on any thread; the
    /// first call counts, and others are ignored. One that is never called leaves the program waiting until it is
    /// cancelled.
    ///
    /// When the run is cancelled before that, `stop` is called once, where the run is, with what `register` returned,
    /// and the program ends as cancelled without waiting for the callback. After the program has ended otherwise, it is
    /// not called.
    @inlinable
    public static func async<Request>(
        callback register:
            @escaping @Sendable (Environment, _ done: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Request,
        onCancel stop: @escaping @Sendable (Request) -> Void = { _ in }
    ) -> EnvIO {
        EnvIO(waiting: { heritage, result in
            let answer = Answer<Outcome<Value, Failure>>()
            let request = register(heritage.environment(as: Environment.self)) { result in
                switch result {
                case .success(let value): answer.give(.value(value))
                case .failure(let failure): answer.give(.failure(failure))
                }
            }
            let outcome = await withTaskCancellationHandler {
                await answer.wait()
            } onCancel: {
                answer.give(.cancelled)
            }
            if case .cancelled = outcome { stop(request) }
            return result.put(outcome)
        })
    }

    /// A program that does not end before it is cancelled. In a region that cannot be cancelled it never ends.
    @inlinable
    public static var never: EnvIO {
        .async { _, _ in }
    }
}
