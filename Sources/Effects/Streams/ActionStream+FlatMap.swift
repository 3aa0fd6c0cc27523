import ArchitectureEngine
public import FunctionalCore

extension ActionStream {
    /// Returns a stream that merges the streams that `transform` returns for each value.
    ///
    /// The inner streams run concurrently: a slow request does not delay the next request. If this stream or an inner
    /// stream fails, the returned stream fails. To continue after the failure of an inner stream, apply
    /// ``replaceError(with:)`` to the inner stream.
    ///
    /// ```swift
    /// actions.ofType(GetPost.self).flatMap(getPostAPI)
    /// ```
    public func flatMap<New>(_ transform: @escaping @Sendable (Output) -> ActionStream<New>) -> ActionStream<New> {
        flatMap(.concurrent, transform)
    }

    /// Returns a stream that merges the streams that `transform` returns for each value, and starts them according to a
    /// policy.
    ///
    /// If this stream or an inner stream fails, the returned stream fails.
    ///
    /// ```swift
    /// actions.ofType(Search.self).flatMap(.latest) { search in results(for: search.text) }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: What happens to a value that arrives while the stream for an earlier value has not ended.
    ///   - transform: Returns the inner stream for a value.
    public func flatMap<New>(
        _ policy: Policy,
        _ transform: @escaping @Sendable (Output) -> ActionStream<New>
    ) -> ActionStream<New> {
        flatMap(policy, failsAtOnce: true, transform)
    }

    /// Returns a stream that merges the streams that `transform` returns for each value, and starts them according to a
    /// policy for values of the same id.
    ///
    /// Values of different ids do not affect one another, as under ``flatMap(_:)-((Output)->ActionStream<New>)``. If
    /// this stream or an inner stream fails, the returned stream fails. `id` is called when a value arrives.
    ///
    /// ```swift
    /// actions.ofType(Save.self).flatMap(.queuedLatest, id: { save in save.file }) { save in saving(save) }
    /// ```
    ///
    /// Memory for an id is released some time after its inner streams have ended, when further ids have arrived. The
    /// idea comes from `groupBy` of Rx.
    ///
    /// - Parameters:
    ///   - policy: What happens to a value that arrives while the stream for an earlier value of its id has not ended.
    ///   - id: Returns the id of a value.
    ///   - transform: Returns the inner stream for a value.
    public func flatMap<New, ID: Hashable & Sendable>(
        _ policy: Policy,
        id: @escaping @Sendable (Output) -> ID,
        _ transform: @escaping @Sendable (Output) -> ActionStream<New>
    ) -> ActionStream<New> {
        flatMap(policy, failsAtOnce: true, key: { [AnyKey(id($0))] }, transform)
    }

    /// Returns the result of `flatMap(_:_:)`, or of `flatMap(_:id:_:)` if there is a `key`. If `failsAtOnce` is
    /// `false`, a failure of this stream is delivered after the values of the inner streams.
    func flatMap<New>(
        _ policy: Policy,
        failsAtOnce: Bool,
        key: (@Sendable (Output) -> [AnyKey])? = nil,
        _ transform: @escaping @Sendable (Output) -> ActionStream<New>
    ) -> ActionStream<New> {
        .ending { run, subscriber in
            let flattening = Flattening(
                run: run, policy: policy, isKeyed: key != nil, failsAtOnce: failsAtOnce, subscriber: subscriber)
            start(
                run,
                Subscriber(
                    receive: { value in flattening.submit(value, for: key?(value) ?? []) { transform(value) } },
                    complete: { flattening.endOuter($0) }
                )
            )
        }
    }

    /// Returns a stream of the results that an `async` function returns for each value, in the order in which they
    /// become available.
    ///
    /// For each value a task calls `transform`. The tasks run concurrently, and are cancelled when the effect ends. If
    /// `transform` throws, the stream fails.
    public func flatMap<New>(
        _ transform: @escaping @Sendable (Output) async throws -> New
    ) -> ActionStream<New> {
        flatMap(.concurrent, transform)
    }

    /// Returns a stream of the results of an `async` function that is called for each value according to a policy.
    ///
    /// For each value a task calls `transform`. The task is cancelled when the effect ends or the policy replaces it.
    /// If `transform` throws, the stream fails. The result and the error of a replaced task are ignored.
    ///
    /// - Parameters:
    ///   - policy: What happens to a value that arrives while `transform` still handles an earlier value.
    ///   - transform: Returns the result for a value.
    public func flatMap<New>(
        _ policy: Policy,
        _ transform: @escaping @Sendable (Output) async throws -> New
    ) -> ActionStream<New> {
        flatMap(policy) { value in ActionStream<New> { try await transform(value) } }
    }

    /// Returns a stream of the results of an `async` function that is called for each value according to a policy for
    /// values of the same id.
    ///
    /// See ``flatMap(_:_:)-(_,(Output)->New)`` and ``flatMap(_:id:_:)-(_,_,(Output)->ActionStream<New>)``.
    ///
    /// - Parameters:
    ///   - policy: What happens to a value that arrives while `transform` still handles an earlier value of its id.
    ///   - id: Returns the id of a value.
    ///   - transform: Returns the result for a value.
    public func flatMap<New, ID: Hashable & Sendable>(
        _ policy: Policy,
        id: @escaping @Sendable (Output) -> ID,
        _ transform: @escaping @Sendable (Output) async throws -> New
    ) -> ActionStream<New> {
        flatMap(policy, id: id) { value in ActionStream<New> { try await transform(value) } }
    }

