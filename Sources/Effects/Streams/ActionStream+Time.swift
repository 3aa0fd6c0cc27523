import ArchitectureEngine
import FunctionalCore

extension ActionStream {
    /// Returns a stream of the values that are followed by a pause of at least `interval`.
    ///
    /// Each value is passed on at the end of the pause. If this stream ends or fails, the returned stream first passes
    /// on the value that it holds. If the clock throws, the stream fails.
    ///
    /// The operator holds back values, and cancels nothing. If `flatMap(.latest)` follows, the request for an earlier
    /// value continues during the pause, and its answer is emitted. To cancel the request as soon as a newer value
    /// arrives, wait in the request itself instead:
    ///
    /// ```swift
    /// actions.ofType(Search.self).flatMap(.latest) { search in
    ///     try await clock.sleep(for: .milliseconds(300))
    ///     return Found(results: try await results(search.text))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: The length of the pause.
    ///   - clock: The clock that measures the pause. Tests can pass a virtual clock.
    public func debounce(for interval: Duration, clock: some Clock<Duration> = .continuous) -> ActionStream {
        flatMap(.debounce(for: interval, clock: clock), failsAtOnce: false) { value in .just(value) }
    }

    /// Returns a stream of at most one value in each `interval`.
    ///
    /// The first value is passed on at once, and starts an interval. When the interval is over, one of the values that
    /// arrived meanwhile is passed on, and starts another interval. If no value has arrived, the next value is again
    /// passed on at once, and starts an interval.
    ///
    /// If this stream ends or fails, the returned stream first passes on the value that it holds. If the clock throws,
    /// the stream fails.
    ///
    /// - Parameters:
    ///   - interval: The length of the intervals.
    ///   - latest: `true` to pass on the last value that arrived during an interval, `false` to pass on the first.
    ///   - clock: The clock that measures the interval. Tests can pass a virtual clock.
    public func throttle(
        for interval: Duration,
        latest: Bool = true,
        clock: some Clock<Duration> = .continuous
    ) -> ActionStream {
        flatMap(.throttle(for: interval, latest: latest, clock: clock), failsAtOnce: false) { value in .just(value) }
    }

    /// Returns a stream that passes on each value of this stream, and its end, `interval` later.
    ///
    /// A failure is delayed, too, so the values before it are passed on. If the clock throws, the stream fails.
    ///
    /// - Parameters:
    ///   - interval: The length of the delay.
    ///   - clock: The clock that measures the delay. Tests can pass a virtual clock.
    public func delay<C: Clock<Duration>>(for interval: Duration, clock: C = .continuous) -> ActionStream {
        let events: ActionStream<Event> = lift { subscriber in
            Subscriber(
                receive: { subscriber.receive(.value($0)) },
                complete: { error in
                    subscriber.receive(.end(error))
                    subscriber.complete(nil)
                }
            )
        }
        let interval = interval.limited
        return
            events
            .map { event in (event, deadline: clock.now.advanced(by: interval)) }
            .flatMap(.queued) { event, deadline in
                ActionStream<Event>(as: .delay) {
                    // The clock may have gone back since the event.
                    try await clock.tracedSleep(until: min(deadline, clock.now.advanced(by: interval)))
                    return event
                }
            }
            .lift { subscriber in
                Subscriber(
                    receive: { event in
                        switch event {
                        case .value(let value): subscriber.receive(value)
                        case .end(let error): subscriber.complete(error)
                        }
                    },
                    complete: subscriber.complete
                )
            }
    }

    /// An event of a stream: a value, or the end with the error if there is one.
    private enum Event: Sendable {
        case value(Output)
        case end((any Error)?)
    }

