extension ActionStream {
    /// This stream; where it fails, it begins anew, at most `count` times.
    ///
    /// Of a store's actions those that come afterwards are seen: what failed is not repeated by itself.
    public func retry(_ count: Int) -> ActionStream {
        ActionStream { run, subscriber in begin(run, subscriber, left: count) }
    }

    private func begin(_ run: StreamRun, _ subscriber: Subscriber<Output>, left: Int) {
        let attempt = StreamRun(in: run)
        start(
            attempt,
            Subscriber(
                receive: subscriber.receive,
                complete: { error in
                    attempt.cancel()
                    if error != nil, left > 0 {
                        begin(run, subscriber, left: left - 1)
                    } else {
                        subscriber.complete(error)
                    }
                }
            )
        )
    }

    /// This stream; where it fails, it ends with `value` instead.
    public func replaceError(with value: Output) -> ActionStream {
        replaceError { _ in value }
    }

    /// This stream; where it fails, it ends with what `value` makes of the error instead.
    public func replaceError(_ value: @escaping @Sendable (any Error) -> Output) -> ActionStream {
        ActionStream { run, subscriber in
            start(
                run,
                Subscriber(
                    receive: subscriber.receive,
                    complete: { error in
                        if let error { subscriber.receive(value(error)) }
                        subscriber.complete(nil)
                    }
                )
            )
        }
    }
}
