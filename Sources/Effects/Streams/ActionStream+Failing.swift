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
        return .restarting(atMost: count) { self }
    }

    /// Returns a stream that runs the stream that `describe` returns. After each failure, it runs another such stream,
    /// at most `count` times.
    ///
    /// - Parameters:
    ///   - count: The maximum number of restarts.
    ///   - onFailure: Called with each error and the number of restarts that remain. The number is `nil` if the
    ///     returned stream fails, too. By default, a trace records each restart.
    ///   - describe: Returns the stream for each attempt.
    static func restarting(
        atMost count: Int,
        onFailure: @escaping @Sendable (any Error, _ left: Int?) -> Void = { error, left in
            if left != nil { Tracer.recovered(from: error, to: ()) { .retry(after: .zero) } }
        },
        _ describe: @escaping @Sendable () -> ActionStream
    ) -> ActionStream {
        ActionStream { run, subscriber in
            // If an attempt fails at once, a loop starts the next attempt: recursion would need stack for each attempt.
            var attempts = (left: count, isStarting: false, hasFailed: false)
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
                guard let error else { return subscriber.complete(nil) }
                attempts.left -= 1
                let left = attempts.left
                onFailure(error, left < 0 ? nil : left)
                if left < 0 { return subscriber.complete(error) }
                if run.isOver { return }
                if attempts.isStarting { attempts.hasFailed = true } else { start() }
            }
            start()
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
