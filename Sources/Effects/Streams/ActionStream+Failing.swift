extension ActionStream {
    /// This stream; where it fails, it begins anew, at most `count` times.
    ///
    /// Of a store's actions those that come afterwards are seen: what failed is not repeated by itself.
    public func retry(_ count: Int) -> ActionStream {
        let attempt = ActionStream.ending(start)
        return ActionStream { run, subscriber in
            let left = Counter(count)
            // An attempt that fails at once is followed by the next in a loop: that needs no stack.
            var isBeginning = false
            var hasFailed = false
            func begin() {
                isBeginning = true
                repeat {
                    hasFailed = false
                    attempt.start(run, Subscriber(receive: subscriber.receive, complete: complete))
                } while hasFailed && !run.isOver
                isBeginning = false
            }
            func complete(_ error: (any Error)?) {
                guard error != nil, left.value > 0 else { return subscriber.complete(error) }
                left.value -= 1
                if isBeginning { hasFailed = true } else { begin() }
            }
            begin()
        }
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
                        if run.isOver { return }
                        if let error { subscriber.receive(value(error)) }
                        subscriber.complete(nil)
                    }
                )
            )
        }
    }
}