    /// Returns a stream that merges the asynchronous sequences that `transform` returns for each value.
    ///
    /// For each value a task iterates over the sequence. The tasks run concurrently, and are cancelled when the effect
    /// ends. If `transform` or a sequence throws, the stream fails.
    public func flatMap<Elements: AsyncSequence & SendableMetatype>(
        _ transform: @escaping @Sendable (Output) async throws -> Elements
    ) -> ActionStream<Elements.Element>
    where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
        flatMap(.concurrent, transform)
    }

    /// Returns a stream that merges the asynchronous sequences that `transform` returns for each value, and starts them
    /// according to a policy.
    ///
    /// For each value a task iterates over the sequence. The task is cancelled when the effect ends or the policy
    /// replaces it. If `transform` or a sequence throws, the stream fails. The further elements and the error of a
    /// replaced task are ignored.
    ///
    /// - Parameters:
    ///   - policy: What happens to a value that arrives while the sequence for an earlier value has not ended.
    ///   - transform: Returns the sequence for a value.
    public func flatMap<Elements: AsyncSequence & SendableMetatype>(
        _ policy: Policy,
        _ transform: @escaping @Sendable (Output) async throws -> Elements
    ) -> ActionStream<Elements.Element>
    where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
        flatMap(policy) { value in ActionStream<Elements.Element>(of: { try await transform(value) }) }
    }

    /// Returns a stream that merges the asynchronous sequences that `transform` returns for each value, and starts them
    /// according to a policy for values of the same id.
    ///
    /// See ``flatMap(_:_:)-(_,(Output)->Elements)`` and ``flatMap(_:id:_:)-(_,_,(Output)->ActionStream<New>)``.
    ///
    /// - Parameters:
    ///   - policy: What happens to a value that arrives while the sequence for an earlier value of its id has not ended.
    ///   - id: Returns the id of a value.
    ///   - transform: Returns the sequence for a value.
    public func flatMap<Elements: AsyncSequence & SendableMetatype, ID: Hashable & Sendable>(
        _ policy: Policy,
        id: @escaping @Sendable (Output) -> ID,
        _ transform: @escaping @Sendable (Output) async throws -> Elements
    ) -> ActionStream<Elements.Element>
    where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
        flatMap(policy, id: id) { value in ActionStream<Elements.Element>(of: { try await transform(value) }) }
    }
}

/// The inner streams of one run of a `flatMap`.
///
/// Unchecked: used only while the store processes a message, and one thread at a time processes messages. The timers of
/// the queue fire in messages of the store. Otherwise the fields would race.
private final class Flattening<New: Sendable>: @unchecked Sendable {
    private let run: StreamRun
    private let subscriber: Subscriber<New>
    private let queue: any WorkQueue
    private let policy: Policy
    private let failsAtOnce: Bool
    private var hasOuterEnded = false
    private var outerError: (any Error)?

    /// Creates the state of a run. `subscriber` accepts the end of the stream once, and then also ends `run`.
    init(run: StreamRun, policy: Policy, isKeyed: Bool, failsAtOnce: Bool, subscriber: Subscriber<New>) {
        self.run = run
        self.failsAtOnce = failsAtOnce
        self.subscriber = subscriber
        self.policy = policy
        // Another thread that is ending the run sets its phase before it closes the queue. A second canceller may have
        // returned by then, and nothing may fire afterwards.
        let inTurn: PolicyQueue.Turn = { body in run.host?.perform { if !run.isOver { body() } } }
        if isKeyed {
            let queues = PolicyQueues(policy, executor: run.executor, inTurn: inTurn)
            queue = queues
            run.own(.queues(queues))
        } else {
            let single = PolicyQueue(policy, executor: run.executor, inTurn: inTurn)
            queue = single
            run.own(.queue(single))
        }
    }

    /// Submits the inner stream for a value to the policy. Under `concurrent`, the queue starts the stream at once.
    func submit(_ value: some Sendable, for key: [AnyKey], _ make: @escaping @Sendable () -> ActionStream<New>) {
        let pause = policy.isTimed ? run.trace(.pause) : nil
        pause?.suspend()
        let submission = run.effect?.tracer.flatMap { tracer in
            tracer.submission(of: tracer.part(value), to: policy)
        }
        let host = run.host
        let work = Work(submission)
        // The wait for a clock counts.
        if policy.isTimed, let host { work.activate(in: host.settling) }
        queue.submit(work, for: key, in: host?.currentContext ?? SendContext()) { [self] work, queue, occasion in
            if case .brokenClock(let error) = occasion {
                pause?.fail(error)
                return subscriber.complete(error)
            }
            run.host?.inContext(work.context) { pause.run { start(make, work, queue) } }
            pause?.end()
            // The tasks of the inner stream are counted, so this work is not.
            work.pause()
        }
    }

    private func start(_ make: () -> ActionStream<New>, _ work: Work, _ queue: PolicyQueue) {
        let inner = StreamRun(in: run)
        // The end of the whole stream closes the queue, which cancels `work`. An inner stream that has ended is not
        // cancelled, so that the calls that it has enqueued on an actor are still made.
        work.onCancel { _ in if !inner.isOver { inner.cancel() } }
        var isOpen = true
        make().start(
            inner,
            Subscriber(
                receive: { [self] value in queue.deliver(work) { _ in subscriber.receive(value) } },
                complete: { [self] error in
                    guard isOpen else { return }
                    isOpen = false
                    inner.end()
                    // The failure comes first, because it closes the queue. The end of the work would start the next
                    // work.
                    if let error { subscriber.complete(error) }
                    work.end(in: queue)
                    endIfDone()
                }
            )
        )
    }

    func endOuter(_ error: (any Error)?) {
        hasOuterEnded = true
        outerError = error
        if error != nil, failsAtOnce { subscriber.complete(error) } else { endIfDone() }
    }

    private func endIfDone() {
        if hasOuterEnded, queue.isIdle { subscriber.complete(outerError) }
    }
}
