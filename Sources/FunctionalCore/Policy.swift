/// What becomes of work that is asked for while earlier work of the same kind is still going on.
///
/// | policy | the newer one | the earlier one |
/// |---|---|---|
/// | ``concurrent`` | starts at once | goes on |
/// | ``queued`` | waits its turn | goes on |
/// | ``latest`` | starts at once | is cancelled |
/// | ``first`` | is ignored | goes on |
/// | ``debounce(for:clock:)`` | starts when it has been quiet for a while | is cancelled then |
/// | ``throttle(for:latest:clock:)`` | starts when the interval is over | goes on |
///
/// Work that is ignored, or that gives way before it has started, never runs: its handle is cancelled and finished.
/// Under every policy but `concurrent` and `throttle` results arrive in the order in which the work was started: once
/// newer work has begun, nothing comes of the earlier any more.
public struct Policy: Sendable {
    package enum Kind: Sendable {
        case concurrent
        case queued
        case latest
        case first
        case debounce(for: Duration, Stopwatch)
        case throttle(for: Duration, latest: Bool, Stopwatch)

        /// What the clock says, if there is one.
        package var elapsed: Duration {
            switch self {
            case .concurrent, .queued, .latest, .first: .zero
            case .debounce(_, let stopwatch), .throttle(_, _, let stopwatch): stopwatch.elapsed()
            }
        }
    }

    package let kind: Kind

    /// Everything runs at once. A slow one holds up nobody, and its result may come after that of a newer one.
    public static let concurrent = Policy(kind: .concurrent)

    /// Whether a clock starts work that was submitted earlier.
    package var isTimed: Bool {
        switch kind {
        case .concurrent, .queued, .latest, .first: false
        case .debounce, .throttle: true
        }
    }

    /// One at a time, in the order they were asked for. The next starts when the earlier has ended: with a value, with
    /// a failure, or by winding down after it was cancelled.
    public static let queued = Policy(kind: .queued)

    /// The newest replaces the one that runs: that is cancelled, and no result of it arrives any more. The newer does
    /// not wait until the older has wound down.
    public static let latest = Policy(kind: .latest)

    /// While one runs, newer ones are ignored. One asked for while a cancelled one winds down starts after that.
    public static let first = Policy(kind: .first)

    /// Starts what was asked for last, once nothing has been asked for during `interval`.
    ///
    /// What still runs when the newer one starts is cancelled, as under ``latest``; until then it is left alone, its
    /// results being the newest there are. So a search runs when the user pauses, and shows no older answer after a
    /// newer one.
    ///
    /// - Parameters:
    ///   - interval: How long it has to be quiet.
    ///   - clock: What measures the interval; a virtual one in tests.
    public static func debounce(for interval: Duration, clock: some Clock<Duration> = .continuous) -> Policy {
        Policy(kind: .debounce(for: interval.limited, Stopwatch(clock)))
    }

    /// Starts at most one in each `interval`: the first at once, and when the interval is over the one that was asked
    /// for last during it, or with `latest: false` the one that was asked for first. Nothing starts at the end of an
    /// interval in which nothing was asked for.
    ///
    /// What runs is left alone, so that slow work is not cancelled over and over by its successors.
    ///
    /// - Parameters:
    ///   - interval: How long nothing more starts after a start.
    ///   - latest: Whether of those that were asked for meanwhile the last starts then, or the first.
    ///   - clock: What measures the interval; a virtual one in tests.
    public static func throttle(
        for interval: Duration, latest: Bool = true, clock: some Clock<Duration> = .continuous
    ) -> Policy {
        Policy(kind: .throttle(for: interval.limited, latest: latest, Stopwatch(clock)))
    }
}
