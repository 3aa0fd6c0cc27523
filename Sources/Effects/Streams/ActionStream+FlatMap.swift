import ArchitectureEngine
public import FunctionalCore

extension ActionStream {
    /// The values of the streams that `transform` makes of each value, which run at the same time: a slow request does
    /// not hold up the next.
    ///
    /// Where one fails, this stream does; give the inner one ``replaceError(with:)`` to go on.
    ///
    /// ```swift
    /// actions.ofType(GetPost.self).flatMap(getPostAPI)
    /// ```
    public func flatMap<New>(_ transform: @escaping @Sendable (Output) -> ActionStream<New>) -> ActionStream<New> {
        flatMap(.concurrent, transform)
    }

    /// The values of the streams that `transform` makes of each value, which run as `policy` says.
    ///
    /// ```swift
    /// actions.ofType(Search.self).flatMap(.latest) { search in results(for: search.text) }
    /// ```
    public func flatMap<New>(
        _ policy: Policy,
        _ transform: @escaping @Sendable (Output) -> ActionStream<New>
    ) -> ActionStream<New> {
        flatMap(policy, failsAtOnce: true, transform)
    }

    /// Flattens this stream. Unless `failsAtOnce`, its failure comes after the values of the inner streams.
    func flatMap<New>(
        _ policy: Policy,
        failsAtOnce: Bool,
        _ transform: @escaping @Sendable (Output) -> ActionStream<New>
    ) -> ActionStream<New> {
        .ending { run, subscriber in
            let flattening = Flattening(
                run: run, policy: policy, failsAtOnce: failsAtOnce, subscriber: subscriber)
            start(
                run,
                Subscriber(
                    receive: { value in flattening.begin { transform(value) } },
                    complete: { flattening.endOuter($0) }
                )
            )
        }
    }

    /// What the `async` function `transform` makes of each value, as it comes.
    ///
    /// It runs in a task, which is cancelled with the effect; those of several values run at the same time. Where it
    /// throws, this stream fails.
    public func flatMap<New>(
        _ transform: @escaping @Sendable (Output) async throws -> New
    ) -> ActionStream<New> {
        flatMap(.concurrent, transform)
    }

    /// What the `async` function `transform` makes of each value, as it comes, in tasks that run as `policy` says.
    public func flatMap<New>(
        _ policy: Policy,
        _ transform: @escaping @Sendable (Output) async throws -> New
    ) -> ActionStream<New> {
        flatMap(policy) { value in ActionStream<New> { try await transform(value) } }
    }

    /// The elements of the asynchronous sequences that `transform` makes of each value.
    public func flatMap<Elements: AsyncSequence & SendableMetatype>(
        _ transform: @escaping @Sendable (Output) async throws -> Elements
    ) -> ActionStream<Elements.Element>
    where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
        flatMap(.concurrent, transform)
    }

    /// The elements of the asynchronous sequences that `transform` makes of each value, taken as `policy` says.
    public func flatMap<Elements: AsyncSequence & SendableMetatype>(
        _ policy: Policy,
        _ transform: @escaping @Sendable (Output) async throws -> Elements
    ) -> ActionStream<Elements.Element>
    where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
        flatMap(policy) { value in ActionStream<Elements.Element>(of: { try await transform(value) }) }
    }

    /// What the programs that `transform` makes of each value end in.
    public func flatMap<Environment, Failure: Error, New>(
        _ policy: Policy = .concurrent,
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ transform: @escaping @Sendable (Output) -> EnvIO<Environment, Failure, New>
    ) -> ActionStream<New> {
        flatMap(policy) { value in ActionStream<New>(transform(value), in: environment()) }
    }
}

/// The inner streams of one run of a `flatMap`.
///
/// Unchecked: touched while the store handles something; a start that a clock makes enters the store first.
private final class Flattening<New: Sendable>: @unchecked Sendable {
    private let run: StreamRun
    private let subscriber: Subscriber<New>
    private let lane: Lane
    private let isTimed: Bool
    private let failsAtOnce: Bool
    private var hasOuterEnded = false
    private var outerError: (any Error)?

    /// `subscriber` is told of one end, which ends `run` as well.
    init(run: StreamRun, policy: Policy, failsAtOnce: Bool, subscriber: Subscriber<New>) {
        self.run = run
        self.failsAtOnce = failsAtOnce
        self.subscriber = subscriber
        isTimed = policy.isTimed
        lane = Lane(policy, executor: run.executor) { error in
            run.perform { subscriber.complete(error) }
        }
        run.own(lane)
    }

    func begin(_ make: @escaping @Sendable () -> ActionStream<New>) {
        // Until the clock starts it, or the policy drops it and the closure with it.
        let wait = isTimed ? run.host?.beginWork() : nil
        lane.submit { [self] work, lane in
            run.perform { [self] in
                start(make, work, lane)
                wait?.end()
            }
        }
    }

    private func start(_ make: () -> ActionStream<New>, _ work: Work, _ lane: Lane) {
        // Replaced since the lane has started it.
        if work.isSet { return lane.finish(work) }
        let inner = StreamRun(in: run)
        // Closing the lane as the whole ends must not take back what has been handed on.
        work.onCancel { _ in if !inner.isOver { inner.cancel() } }
        var isOpen = true
        make().start(
            inner,
            Subscriber(
                receive: { [self] value in lane.deliver(work) { subscriber.receive(value) } },
                complete: { [self] error in
                    guard isOpen else { return }
                    isOpen = false
                    let isCurrent = !work.isSet
                    inner.end()
                    lane.finish(work)
                    if let error, isCurrent { subscriber.complete(error) } else { endIfDone() }
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
        if hasOuterEnded, lane.isIdle { subscriber.complete(outerError) }
    }
}
