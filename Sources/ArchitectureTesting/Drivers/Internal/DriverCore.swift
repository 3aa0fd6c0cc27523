import FunctionalCore
import Synchronization
import Testing
import VirtualTime

/// The common implementation of the three test drivers. It records through a trace what happens in its owner (a
/// component, a loop or a store), and compares this with what the test states.
///
/// The owner runs as in production, but on an executor that the test drains, and in virtual time.
final class DriverCore<S: Equatable & Sendable> {
    /// A call of the closure of `eventually`.
    struct Attempt {
        /// Whether the closure has made a statement.
        var hasStatement = false
        /// Whether the statement lacks something that may still come.
        var isLacking = false
        /// Whether `eventually` does not repeat the statement, because the task was cancelled.
        let isLast: Bool
    }

    let time: VirtualScheduler
    let log: DriverLog<S>
    let trace: Trace
    let calls: Recorder?
    let words: DriverWords
    var axes: TestAxes
    /// The state after everything that the test has stated.
    var stated: S
    /// The messages that the test has sent or received, by their numbers.
    var statedMessages: [Int: Sent] = [:]
    /// The messages and changes that came before the expected one or instead of it, in order. An issue has reported
    /// them, so a later statement about one of them passes.
    var reported: [Entry] = []
    /// The effects of the message that was stated last, until the test states them.
    var effects: (values: [any Sendable], of: any Sendable, location: SourceLocation)?
    let origin: SourceLocation
    /// The numbers of the trace's events. No other driver has them, so drivers may share a clock and a recorder.
    let numbers: Range<Int>
    /// Whether the owner was created without the driver's trace, so that the driver cannot see what happens. The driver
    /// then records no further issues.
    var isBlind = false

    /// The causes of the works that `finish` has reported. `nil` before `finish`, and if the driver was used after it.
    private var reportedWork: Set<Int?>? {
        didSet { OpenDrivers.set(reportedWork == nil ? origin : nil, of: numbers.lowerBound >> 32) }
    }
    /// Whether the driver gave up when it last ran jobs, because some work continued without end. It reports this once.
    var isEndless = false
    /// Whether the driver has reported a stopped chain of messages. It then does not report messages and changes that
    /// the test has not stated, because they follow from the chain.
    var hasReportedStop = false
    /// The call of the closure of `eventually` that is under way.
    var attempt: Attempt?
    /// Returns whether no thread processes messages of the owner. If one does, the owner calls the argument in turn.
    var isIdle: (_ orPost: @escaping @Sendable () -> Void) -> Bool = { _ in true }
    /// The number of jobs at one instant after which the driver gives up.
    var patience: Int { isEndless ? 1_000 : 100_000 }

    init(
        _ words: DriverWords, state: S, time: VirtualScheduler, calls: Recorder?, relaxing relaxed: TestAxes,
        origin: SourceLocation,
        isPermanent: @escaping @Sendable (TraceEvent, TraceEvent.Source) -> Bool
    ) {
        self.words = words
        self.time = time
        self.calls = calls
        self.origin = origin
        axes = TestAxes.all.subtracting(relaxed)
        stated = state
        log = DriverLog(time, isPermanent: isPermanent)
        let number = driverCount.add(1, ordering: .relaxed).newValue
        numbers = number << 32..<(number + 1) << 32
        trace = Trace(to: log, clock: time.clock, after: numbers.lowerBound, maximumChain: 10_000)
        calls?.attach(as: number, on: time.executor)
    }

    deinit {
        // The owner has been released. The rest of its cancelled work runs now.
        note(isEndless: !time.drain(atMost: patience), origin)
        calls?.detach(numbers.lowerBound >> 32)
        OpenDrivers.set(nil, of: numbers.lowerBound >> 32)
    }

    /// Restricts the driver to the messages and changes of one owner, and checks how the owner was created. Without
    /// this call, the driver follows all owners that share its trace.
    ///
    /// - Parameter name: The name of the owner in issues, such as "component".
    func follow(_ owner: TraceEvent.Owner?, on executor: (any TaskExecutor)?, name: String) {
        let initial = owner.flatMap { owner in log.withFields { $0.owners[owner] } }
        if let owner, let initial {
            log.withFields { $0.follow(owner) }
            if let initial, !ValueEquality.areEqual(initial, stated) {
                let lines = ValueDiff.difference(from: stated, to: initial).lines
                fail([DriverText.otherInitialState(name, lines)], origin)
                stated = initial
            }
        } else {
            fail([DriverText.withoutTrace(name)], origin)
        }
        if executor as AnyObject? !== time.executor { fail([DriverText.withoutExecutor(name)], origin) }
        isBlind = initial == nil
    }
}

private let driverCount = Atomic<Int>(0)

// MARK: - Running

extension DriverCore {
    var now: Duration { time.clock.now.offset }

    /// Runs the jobs that are ready before a statement compares what has happened; see `run(_:)`. Warns if there was an
    /// arrival meanwhile, unless the statement waits. Reports a second statement in the closure of `eventually`, which
    /// would repeat the first one.
    @discardableResult
    func settle(_ location: SourceLocation) -> Bool {
        if canSee, attempt?.hasStatement == true {
            // Without an attempt, the statement does not wait, and `eventually` returns.
            attempt = nil
            fail([DriverText.severalStatements], location)
        }
        if !run(location) { return false }
        if time.executor.takeInterruption(), attempt == nil { warn(DriverText.interrupted, location) }
        return true
    }

