import ArchitectureEngine

extension ActionStream {
    /// A stream of what `body` makes of each value, by handing on what it wants to.
    func each<New>(
        _ body: @escaping @Sendable (Output, Subscriber<New>) -> Void
    ) -> ActionStream<New> {
        ActionStream<New> { run, subscriber in
            start(run, Subscriber(receive: { body($0, subscriber) }, complete: subscriber.complete))
        }
    }

    /// The values for which `isIncluded` holds.
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> ActionStream {
        each { value, next in if isIncluded(value) { next.receive(value) } }
    }

    /// What `transform` makes of each value.
    public func map<New>(_ transform: @escaping @Sendable (Output) -> New) -> ActionStream<New> {
        each { value, next in next.receive(transform(value)) }
    }

    /// What `transform` makes of each value, where that is something.
    public func compactMap<New>(_ transform: @escaping @Sendable (Output) -> New?) -> ActionStream<New> {
        each { value, next in if let new = transform(value) { next.receive(new) } }
    }

    /// Calls `receiveOutput` with each value, which is handed on then.
    ///
    /// `receiveOutput` runs in the isolation that it is formed in: on the main actor in a class of the main actor's, at once
    /// where that is possible and in order always.
    public func handleEvents(
        @_inheritActorContext receiveOutput: @escaping @Sendable @isolated(any) (Output) -> Void
    ) -> ActionStream {
        let body = unisolated(receiveOutput)
        guard let isolation = receiveOutput.isolation else {
            return each { value, next in
                body(value)
                next.receive(value)
            }
        }
        let mailbox = Mailbox(of: isolation)
        return ActionStream { run, subscriber in
            let handle: (Output) -> Void = { value in
                if mailbox.isOpenHere { return body(value) }
                mailbox.post { if !run.isCancelled { body(value) } }
            }
            start(
                run,
                Subscriber(
                    receive: {
                        handle($0)
                        subscriber.receive($0)
                    },
                    complete: subscriber.complete
                )
            )
        }
    }

    /// The values of this stream and those of `other`, as they come. It ends when both have ended, and fails when one does.
    public func merge(with other: ActionStream) -> ActionStream {
        ActionStream { run, subscriber in
            let open = Counter(2)
            let part = Subscriber<Output>(
                receive: subscriber.receive,
                complete: { error in
                    open.value -= 1
                    if error != nil || open.value == 0 { subscriber.complete(error) }
                }
            )
            start(run, part)
            other.start(run, part)
        }
    }

    /// The first `count` values; then the stream ends.
    public func prefix(_ count: Int) -> ActionStream {
        if count <= 0 { return .empty }
        return ActionStream { run, subscriber in
            let left = Counter(count)
            start(
                run,
                Subscriber(
                    receive: { value in
                        if left.value == 0 { return }
                        left.value -= 1
                        subscriber.receive(value)
                        if left.value == 0 { subscriber.complete(nil) }
                    },
                    complete: { error in if left.value > 0 { subscriber.complete(error) } }
                )
            )
        }
    }

    /// The first value; then the stream ends.
    public func first() -> ActionStream {
        prefix(1)
    }

    /// What `combine` makes of each value and of what it made before, beginning with `initial`.
    public func scan<Result: Sendable>(
        _ initial: Result,
        _ combine: @escaping @Sendable (Result, Output) -> Result
    ) -> ActionStream<Result> {
        ActionStream<Result> { run, subscriber in
            var result = initial
            start(
                run,
                Subscriber(
                    receive: { value in
                        result = combine(result, value)
                        subscriber.receive(result)
                    },
                    complete: subscriber.complete
                )
            )
        }
    }

    /// The values for which `isSame` does not hold with the one before.
    public func removeDuplicates(by isSame: @escaping @Sendable (Output, Output) -> Bool) -> ActionStream {
        ActionStream { run, subscriber in
            var last: Output?
            start(
                run,
                Subscriber(
                    receive: { value in
                        if let last, isSame(last, value) { return }
                        last = value
                        subscriber.receive(value)
                    },
                    complete: subscriber.complete
                )
            )
        }
    }

    /// The values that differ from the one before.
    public func removeDuplicates() -> ActionStream where Output: Equatable {
        removeDuplicates(by: ==)
    }
}

extension ActionStream where Output: Action {
    /// The same actions without their type, as an effect wants them.
    public func eraseActionType() -> ActionStream<any Action> {
        map { $0 }
    }
}

/// A number that the closures of one run share.
final class Counter {
    var value: Int

    init(_ value: Int) {
        self.value = value
    }
}
