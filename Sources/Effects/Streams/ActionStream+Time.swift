import FunctionalCore

extension ActionStream {
    /// Returns a stream of the values that are followed by a pause of at least `interval`.
    ///
    /// Each value is passed on at the end of the pause. If this stream ends or fails, the returned stream first passes
    /// on the value that it holds. If the clock throws, the stream fails.
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
    /// arrived meanwhile is passed on, and starts another interval. If none has arrived, the next value is again passed
    /// on at once, and starts an interval.
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
        let events = ActionStream<Event> { run, subscriber in
            start(
                run,
                Subscriber(
                    receive: { subscriber.receive(.value($0)) },
                    complete: { error in
                        subscriber.receive(.end(error))
                        subscriber.complete(nil)
                    }
                )
            )
        }
        .map { event in (event, deadline: clock.now.advanced(by: interval)) }
        .flatMap(.queued) { event, deadline in
            ActionStream<Event> {
                try await clock.sleep(until: deadline, tolerance: nil)
                return event
            }
        }
        return .ending { run, subscriber in
            events.start(
                run,
                Subscriber(
                    receive: { event in
                        switch event {
                        case .value(let value): subscriber.receive(value)
                        case .end(let error): subscriber.complete(error)
                        }
                    },
                    complete: subscriber.complete
                )
            )
        }
    }

    /// An event of a stream: a value, or the end with the error if there is one.
    private enum Event: Sendable {
        case value(Output)
        case end((any Error)?)
    }
}