    /// Runs the jobs that are ready, without advancing the time. If the caller is code that the driver runs, records an
    /// issue and returns `false` instead.
    @discardableResult
    func run(_ location: SourceLocation) -> Bool {
        if isNested {
            record([DriverText.nested(words)], location)
            return false
        }
        reportedWork = nil
        attempt?.hasStatement = true
        // Earlier drains are not part of this statement.
        _ = time.executor.takeInterruption()
        note(isEndless: !time.drain(atMost: patience), location)
        return true
    }

    func advance(by duration: Duration, _ location: SourceLocation) {
        if !settle(location) { return }
        if duration < .zero { fail([DriverText.negative(duration)], location) }
        if isEndless { return }
        let target = time.clock.now.advanced(by: duration.limited)
        var reached = time.clock.now
        // The limit counts from each instant that the clock reaches.
        while !time.advance(to: target, atMost: patience) {
            guard time.clock.now > reached else { return note(isEndless: true, location) }
            reached = time.clock.now
        }
        note(isEndless: false, location)
    }

    private func note(isEndless: Bool, _ location: SourceLocation) {
        if isEndless, !self.isEndless {
            fail([DriverText.endless(patience, cancelled: cancelledSleeper())], location)
        }
        self.isEndless = isEndless
        for call in calls?.takeUnstubbedCalls() ?? [] {
            fail([call.failure], isMine(call.call) ? place(call.call.causeID) : call.sourceLocation)
        }
    }

    /// Runs some more jobs. Returns the name of work that meanwhile tried to sleep although it was cancelled, or
    /// `nil` if there was none.
    private func cancelledSleeper() -> String? {
        let count = time.clock.refusals.count
        _ = time.drain(atMost: 1_000)
        let refusals = time.clock.refusals
        return refusals.count > count ? subject(ofTask: refusals.lastCause) : nil
    }

    private func isMine(_ call: RecordedCall) -> Bool { call.causeID.map(numbers.contains) ?? false }

    func finish(_ location: SourceLocation) { finish(location, moment: DriverText.atTheEnd) }

    /// Reports everything that the test has not stated, and the work that is under way. After a stopped chain of
    /// messages, reports only the chain.
    ///
    /// - Parameter known: The causes of works that are not reported again.
    private func finish(_ location: SourceLocation, moment: String, known: Set<Int?> = []) {
        if !settle(location) { return }
        // Another thread processes a message, and the result is unknown.
        if attempt != nil, !isIdle(noteArrivalLater), waits() { return }
        let hasUnstated =
            skip(to: location) { _ in false }
            || log.withFields { $0.failures.contains { !($0.error is Unstubbed) } }
            || axes.contains(.calls) && !leftCalls.isEmpty
        if !hasUnstated, axes.contains(.work), runningWork().contains(where: \.mayEnd), waits() { return }
        skipAll(moment, nil)
        if hasReportedStop {
            forgetAll()
            reportedWork = known
        } else {
            reportRest(except: known)
        }
    }

    private func reportRest(except known: Set<Int?>) {
        let failures = log.withFields { fields in exchange(&fields.failures, with: []) }
        // The call of an unstubbed function has been reported.
        for failure in failures where !(failure.error is Unstubbed) {
            report(DriverText.failed(words, failure.permanent, failure.error), place(failure.cause))
        }
        let left = runningWork().filter { !$0.isPermanent && !known.contains($0.cause) }
        for work in left { report(DriverText.leftover(work, now: now), place(work.cause)) }
        reportCalls()
        reportedWork = Set(left.map(\.cause))
    }

    /// Reports the calls that the test has not expected, at the line of the message that has led to them.
    private func reportCalls() {
        for call in takeCalls() { report(DriverText.unexpected(call), place(call.causeID)) }
    }

    /// The calls that the test has not expected. Calls that were made in another driver with the same recorder are not
    /// included.
    private var leftCalls: [RecordedCall] {
        (calls?.all ?? []).filter { call in call.isLeft && (call.driver == nil || isMine(call)) }
    }

    /// Returns `leftCalls`, and marks them as expected.
    private func takeCalls() -> [RecordedCall] {
        let left = leftCalls
        for call in left { calls?.markAsExpected(call) }
        return left
    }

    /// Counts everything that has happened so far as stated.
    func skipSilently(_ location: SourceLocation) {
        settle(location)
        forgetAll()
    }

    private func forgetAll() {
        forgetEntries()
        log.withFields { $0.failures = [] }
        _ = takeCalls()
    }

    /// Counts all messages and changes so far as stated.
    func forgetEntries() {
        (effects, reported) = (nil, [])
        let entries = log.withFields { fields in exchange(&fields.entries, with: []) }
        stated = entries.last { $0.state != nil }?.state ?? stated
    }

    /// Makes the checks of `finish` when the driver is deallocated. Does not report work again that `finish` has
    /// reported.
    func finishAtOrigin() {
        finish(
            origin, moment: reportedWork == nil ? DriverText.atTheEnd : DriverText.afterFinish,
            known: reportedWork ?? [])
    }

    private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
        defer { value = new }
        return value
    }
}
