import FunctionalCore

extension ActionStream {
    /// Returns a stream of the values after which no other came for `interval`.
    ///
    /// The end of this stream, also by a failure, comes after the value that is held.
    ///
    /// `clock` measures the interval: a virtual one in tests.
    public func debounce(for interval: Duration, clock: some Clock<Duration> = .continuous) -> ActionStream {
        flatMap(.debounce(for: interval, clock: clock), failsAtOnce: false) { value in .just(value) }
    }

    /// Returns a stream of at most one value in each `interval`: the first at once, and then the last that came during
    /// the interval, or with `latest: false` the first.
    ///
    /// The end of this stream, also by a failure, comes after the value that is held.
    ///
    /// `clock` measures the interval: a virtual one in tests.
    public func throttle(
        for interval: Duration,
        latest: Bool = true,
        clock: some Clock<Duration> = .continuous
    ) -> ActionStream {
        flatMap(.throttle(for: interval, latest: latest, clock: clock), failsAtOnce: false) { value in .just(value) }
    }

    /// Returns a stream of the same values and the same end, also a failure, each `interval` later.
    ///
    /// `clock` measures the interval: a virtual one in tests.
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

    /// What a stream brings.
    private enum Event: Sendable {
        case value(Output)
        case end((any Error)?)
    }
}
