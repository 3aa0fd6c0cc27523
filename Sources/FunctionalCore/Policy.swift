/// A rule that decides what happens to work that is submitted while earlier work is running.
///
/// Dispatchers, effect routes and action streams have policies. A dispatcher submits work for each input, an effect
/// route for each effect, and an action stream for each value.
///
/// | policy | newer work | earlier work |
/// |---|---|---|
/// | ``concurrent`` | starts immediately | continues |
/// | ``concurrent(limit:)`` | starts when fewer than `limit` pieces run | continues |
/// | ``queued`` | starts when the earlier work has ended | continues |
/// | ``queuedLatest`` | the newest starts when the earlier work has ended | continues |
/// | ``latest`` | starts immediately | is cancelled |
/// | ``first`` | is ignored | continues |
/// | ``debounce(for:clock:)`` | starts after an interval without submissions | is cancelled when newer work starts |
/// | ``debounce(for:atMost:clock:)`` | the same, or after a longest wait, but not before the earlier work has ended | continues |
/// | ``throttle(for:latest:clock:)`` | one piece of it starts when the interval is over | continues |
///
/// Work that is ignored, or that is replaced before it has started, never runs. A handle for such work, such as a
/// `SendTask`, reports it as cancelled and finished.
///
/// <doc:Limits> describes what extreme intervals mean, and what happens if a clock throws.
///
/// Under every policy except `concurrent`, `concurrent(limit:)` with a limit above 1, and `throttle`, results arrive in
/// the order in which the work started. Once newer work has started, no result of earlier work arrives.
public struct Policy: Sendable {
    package enum Kind: Sendable {
        case concurrent
        /// At most this number run. With `latest`, only the newest of the others waits.
        case limited(Int, latest: Bool = false)
        case latest
        case first
        /// With `atMost`, the wait is not longer, and running work is not cancelled.
        case debounce(for: Duration, atMost: Duration? = nil, AnyClock)
        case throttle(for: Duration, latest: Bool, AnyClock)

        /// The clock that measures the policy's interval, or `nil` if the policy has no interval.
        package var clock: AnyClock? {
            switch self {
            case .concurrent, .limited, .latest, .first: nil
            case .debounce(_, _, let clock), .throttle(_, _, let clock): clock
            }
        }

        /// The time since the policy was created, measured by its clock. Zero if the policy has no clock.
        package var elapsed: Duration { clock?.elapsed() ?? .zero }
    }

    package let kind: Kind

    /// A policy that runs all work at once.
    ///
    /// Slow work delays no other work. Its result may arrive after the result of newer work.
    public static let concurrent = Policy(kind: .concurrent)

    /// Returns a policy that runs at most `limit` pieces of work at once.
    ///
    /// Work takes its place in the order in which it was submitted. If works end on several threads, the starts of
    /// waiting works may interleave. If `limit` pieces run, further work waits until one of them has ended with a value
    /// or a failure, or has finished unwinding after its cancellation. Results arrive in the order in which the work
    /// ends. Waiting work that is cancelled never starts.
    ///
    /// A piece of work keeps its place until it ends, also during the pauses between its attempts, if it retries.
    ///
    /// If an effect route of a loop cancels an id, or the child of a component is gone that the work belongs to, the places
    /// are free at once, also while the cancelled work unwinds.
    ///
    /// The limit counts for each id, for each place of a dispatcher, and for each element of a `forEach`. For one limit
    /// for all elements, apply the policy to the result of `forEach`.
    ///
    /// The pauses of a retry are a part of the work, so work that waits for its next attempt keeps its place.
    ///
    /// ```swift
    /// downloading.policy(.concurrent(limit: 3))
    /// ```
    ///
    /// - Parameter limit: The greatest number of pieces that run at once. 1 is the same as ``queued``. Traps if it is
    ///   less than 1.
    public static func concurrent(limit: Int) -> Policy {
        checkCount(limit, in: 1...(.max), of: "Policy.concurrent(limit:)")
        return Policy(kind: .limited(limit))
    }

    /// Whether the policy has an interval: `true` for `debounce` and `throttle`.
    package var isTimed: Bool { kind.clock != nil }

    /// A policy that runs one piece of work at a time, in the order in which the work was submitted.
    ///
    /// The next piece starts when the previous piece has ended with a value or a failure. If the previous piece was
    /// cancelled, the next piece starts when the previous piece has finished unwinding. If an effect route of a loop
    /// cancels an id, or a child is gone, the next piece starts at once.
    public static let queued = Policy(kind: .limited(1))

