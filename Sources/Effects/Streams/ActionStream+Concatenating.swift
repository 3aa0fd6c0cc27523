extension ActionStream {
    /// Returns a stream that continues with another stream after the end of this stream.
    ///
    /// - Parameter next: Returns the stream that follows. It receives the error if this stream has failed. If it
    ///   returns `nil`, the end or the failure of this stream is passed on.
    func followed(by next: @escaping @Sendable ((any Error)?) -> ActionStream?) -> ActionStream {
        ActionStream { run, subscriber in
            start(
                run,
                Subscriber(
                    receive: subscriber.receive,
                    complete: { error in
                        if run.isOver { return }
                        guard let stream = next(error) else { return subscriber.complete(error) }
                        if !run.isOver { stream.start(run, subscriber) }
                    }
                )
            )
        }
    }

    /// Returns a stream of the values of this stream, and then of `other`.
    ///
    /// `other` starts when this stream has ended. Until then it receives no action of the store. If this stream fails,
    /// `other` does not start. A stream of the store's actions does not end, so append to a stream that is limited, for
    /// example by ``prefix(_:)``.
    public func append(_ other: ActionStream) -> ActionStream {
        followed { error in error == nil ? other : nil }
    }

    /// Returns a stream of the values of this stream, and then of `values`.
    public func append(_ values: Output...) -> ActionStream {
        append(.sequence(values))
    }

    /// Returns a stream of the values of `other`, and then of this stream.
    ///
    /// This stream starts when `other` has ended. Until then it receives no action of the store. If `other` fails, this
    /// stream does not start.
    public func prepend(_ other: ActionStream) -> ActionStream {
        other.append(self)
    }

    /// Returns a stream of `values`, and then of the values of this stream. Rx calls this operator `startWith`.
    ///
    /// ```swift
    /// actions.ofType(Refresh.self).prepend(Refresh())
    ///     .flatMap(.latest) { _ in posts() }
    /// ```
    public func prepend(_ values: Output...) -> ActionStream {
        prepend(.sequence(values))
    }
}
