public import FunctionalCore

/// One case of a family that all front doors share: a policy, how the running work ends, and what waits meanwhile.
///
/// `lines(of:)` derives what happens from the documentation of the policies, and not from their implementation. Work 0
/// comes first, and ends two seconds after its start. The others come a second before that end. Work 9 comes when all
/// that has long ended.
public struct PolicyRow: Sendable, CustomStringConvertible {
    public enum Kind: Sendable, CaseIterable {
        case concurrent, queued, latest, first, debounce, throttle, throttleToFirst

        public func policy(_ clock: some Clock<Duration>) -> Policy {
            switch self {
            case .concurrent: .concurrent
            case .queued: .queued
            case .latest: .latest
            case .first: .first
            case .debounce: .debounce(for: .seconds(interval), clock: clock)
            case .throttle: .throttle(for: .seconds(interval), clock: clock)
            case .throttleToFirst: .throttle(for: .seconds(interval), latest: false, clock: clock)
            }
        }
    }

    /// How a work ends.
    public enum End: Sendable, CaseIterable {
        case value, failure
        /// Throws a `CancellationError` without having been cancelled.
        case ownCancellationError
        /// Ends as cancelled by itself.
        case cancelled
        /// Is cancelled by a caller.
        case cancelledByCaller
    }

    /// What differs between the front doors.
    public struct FrontDoor: Sendable {
        /// What a caller can cancel.
        public enum Cancellation: Sendable { case work, submittedWorks, allWorks }

        let cancellation: Cancellation
        let failureStopsAll: Bool
        let acceptsLast: Bool

        public init(cancelling cancellation: Cancellation, failureStopsAll: Bool = false, acceptsLast: Bool = true) {
            self.cancellation = cancellation
            self.failureStopsAll = failureStopsAll
            self.acceptsLast = acceptsLast
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "failure"
    }

    private static let interval = 10
    private static let last = 9

    public let kind: Kind
    public let firstEnd: End
    public let otherCount: Int
    private let otherSeconds: Int

    /// All rows of a policy.
    public static func all(of kind: Kind) -> [PolicyRow] {
        End.allCases.flatMap { end in
            [(0, 0), (1, 0), (1, 2), (3, 0), (3, 2)].map { count, seconds in
                PolicyRow(kind: kind, firstEnd: end, otherCount: count, otherSeconds: seconds)
            }
        }
    }

    public var description: String {
        "\(kind), ends with \(firstEnd), \(otherCount) more of \(otherSeconds) s"
    }

    // MARK: - What the works do

    public func end(of work: Int) -> End { work == 0 ? firstEnd : .value }

    /// The error that a work throws.
    public func error(of work: Int) -> (any Error)? {
        switch end(of: work) {
        case .failure: Failure()
        case .ownCancellationError: CancellationError()
        case .value, .cancelled, .cancelledByCaller: nil
        }
    }

    /// The seconds from the start of a work to its end.
    public func seconds(of work: Int) -> Int {
        if work != 0 { return otherSeconds }
        return firstEnd == .cancelledByCaller ? 1_000 : 2
    }

    /// Submits and cancels the works.
    ///
    /// - Parameter advance: Lets seconds pass, and all work that is due.
    public func play(submit: (Int) -> Void, cancelFirst: () -> Void, advance: (_ seconds: Int) -> Void) {
        submit(0)
        advance(firstStart + 1)
        for other in others {
            submit(other)
            advance(0)
        }
        advance(1)
        if firstEnd == .cancelledByCaller { cancelFirst() }
        advance(100 - firstStart - 2)
        submit(Self.last)
        advance(100)
    }

    // MARK: - What is expected

    private var firstStart: Int { kind == .debounce ? Self.interval : 0 }

    private var others: Range<Int> { 1..<1 + otherCount }

    /// The other works that start, and when.
    private var otherStarts: [(work: Int, time: Int)] {
        switch kind {
        case .concurrent, .latest: others.map { ($0, firstStart + 1) }
        case .queued: others.map { ($0, firstStart + 2 + ($0 - 1) * otherSeconds) }
        case .first: []
        case .debounce: others.suffix(1).map { ($0, firstStart + 1 + Self.interval) }
        case .throttle: others.suffix(1).map { ($0, Self.interval) }
        case .throttleToFirst: others.prefix(1).map { ($0, Self.interval) }
        }
    }

    /// Whether the failure of the first work ends all others.
    public func failureStopsAll(_ frontDoor: FrontDoor) -> Bool {
        guard frontDoor.failureStopsAll, !isFirstReplaced else { return false }
        return firstEnd == .failure || firstEnd == .ownCancellationError
    }

    /// Whether all of the first works have ended when a caller cancels.
    public var endsBeforeCancellation: Bool { isFirstReplaced && otherSeconds == 0 }

    /// Whether a caller cancels more than the first work.
    private func cancellationStopsOthers(_ frontDoor: FrontDoor) -> Bool {
        firstEnd == .cancelledByCaller && frontDoor.cancellation != .work
    }

    private var isFirstReplaced: Bool { kind == .latest && otherCount > 0 }

    /// The starts, values and failures, in order.
    public func lines(of frontDoor: FrontDoor) -> [String] {
        let firstEndTime = firstStart + 2
        var events: [(time: Int, text: String)] = [(firstStart, "0 starts")]
        switch firstEnd {
        case _ where isFirstReplaced: break
        case .value: events.append((firstEndTime, "0 ends"))
        case .failure: events.append((firstEndTime, "\(Failure())"))
        case .ownCancellationError: events.append((firstEndTime, "\(CancellationError())"))
        case .cancelled, .cancelledByCaller: break
        }
        let isStopped = failureStopsAll(frontDoor) || cancellationStopsOthers(frontDoor)
        for (work, start) in otherStarts {
            let isReplaced = kind == .latest && otherSeconds > 0 && work != otherCount
            let times = [(start, "\(work) starts")] + (isReplaced ? [] : [(start + otherSeconds, "\(work) ends")])
            events += times.filter { !isStopped || $0.0 < firstEndTime }
        }
        let isLastRefused =
            failureStopsAll(frontDoor) || cancellationStopsOthers(frontDoor) && frontDoor.cancellation == .allWorks
        if frontDoor.acceptsLast, !isLastRefused {
            let start = 100 + firstStart
            events += [(start, "\(Self.last) starts"), (start + otherSeconds, "\(Self.last) ends")]
        }
        // At one time, a work ends before the next one starts.
        return events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map { "\($0.element.text) at \($0.element.time)" }
    }
}

/// The works of a row on a clock: what they do, and a log of it.
public struct PolicyRun: Sendable {
    public let row: PolicyRow
    public let log = Log()
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    public init(_ row: PolicyRow, on clock: some Clock<Duration>) {
        self.row = row
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    public func write(_ text: String) { log.append("\(text) at \(elapsed().components.seconds)") }

    public func start(_ work: Int) { write("\(work) starts") }

    public func end(_ work: Int) { write("\(work) ends") }

    /// Waits as long as a work takes, and throws its error.
    public func finish(_ work: Int) async throws {
        if row.seconds(of: work) > 0 { try await sleep(.seconds(row.seconds(of: work))) }
        if let error = row.error(of: work) { throw error }
    }

    /// Returns a sequence that has one element when a work is finished.
    public func sequence<Element: Sendable>(of element: Element, by work: Int) -> AsyncThrowingStream<
        Element, any Error
    > {
        let hasEnded = Guarded(false)
        start(work)
        return AsyncThrowingStream {
            if hasEnded.value { return nil }
            hasEnded.value = true
            try await finish(work)
            return element
        }
    }
}
