public import ArchitectureEngine

extension ActionStream {
    /// Returns a stream that ends once, and then stops the streams that it is made of.
    ///
    /// `start` receives a run of its own for these streams. For operators that may end before the streams they are made
    /// of.
    static func ending(
        _ start: @escaping @Sendable (StreamRun, Subscriber<Output>) -> Void
    ) -> ActionStream {
        ActionStream { run, subscriber in
            let part = StreamRun(in: run)
            start(part, subscriber.ending(part))
        }
    }

    /// Returns a stream of the values that a function passes to `next`. The end of this stream is passed on.
    ///
    /// - Parameter makeReceive: Returns the function that receives the values of a run. It is called when the stream
    ///   starts, so each run has variables of its own. The function checks whether the run is over: an earlier operator
    ///   of the same stream, or another thread, may have cancelled it.
    @inlinable
    func transform<New>(
        _ makeReceive: @escaping @Sendable (StreamRun, _ next: @escaping (New) -> Void) -> (Output) -> Void
    ) -> ActionStream<New> {
        ActionStream<New> { run, subscriber in
            start(run, Subscriber(receive: makeReceive(run, subscriber.receive), complete: subscriber.complete))
        }
    }

    /// Returns a stream of the values for which `isIncluded` returns `true`.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> ActionStream {
        transform { run, next in { if !run.isOver, isIncluded($0) { next($0) } } }
    }

    /// Returns a stream of the results of `transform` for each value.
    @inlinable
    public func map<New>(_ transform: @escaping @Sendable (Output) -> New) -> ActionStream<New> {
        self.transform { run, next in { if !run.isOver { next(transform($0)) } } }
    }

    /// Returns a stream of the property at `path` of each value.
    ///
    /// ```swift
    /// actions.ofType(AskPrice.self).map(\.name)
    /// ```
    ///
    /// This overload gives the type checker the property's type before it checks the operators that follow. Without it,
    /// some chains would take seconds to type-check. An example is a chain that ends in `.scan(0, +)`, if neither a
    /// type annotation nor a parameter gives the type of the chain.
    @inlinable
    public func map<New>(_ path: any KeyPath<Output, New> & Sendable) -> ActionStream<New> {
        transform { run, next in { if !run.isOver { next($0[keyPath: path]) } } }
    }

    /// Returns a stream of the results of `transform` that are not `nil`.
    @inlinable
    public func compactMap<New>(_ transform: @escaping @Sendable (Output) -> New?) -> ActionStream<New> {
        self.transform { run, next in { if !run.isOver, let new = transform($0) { next(new) } } }
    }

    /// Returns a stream that calls `receiveOutput` with each value, and then passes the value on.
    ///
    /// `receiveOutput` runs in the isolation in which it is formed, for example on the main actor in a main-actor
    /// class. Without isolation, it runs on the thread that processes the action. Calls are always made in order.
    ///
    /// A call on an actor is enqueued there, and the value is passed on without waiting for the call. A call on the
    /// main actor is made directly if the main thread processes the action. If the store has enqueued earlier calls on
    /// the main actor and these have not ended, this call is enqueued, too.
    @inlinable
    public func handleEvents(
        @_inheritActorContext receiveOutput: @escaping @Sendable @isolated(any) (Output) -> Void
    ) -> ActionStream {
        let body = unisolated(receiveOutput)
        if let isolation = receiveOutput.isolation { return handleEvents(body, on: isolation) }
        return transform { run, next in
            { value in
                if run.isOver { return }
                body(value)
                next(value)
            }
        }
    }

    @usableFromInline
    func handleEvents(
        _ body: @escaping @Sendable (Output) -> Void, on isolation: any Actor
    ) -> ActionStream {
        transform { run, next in
            let actorQueue = run.host?.mainActorQueue.counterpart(on: isolation)
            return { value in
                guard let actorQueue, !run.isOver else { return }
                if actorQueue.isOpenHere {
                    body(value)
                } else {
                    actorQueue.post { if !run.wasCancelled, run.effect?.isOrphan != true { body(value) } }
                }
                next(value)
            }
        }
    }

    /// Returns a stream of the values of this stream and of `other`, as they arrive.
    ///
    /// It ends when both streams have ended. If one of them fails, the returned stream fails, and the work of the other
    /// one is cancelled.
    public func merge(with other: ActionStream) -> ActionStream {
        .ending { run, subscriber in
            var open = 2
            let part = Subscriber<Output>(
                receive: subscriber.receive,
                complete: { error in
                    open -= 1
                    if error != nil || open == 0 { subscriber.complete(error) }
                }
            )
            start(run, part)
            other.start(run, part)
        }
    }

    /// Returns a stream that passes on the first `count` values, and then ends.
    ///
    /// If `count` is not positive, the stream ends without a value.
    public func prefix(_ count: Int) -> ActionStream {
        if count <= 0 { return .empty }
        return .ending { run, subscriber in
            var left = count
            start(
                run,
                Subscriber(
                    receive: { value in
                        left -= 1
                        subscriber.receive(value)
                        if left == 0 { subscriber.complete(nil) }
                    },
                    complete: subscriber.complete
                )
            )
        }
    }

    /// Returns a stream that passes on the first value, and then ends.
    public func first() -> ActionStream {
        prefix(1)
    }

    /// Returns a stream of accumulated results: `combine` is called with the previous result and each value.
    ///
    /// - Parameters:
    ///   - initial: The result that `combine` receives with the first value. It is not emitted.
    ///   - combine: Returns the next result for the previous one and a value.
    public func scan<Result: Sendable>(
        _ initial: Result,
        _ combine: @escaping @Sendable (Result, Output) -> Result
    ) -> ActionStream<Result> {
        transform { run, next in
            var result = initial
            return { value in
                if run.isOver { return }
                result = combine(result, value)
                next(result)
            }
        }
    }

    /// Returns a stream without the values that are the same as the last value that was passed on.
    ///
    /// - Parameter isSame: Returns whether the last value that was passed on and a new value are the same.
    public func removeDuplicates(by isSame: @escaping @Sendable (Output, Output) -> Bool) -> ActionStream {
        transform { run, next in
            var last: Output?
            return { value in
                if run.isOver { return }
                if let last, isSame(last, value) { return }
                last = value
                next(value)
            }
        }
    }

    /// Returns a stream without the values that equal the value before them.
    public func removeDuplicates() -> ActionStream where Output: Equatable {
        removeDuplicates(by: ==)
    }
}

extension Subscriber {
    /// Returns a subscriber that ends `run` at the end of its stream, and then receives nothing.
    func ending(_ run: StreamRun) -> Subscriber {
        Subscriber(
            receive: { [receive] value in if !run.isOver { receive(value) } },
            complete: { [complete] error in
                if run.isOver { return }
                run.end()
                complete(error)
            }
        )
    }
}

extension ActionStream where Output: Action {
    /// Returns a stream of the same actions as `any Action`, the type that an effect emits.
    @inlinable
    public func eraseActionType() -> ActionStream<any Action> {
        map { $0 }
    }
}