    /// A policy that runs one piece of work at a time, and of the work that waits only the newest.
    ///
    /// Work starts at once if none runs. Otherwise it waits, and replaces the work that waits already. When the running
    /// work has ended, as under ``queued``, the waiting work starts. So of many submissions the last one always runs,
    /// two pieces never overlap, and no running work is cancelled. This suits saves of a whole document, for example:
    ///
    /// ```swift
    /// save.policy(.queuedLatest, id: { input in input.file })
    /// ```
    ///
    /// To wait for a pause as well, use ``debounce(for:atMost:clock:)``. The idea comes from `keepLatest` of
    /// ember-concurrency, and from `conflate` of Kotlin's flows.
    public static let queuedLatest = Policy(kind: .limited(1, latest: true))

    /// A policy that cancels the running work and starts the newest.
    ///
    /// No result of the cancelled work arrives. The newer work does not wait until the cancelled work has finished
    /// unwinding.
    public static let latest = Policy(kind: .latest)

    /// A policy that ignores newer work while work is running.
    ///
    /// If the running work was cancelled and is unwinding, newer work is not ignored: it starts when the unwinding has
    /// finished.
    public static let first = Policy(kind: .first)

    /// Returns a policy that starts the work submitted last, once nothing has been submitted for `interval`.
    ///
    /// When the work starts, it cancels earlier work that is still running, as under ``latest``. Until then, also during
    /// the interval, the earlier work continues and its results arrive, because they are the newest available. A search,
    /// for example, runs when the user pauses, and never shows an older result after a newer one.
    ///
    /// To cancel earlier work as soon as newer work is submitted, use ``latest``, and begin the work with a pause:
    /// `try await clock.sleep(for: .milliseconds(300))`.
    ///
    /// - Parameters:
    ///   - interval: The time without a submission after which the work starts.
    ///   - clock: The clock that measures `interval`. Pass a virtual clock in tests.
    public static func debounce(for interval: Duration, clock: some Clock<Duration> = .continuous) -> Policy {
        Policy(kind: .debounce(for: interval.limited, AnyClock(clock)))
    }

    /// Returns a policy that starts the work submitted last, once nothing has been submitted for `interval`, and at the
    /// latest `longest` after the first submission that waits.
    ///
    /// The policy runs one piece of work at a time, and cancels no running work. If work is due while earlier work
    /// runs, it starts when that has ended, as under ``queuedLatest``. Until then, newer work replaces it, and waits for
    /// a pause, but not beyond the same longest wait. So a document is saved in each pause, it is also saved while its
    /// changes never pause, and slow saves end:
    ///
    /// ```swift
    /// save.policy(.debounce(for: .seconds(1), atMost: .seconds(10), clock: clock))
    /// ```
    ///
    /// `debounce(for:clock:)` cancels running work instead, so that work that takes longer than the pauses may never
    /// end. If `longest` is less than `interval`, it alone counts. If it is zero, the policy is that of
    /// ``queuedLatest``. The idea comes from `maxWait` of Lodash's `debounce`.
    ///
    /// - Parameters:
    ///   - interval: The time without a submission after which the work starts.
    ///   - longest: The longest time between a submission to a policy without waiting work and the next start, unless
    ///     earlier work still runs.
    ///   - clock: The clock that measures the time. Pass a virtual clock in tests.
    public static func debounce(
        for interval: Duration, atMost longest: Duration, clock: some Clock<Duration> = .continuous
    ) -> Policy {
        Policy(kind: .debounce(for: interval.limited, atMost: longest.limited, AnyClock(clock)))
    }

    /// Returns a policy that starts at most one piece of work in each `interval`.
    ///
    /// The first piece starts immediately. If more work is submitted during the interval, one piece of it starts when
    /// the interval is over: the last piece, or the first piece if `latest` is `false`.
    ///
    /// Newer work never cancels running work. Otherwise slow work might never end. Work starts in the order in which it
    /// was submitted.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between the starts of two pieces of work.
    ///   - latest: `true` to start the work submitted last during an interval, `false` to start the work submitted
    ///     first.
    ///   - clock: The clock that measures `interval`. Pass a virtual clock in tests.
    public static func throttle(
        for interval: Duration, latest: Bool = true, clock: some Clock<Duration> = .continuous
    ) -> Policy {
        Policy(kind: .throttle(for: interval.limited, latest: latest, AnyClock(clock)))
    }
}
