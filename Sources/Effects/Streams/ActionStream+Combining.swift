import FunctionalCore

extension ActionStream {
    /// Returns a stream that is made from two streams. If either stream fails, the returned stream fails and the other
    /// stream is stopped.
    ///
    /// The operators that combine two streams differ only in what they do with values and ends. `first` starts before
    /// `second`, and receives an action before `second` does. If `first` ends the returned stream at once, `second`
    /// does not start.
    ///
    /// - Parameter makeReceivers: Returns the functions that receive the values of the two streams, and `nil` at their
    ///   ends. It is called when the stream starts, so each run has variables of its own.
    static func joining<First, Second>(
        _ first: ActionStream<First>,
        _ second: ActionStream<Second>,
        _ makeReceivers:
            @escaping @Sendable (Subscriber<Output>) -> (first: (First?) -> Void, second: (Second?) -> Void)
    ) -> ActionStream {
        .ending { run, subscriber in
            let receivers = makeReceivers(subscriber)
            // Each stream has a run, so that a listener that it adds later is called in the order of the streams.
            first.start(StreamRun(in: run), subscriber.part(receivers.first))
            if !run.isOver { second.start(StreamRun(in: run), subscriber.part(receivers.second)) }
        }
    }

    /// Returns a stream of the values of this stream and of `other`, as they arrive.
    ///
    /// The returned stream ends when both streams have ended. If either stream fails, the returned stream fails and the
    /// work of the other stream is cancelled.
    public func merge(with other: ActionStream) -> ActionStream {
        .merge([self, other])
    }

    /// Returns a stream of pairs of the latest values of this stream and of `other`.
    ///
    /// The returned stream emits a pair for each value of either stream, as soon as both streams have emitted a value.
    /// An action that both streams receive therefore leads to two pairs, and the first pair contains the older value of
    /// `other`.
    ///
    /// The returned stream ends when both streams have ended, or when either stream ends without a value, because no
    /// pair can follow. If either stream fails, the returned stream fails and the other stream is stopped.
    ///
    /// ```swift
    /// actions.ofType(NameChanged.self).combineLatest(actions.ofType(AmountChanged.self))
    ///     .map { name, amount in FormChanged(name: name.text, amount: amount.value) }
    /// ```
    public func combineLatest<Other>(_ other: ActionStream<Other>) -> ActionStream<(Output, Other)> {
        paired(with: other) { .combineLatest($0) }
    }

    /// Returns a stream of pairs of the first values of this stream and of `other`, of the second values, and so on.
    ///
    /// Values that wait for their partner are kept without a limit: if one stream emits many more values than the other
    /// stream, memory grows. A stream of ``sequence(_:)``, also behind operators such as `map`, is read no further
    /// than its next value, so it may have no end: `zip(.sequence(0...))` numbers the values.
    ///
    /// The returned stream ends when one stream has ended and each of its values has been passed on in a pair. Waiting
    /// values of the other stream are dropped. If either stream fails, the returned stream fails at once and the other
    /// stream is stopped.
    ///
    /// ```swift
    /// actions.ofType(Opened.self).zip(actions.ofType(Closed.self))
    ///     .map { opened, closed in Visit(from: opened.date, to: closed.date) }
    /// ```
    public func zip<Other>(_ other: ActionStream<Other>) -> ActionStream<(Output, Other)> {
        paired(with: other) { .zip($0) }
    }

    /// Returns a stream of pairs from an operator that combines an array of streams.
    private func paired<Other>(
        with other: ActionStream<Other>,
        _ combine: ([ActionStream<Either<Output, Other>>]) -> ActionStream<[Either<Output, Other>]>
    ) -> ActionStream<(Output, Other)> {
        combine([map { .left($0) }, other.map { .right($0) }]).compactMap { pair in
            if case .left(let mine) = pair[0], case .right(let others) = pair[1] { (mine, others) } else { nil }
        }
    }

    /// Returns a stream of pairs of each value of this stream and the latest value of `other`.
    ///
    /// Values that arrive before the first value of `other` are dropped. An action that both streams receive is the
    /// latest value of `other` in its own pair.
    ///
    /// The returned stream ends when this stream ends, or when `other` ends without a value, because no pair can
    /// follow. If `other` ends later, its last value is kept. If either stream fails, the returned stream fails and the
    /// other stream is stopped.
    ///
    /// ```swift
    /// actions.ofType(Submit.self).withLatestFrom(actions.ofType(NameChanged.self))
    ///     .map { submit, name in Register(form: submit.form, name: name.text) }
    /// ```
    ///
    /// `withLatestFrom` of RxJS and NgRx returns such pairs, too. In RxSwift, `withLatestFrom` without a closure
    /// returns only the values of `other`.
    public func withLatestFrom<Other>(_ other: ActionStream<Other>) -> ActionStream<(Output, Other)> {
        .joining(other, self) { subscriber in
            var latest: Other?
            return (
                { value in
                    if let value { latest = .some(value) } else if latest == nil { subscriber.complete(nil) }
                },
                { value in
                    guard let value else { return subscriber.complete(nil) }
                    if let latest { subscriber.receive((value, latest)) }
                }
            )
        }
    }

    /// Returns a stream that ends when `other` emits its first value.
    ///
    /// An action that both streams receive ends the returned stream, and is not passed on. The end of `other` is
    /// ignored. If either stream fails, the returned stream fails and the other stream is stopped. Rx calls this
    /// operator `takeUntil`.
    ///
    /// ```swift
    /// actions.ofType(Connect.self).flatMap { connect in
    ///     messages(of: connect.room).prefix(untilOutputFrom: actions.ofType(Disconnect.self))
    /// }
    /// ```
    public func prefix<Other>(untilOutputFrom other: ActionStream<Other>) -> ActionStream {
        .joining(other, self) { subscriber in
            (
                { if $0 != nil { subscriber.complete(nil) } },
                { if let value = $0 { subscriber.receive(value) } else { subscriber.complete(nil) } }
            )
        }
    }

    /// Returns a stream without the values that arrive before the first value of `other`.
    ///
    /// An action that both streams receive is passed on. If `other` ends without a value, the returned stream ends. If
    /// either stream fails, the returned stream fails and the other stream is stopped. Rx calls this operator
    /// `skipUntil`.
    public func drop<Other>(untilOutputFrom other: ActionStream<Other>) -> ActionStream {
        withLatestFrom(other.first()).map { value, _ in value }
    }
}

extension Subscriber {
    /// Returns a subscriber for one of several streams that an operator combines to the stream of this subscriber.
    ///
    /// - Parameter receive: Receives the values, and `nil` at the end. A failure ends the whole stream.
    func part<Part>(_ receive: @escaping (Part?) -> Void) -> Subscriber<Part> {
        Subscriber<Part>(
            receive: { receive(.some($0)) },
            complete: { error in if error == nil { receive(nil) } else { self.complete(error) } }
        )
    }
}
