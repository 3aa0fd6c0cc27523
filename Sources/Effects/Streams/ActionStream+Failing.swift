import FunctionalCore

extension ActionStream {
    /// Returns a stream that restarts this stream when it fails, at most `count` times.
    ///
    /// If the stream fails once more, the returned stream fails. A value that is passed on does not reset the count.
    /// After a restart, the stream receives only later actions of the store: the action at which it failed is not
    /// delivered again. The work of the failed stream is cancelled, and the restart is immediate.
    ///
    /// To retry a single request, apply this method to the stream that the closure of `flatMap` returns.
    ///
    /// To pause between attempts, use the method `retry(_:clock:)` of `EnvIO`, which takes a schedule, and run the
    /// program in the closure of `flatMap`:
    ///
    /// ```swift
    /// actions.ofType(GetPost.self).flatMap { get in
    ///     ActionStream(download(get.id).retry(.spaced(.seconds(1)) && .recurs(3)), in: api)
    /// }
    /// ```
    ///
    /// - Parameter count: The maximum number of restarts. Traps if it is negative.
    public func retry(_ count: Int) -> ActionStream {
        checkCount(count, of: "retry of a stream of \(Output.self)")
        let pause = { @Sendable (error: any Error, failures: Int) -> Duration? in
            failures > count ? nil : Tracer.recovered(from: error, to: .zero) { .retry(after: $0) }
        }
        return .restarting(sleep: { _ in }, pause: pause, { self })
    }

    /// Returns a stream that runs the stream that `describe` returns. After each failure, it pauses, and runs another
    /// such stream.
    ///
    /// - Parameters:
    ///   - sleep: Sleeps during a pause. If it throws, the returned stream fails.
    ///   - pause: Called with each error and the number of failures so far. Returns the pause before the next attempt,
    ///     or `nil` if the returned stream fails, too. A pause of zero ends at once.
    ///   - describe: Returns the stream for each attempt.
    static func restarting(
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        pause: @escaping @Sendable (any Error, _ failures: Int) -> Duration?,
        _ describe: @escaping @Sendable () -> ActionStream
    ) -> ActionStream {
        ActionStream { run, subscriber in
            // If an attempt fails at once, a loop starts the next attempt: recursion would need stack for each attempt.
            var attempts = (failures: 0, isStarting: false, hasFailed: false)
            func start() {
                attempts.isStarting = true
                repeat {
                    attempts.hasFailed = false
                    let attempt = StreamRun(in: run)
                    describe().start(
                        attempt, Subscriber(receive: subscriber.receive, complete: complete).ending(attempt))
                } while attempts.hasFailed
                attempts.isStarting = false
            }
            func complete(_ error: (any Error)?) {
                attempts.failures += 1
                guard let error, let pause = pause(error, attempts.failures) else { return subscriber.complete(error) }
                if run.isOver { return }
                if pause > .zero {
                    let pausing = ActionStream<Void>(as: .pause) { try await sleep(pause) }
                    return pausing.start(run, Subscriber(receive: start) { $0.map(subscriber.complete) })
                }
                if attempts.isStarting { attempts.hasFailed = true } else { start() }
            }
            start()
        }
    }

    /// Returns a stream that ends if this stream fails. The failure is reported as that of the request for `action`.
    func reportingFailure(for action: any Action) -> ActionStream {
        ActionStream { run, subscriber in
            func complete(_ error: (any Error)?) {
                if let error { run.effect?.report(error, .continues, for: action) }
                subscriber.complete(nil)
            }
            start(run, Subscriber(receive: subscriber.receive, complete: complete))
        }
    }

    /// Returns a stream that emits `value` and ends if this stream fails.
    ///
    /// Values that this stream emits before the failure are passed on. If you apply this method to the whole stream of
    /// an effect, a failure ends the effect. To keep the effect running, apply this method to the stream that the
    /// closure of `flatMap` returns.
    public func replaceError(with value: Output) -> ActionStream {
        replaceError { _ in value }
    }

    /// Returns a stream that emits a value for the error and ends if this stream fails.
    ///
    /// Values that this stream emits before the failure are passed on. If you apply this method to the whole stream of
    /// an effect, a failure ends the effect. To keep the effect running, apply this method to the stream that the
    /// closure of `flatMap` returns.
    ///
    /// - Parameter value: Returns the value for the error.
    public func replaceError(_ value: @escaping @Sendable (any Error) -> Output) -> ActionStream {
        followed { $0.map { .just(Tracer.recovered(from: $0, to: value($0)) { .value(TraceValue($0)) }) } }
    }

    /// Returns a stream that continues with another stream if this stream fails.
    ///
    /// Values that this stream emits before the failure are passed on. The other stream may fail, too. To pass on some
    /// of the errors, return `.fail(error)` for them.
    ///
    /// ```swift
    /// download(url).catch { _ in cached(url) }
    /// ```
    ///
    /// - Parameter handler: Returns the stream that follows the failure. It runs on the thread that processes the
    ///   failure.
    public func `catch`(_ handler: @escaping @Sendable (any Error) -> ActionStream) -> ActionStream {
        followed { $0.map { Tracer.recovered(from: $0, to: handler($0)) { _ in .fallback } } }
    }

    /// Returns a stream that fails with the error that `transform` returns for the error of this stream.
    public func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> ActionStream {
        followed { $0.map { .fail(Tracer.recovered(from: $0, to: transform($0)) { .failure(TraceValue($0)) }) } }
    }
}
