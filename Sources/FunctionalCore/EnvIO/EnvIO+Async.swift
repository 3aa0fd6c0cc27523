extension EnvIO where Value: Sendable {
    /// Returns a program that suspends until a callback is called.
    ///
    /// Use it to wrap an API that reports its result to a callback.
    ///
    /// ```swift
    /// let location = EnvIO<Locator, any Error, Location>.async { locator, done in
    ///     locator.request { done($0) }
    /// } onCancel: { request in
    ///     request.cancel()
    /// }
    /// ```
    ///
    /// Each run calls `register` once, in the isolation of the run. If `done` is never called, the program stays
    /// suspended until it is cancelled.
    ///
    /// If the run is cancelled first, the program ends as cancelled without waiting for the callback.
    ///
    /// - Parameters:
    ///   - register: Starts the work. Its second argument, `done`, may be called from any thread, even before
    ///     `register` returns. The first call ends the program; later calls are ignored. The returned value is passed
    ///     to `stop`.
    ///   - stop: Cancels the work. Called once, in the isolation of the run, if the run is cancelled before the first
    ///     call of `done`. Not called otherwise.
    @_alwaysEmitIntoClient
    public static func async<Request>(
        callback register:
            @escaping @Sendable (Environment, _ done: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Request,
        onCancel stop: @escaping @Sendable (Request) -> Void = { _ in }
    ) -> EnvIO {
        EnvIO(waiting: { context, result in
            let end = OneShot<Outcome<Value, Failure>>()
            let request = register(context.environment(as: Environment.self)) { result in
                switch result {
                case .success(let value): end.complete(.value(value))
                case .failure(let failure): end.complete(.failure(failure))
                }
            }
            let outcome = await withTaskCancellationHandler {
                await end.wait()
            } onCancel: {
                end.complete(.cancelled)
            }
            if case .cancelled = outcome { stop(request) }
            return result.put(outcome)
        })
    }

    /// A program that stays suspended until it is cancelled.
    ///
    /// In an uncancellable region it never ends.
    @_alwaysEmitIntoClient
    public static var never: EnvIO {
        .async { _, _ in }
    }
}
