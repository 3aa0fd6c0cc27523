public import ArchitectureEngine

extension ActionStream {
    /// A stream that ends once, also where what it is made of does not: that is stopped then.
    ///
    /// `start` is given a run of its own for what the stream is made of. For operators that may end first.
    static func ending(
        _ start: @escaping @Sendable (StreamRun, Subscriber<Output>) -> Void
    ) -> ActionStream {
        ActionStream { run, subscriber in
            let part = StreamRun(in: run)
            start(
                part,
                Subscriber(
                    receive: { if !part.isOver { subscriber.receive($0) } },
                    complete: { error in
                        if part.isOver { return }
                        part.end()
                        subscriber.complete(error)
                    }
                )
            )
        }
    }

    /// A stream of what `body` makes of each value, by handing on what it wants to.
    ///
    /// Whoever came before in the same stream may have cancelled it, and so may another thread: nothing is called then.
    @inlinable
    func each<New>(
        _ body: @escaping @Sendable (Output, _ next: (New) -> Void) -> Void
    ) -> ActionStream<New> {
        ActionStream<New> { run, subscriber in
            start(
                run,
                Subscriber(
                    receive: { [receive = subscriber.receive] value in if !run.isOver { body(value, receive) } },
                    complete: subscriber.complete)
            )
        }
    }

    /// The values for which `isIncluded` holds.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> ActionStream {
        each { value, next in if isIncluded(value) { next(value) } }
    }

    /// What `transform` makes of each value.
    @inlinable
    public func map<New>(_ transform: @escaping @Sendable (Output) -> New) -> ActionStream<New> {
        each { value, next in next(transform(value)) }
    }

    /// Returns a stream of the property at `path` of each value.
    ///
    /// ```swift
    /// actions.ofType(AskPrice.self).map(\.name)
    /// ```
    ///
    /// This overload gives the type checker the property's type before it checks the operators that follow. Without
    /// it, a chain that ends in `.scan(0, +)` takes seconds where the context does not give the chain's type.
    @inlinable
    public func map<New>(_ path: any KeyPath<Output, New> & Sendable) -> ActionStream<New> {
        each { value, next in next(value[keyPath: path]) }
    }

    /// What `transform` makes of each value, where that is something.
    @inlinable
    public func compactMap<New>(_ transform: @escaping @Sendable (Output) -> New?) -> ActionStream<New> {
        each { value, next in if let new = transform(value) { next(new) } }
    }

    /// Calls `receiveOutput` with each value, which is handed on then.
    ///
    /// `receiveOutput` runs in the isolation that it is formed in: on the main actor in a class of the main actor's, at
    /// once where that is possible and in order always.
    @inlinable
    public func handleEvents(
        @_inheritActorContext receiveOutput: @escaping @Sendable @isolated(any) (Output) -> Void
    ) -> ActionStream {
        let body = unisolated(receiveOutput)
        if let isolation = receiveOutput.isolation { return handleEvents(body, on: isolation) }
        return each { value, next in
            body(value)
            next(value)
        }
    }

    @usableFromInline
    func handleEvents(
        _ body: @escaping @Sendable (Output) -> Void, on isolation: any Actor
    ) -> ActionStream {
        ActionStream { run, subscriber in
            guard let mailbox = run.host?.mainMailbox.counterpart(on: isolation) else { return }
            start(
                run,
                Subscriber(
                    receive: { value in
                        if run.isOver { return }
                        if mailbox.isOpenHere {
                            body(value)
                        } else {
                            mailbox.post { if !run.isCancelled, !run.effect.isOrphan { body(value) } }
                        }
                        subscriber.receive(value)
                    },
                    complete: subscriber.complete
                )
            )
        }
    }

    /// The values of this stream and those of `other`, as they come. It ends when both have ended, and fails when one
    /// does.
    public func merge(with other: ActionStream) -> ActionStream {
        .ending { run, subscriber in
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
        return .ending { run, subscriber in
            let left = Counter(count)
            start(
                run,
                Subscriber(
                    receive: { value in
                        left.value -= 1
                        subscriber.receive(value)
                        if left.value == 0 { subscriber.complete(nil) }
                    },
                    complete: subscriber.complete
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
                        if run.isOver { return }
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
                        if run.isOver { return }
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
    @inlinable
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
