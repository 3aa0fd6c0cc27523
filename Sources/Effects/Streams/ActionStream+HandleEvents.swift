public import ArchitectureEngine
import FunctionalCore

extension ActionStream {
    /// Returns a stream that calls functions with the events of this stream, and passes the events on.
    ///
    /// ```swift
    /// upload(file).handleEvents(
    ///     receiveCompletion: { error in log(error.map { "failed: \($0)" } ?? "uploaded") },
    ///     receiveCancel: { log("cancelled") })
    /// ```
    ///
    /// A function runs in the isolation in which it is formed, for example on the main actor in a main-actor class.
    /// Without isolation, it runs on the thread that processes the action. Calls are always made in order.
    ///
    /// A call on an actor is enqueued there, and the event is passed on without waiting for the call. A call on the
    /// main actor is made directly if the main thread processes the action. If the store has enqueued earlier calls on
    /// the main actor and these have not ended, this call is enqueued, too. An enqueued call is dropped if the effect
    /// is cancelled or a policy replaces this stream first, except a call of `receiveCancel`.
    ///
    /// - Parameters:
    ///   - receiveOutput: Called with each value, before the value is passed on.
    ///   - receiveCompletion: Called when this stream has ended, with the error if it has failed, or else with `nil`.
    ///   - receiveCancel: Called if this stream is stopped before it has ended. Reasons are a cancelled effect, a
    ///     deallocated store, a later operator that ends, and a policy that replaces the stream. Without isolation, it
    ///     runs on the thread that stops the stream. It is not called if `receiveCompletion` is called or enqueued.
    @inlinable
    public func handleEvents(
        @_inheritActorContext
        receiveOutput: (@Sendable @isolated(any) (Output) -> Void)? = nil,
        @_inheritActorContext
        receiveCompletion: (@Sendable @isolated(any) ((any Error)?) -> Void)? = nil,
        @_inheritActorContext
        receiveCancel: (@Sendable @isolated(any) () -> Void)? = nil
    ) -> ActionStream {
        guard let receiveOutput, receiveCompletion == nil, receiveCancel == nil else {
            return handleEnds(receiveOutput, receiveCompletion, receiveCancel)
        }
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
                    actorQueue.post(as: .effect) { if !run.wasCancelled { body(value) } }
                }
                next(value)
            }
        }
    }

    @usableFromInline
    func handleEnds(
        _ receiveOutput: (@Sendable @isolated(any) (Output) -> Void)?,
        _ receiveCompletion: (@Sendable @isolated(any) ((any Error)?) -> Void)?,
        _ receiveCancel: (@Sendable @isolated(any) () -> Void)?
    ) -> ActionStream {
        let output = receiveOutput.map { unisolated($0) }
        let completion = receiveCompletion.map { unisolated($0) }
        let cancel = receiveCancel.map { unisolated($0) }
        return .ending { run, subscriber in
            guard let mainActorQueue = run.host?.mainActorQueue else { return }
            // One queue for each actor, so that its calls are made in order.
            var queues: [ObjectIdentifier: ActorQueue] = [:]
            func queue(on isolation: (any Actor)?) -> ActorQueue? {
                guard let isolation else { return nil }
                let queue = queues[ObjectIdentifier(isolation)] ?? mainActorQueue.counterpart(on: isolation)
                queues[ObjectIdentifier(isolation)] = queue
                return queue
            }
            func call(on queue: ActorQueue?, _ body: @escaping () -> Void) {
                guard let queue, !queue.isOpenHere else { return body() }
                queue.post(as: .effect) { if !run.wasCancelled { body() } }
            }
            let outputQueue = queue(on: receiveOutput?.isolation)
            let completionQueue = queue(on: receiveCompletion?.isolation)
            let cancelQueue = queue(on: receiveCancel?.isolation)
            // Another thread may cancel the run while the stream ends: the thread that takes this value calls its
            // function.
            let end = Locked<Void?>(())
            run.onEnd {
                guard end.withLock({ $0.take() }) != nil, let cancel else { return }
                if let cancelQueue, !cancelQueue.isOpenHere { cancelQueue.post(as: .effect, cancel) } else { cancel() }
            }
            start(
                run,
                Subscriber(
                    receive: { value in
                        if run.isOver { return }
                        if let output { call(on: outputQueue) { output(value) } }
                        subscriber.receive(value)
                    },
                    complete: { error in
                        if end.withLock({ $0.take() }) == nil { return }
                        if let completion { call(on: completionQueue) { completion(error) } }
                        subscriber.complete(error)
                    }
                )
            )
        }
    }
}