    /// Returns a stream that ends or fails if this stream emits no value for `interval`.
    ///
    /// The time is measured from the start of the stream to its first value, and then from each value to the next
    /// value. When the time is over, this stream is stopped. If the clock throws, the stream fails.
    ///
    /// To limit the time of a request, apply this method to the stream that the closure of `flatMap` returns:
    ///
    /// ```swift
    /// actions.ofType(GetPost.self).flatMap { get in
    ///     ActionStream<any Action> { try await getPost(get.id) }
    ///         .timeout(.seconds(10), customError: { TooSlow() })
    ///         .replaceError(with: GetPostError())
    /// }
    /// ```
    ///
    /// A running timeout is not counted as finite work: ``Store/settled()`` waits for the request, and not for the
    /// timeout of a stream that only listens. One task waits for the clock: a value costs O(1), and starts no task.
    ///
    /// - Parameters:
    ///   - interval: The longest time without a value.
    ///   - clock: The clock that measures the time. Tests can pass a virtual clock.
    ///   - customError: Returns the error with which the stream fails. If it is `nil`, the stream ends instead.
    public func timeout<C: Clock<Duration>>(
        _ interval: Duration,
        clock: C = .continuous,
        customError: (@Sendable () -> any Error)? = nil
    ) -> ActionStream {
        let interval = interval.limited
        return .ending { run, subscriber in
            // A value moves the deadline. One task waits for it, however many values there are.
            let deadline = Locked(clock.now.advanced(by: interval))
            let silence = ActionStream<Never>(task: .timeout) { run, silence, progress in
                progress.pause()
                var isWanted = true
                while isWanted, !run.isOver {
                    let current = deadline.withLock { $0 }
                    // The clock may have gone back since the last value.
                    try await clock.tracedSleep(until: min(current, clock.now.advanced(by: interval)))
                    isWanted = await run.performAndWait {
                        if deadline.withLock({ $0 }) == current { silence.complete(customError?()) }
                    }
                    // The deadline does not move after the stream has ended.
                    if isWanted, deadline.withLock({ $0 }) == current { return true }
                }
                return false
            }
            silence.start(run, Subscriber(receive: { _ in }, complete: subscriber.complete))
            start(
                run,
                Subscriber(
                    receive: { value in
                        if run.isOver { return }
                        // The previous instant is released outside of the lock, because it may be of any type.
                        var next = clock.now.advanced(by: interval)
                        deadline.withLock { swap(&$0, &next) }
                        subscriber.receive(value)
                    },
                    complete: subscriber.complete
                )
            )
        }
    }
}

extension ActionStream<Int> {
    /// Returns a stream of the numbers 0, 1, 2, and so on, one after each `period`.
    ///
    /// The stream has no end: limit it, for example by ``ActionStream/prefix(untilOutputFrom:)``. The periods are
    /// measured from the start of the stream, so delays do not add up. If a number is late by more than a period, for
    /// example because the computer slept, the stream does not catch up: the next number comes a period later. The
    /// stream is not counted as finite work. If the clock throws, the stream fails. Traps if `period` is not positive.
    /// The name comes from Rx; in Combine it is `Timer.publish(every:)`.
    ///
    /// ```swift
    /// actions.ofType(Opened.self).flatMap(.latest) { _ in
    ///     ActionStream.interval(.seconds(30), clock: clock)
    ///         .map { _ in Refresh() }
    ///         .prefix(untilOutputFrom: actions.ofType(Closed.self))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - period: The time between two numbers, and before the first number.
    ///   - clock: The clock that measures the time. Tests can pass a virtual clock.
    public static func interval(_ period: Duration, clock: some Clock<Duration> = .continuous) -> ActionStream {
        if period <= .zero {
            programmerError(
                """
                ActionStream.interval cannot emit a number every \(period). To fix, pass a positive period.
                """)
        }
        let period = period.limited
        return ActionStream { run, subscriber in
            let begin = clock.now
            let ticks = ActionStream(task: .interval) { run, subscriber, progress in
                progress.pause()
                var (number, deadline) = (0, begin.advanced(by: period))
                var isWanted = true
                while isWanted {
                    try await clock.tracedSleep(until: deadline)
                    let current = number
                    number += 1
                    isWanted = await run.performAndWait { subscriber.receive(current) }
                    deadline = clock.deadline(after: deadline, by: period)
                }
                return false
            }
            ticks.start(run, subscriber)
        }
    }
}
