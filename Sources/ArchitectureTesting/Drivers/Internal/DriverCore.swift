import FunctionalCore
import Synchronization
import Testing
import VirtualTime

/// What the three test drivers have in common: it follows by a trace what happens in a component, a loop or a store, and
/// compares this with what the test states.
///
/// The owner itself is not changed: it runs as in production, on an executor that the test drains, in virtual time.
final class DriverCore<S: Equatable & Sendable> {
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
    /// The effects of the message that was stated last, until the test states them.
    var effects: (values: [any Sendable], of: any Sendable, location: SourceLocation)?
    let origin: SourceLocation
    /// The numbers of the trace's events. No other driver has them, so drivers may share a clock and a recorder.
    let numbers: Range<Int>
    /// Whether the owner lacks the trace, so that the driver cannot see what happens. Only this is reported.
    private var isBlind = false

    /// The causes of the works that `finish` has reported, if nothing was stated since.
    private var reportedWork: Set<Int?>?
    /// Whether some work went on without end when the jobs were run last. This is reported once.
    private var isEndless = false
    /// Whether the report of a chain of messages that was stopped was recorded. What the test has not stated is then not
    /// reported: it is long, and follows from the chain.
    private var hasReportedStop = false
    /// The number of jobs at one instant after which a driver gives up running them.
    private var patience: Int { isEndless ? 1_000 : 100_000 }

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
        log = DriverLog(time.clock, isPermanent: isPermanent)
        let number = driverCount.add(1, ordering: .relaxed).newValue
        numbers = number << 32..<(number + 1) << 32
        trace = Trace(to: log, clock: time.clock, after: numbers.lowerBound, maximumChain: 10_000)
        calls?.attach(as: number)
    }

    deinit {
        // The owner has been released. Runs what its cancelled work does last.
        note(isEndless: !time.drain(atMost: patience), origin)
        calls?.detach()
    }

    /// Follows one of the owners that have the trace. Without a call of this, the messages of all owners count.
    ///
    /// - Parameter name: What the owner is called in messages: "component".
    func follow(_ owner: TraceEvent.Owner?, on executor: (any TaskExecutor)?, name: String) {
        let initial = owner.flatMap { owner in log.withFields { $0.owners[owner] } }
        if let owner, let initial {
            log.withFields { $0.follow(owner) }
            if let initial, initial != stated {
                fail([DriverText.otherInitialState(name, LineDiff(from: stated, to: initial).lines)], origin)
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

    /// Runs what is ready, without advancing the time. Returns `false`, and reports it, if the caller is code that the
    /// driver runs.
    @discardableResult
    func settle(_ location: SourceLocation) -> Bool {
        if isNested {
            record([DriverText.nested(words)], location)
            return false
        }
        reportedWork = nil
        note(isEndless: !time.drain(atMost: patience), location)
        return true
    }

    func advance(by duration: Duration, _ location: SourceLocation) {
        if !settle(location) { return }
        if duration < .zero { fail([DriverText.negative(duration)], location) }
        if isEndless { return }
        let target = time.clock.now.advanced(by: duration)
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

    /// Runs some more jobs, and returns the work that begins to sleep meanwhile although it was cancelled.
    private func cancelledSleeper() -> String? {
        let count = time.clock.refusals.count
        _ = time.drain(atMost: 1_000)
        let refusals = time.clock.refusals
        return refusals.count > count ? subject(ofTask: refusals.lastCause) : nil
    }

    private func isMine(_ call: RecordedCall) -> Bool { call.causeID.map(numbers.contains) ?? false }

    func finish(_ location: SourceLocation) { finish(location, moment: DriverText.atTheEnd) }

    /// - Parameter known: The causes of works that were reported before.
    private func finish(_ location: SourceLocation, moment: String, known: Set<Int?> = []) {
        if !settle(location) { return }
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

    /// Takes the calls that the test has not expected, except those that another driver with the same recorder takes.
    private func takeCalls() -> [RecordedCall] {
        let left = (calls?.all ?? []).filter { call in call.isLeft && (call.driver == nil || isMine(call)) }
        for call in left { calls?.markAsExpected(call) }
        return left
    }

    /// States everything that has happened so far.
    func skipSilently(_ location: SourceLocation) {
        settle(location)
        forgetAll()
    }

    private func forgetAll() {
        forgetEntries()
        log.withFields { $0.failures = [] }
        _ = takeCalls()
    }

    /// States the messages and changes so far.
    func forgetEntries() {
        effects = nil
        let entries = log.withFields { fields in exchange(&fields.entries, with: []) }
        stated = entries.last { $0.state != nil }?.state ?? stated
    }

    /// Reports what the test has not stated before it released the driver, also since it called `finish`.
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

// MARK: - Issues

extension DriverCore {
    /// Reports what the test has not stated: as a failure, or as a warning if the axis is relaxed.
    func report(_ finding: DriverFinding, _ location: SourceLocation) {
        if axes.contains(finding.axis) { fail([finding.failure], location) } else { warn(finding.warning, location) }
    }

    func fail(_ texts: [String], _ location: SourceLocation) {
        if !canSee { return }
        reportStoppedChains()
        record(texts, location)
    }

    /// Whether what the driver sees says something: not after mistakes that it has reported.
    private var canSee: Bool { !isBlind && !isNested }

    /// Whether code that the driver runs has called it, or code that another driver with the same clock runs.
    private var isNested: Bool {
        time.executor.isDraining || TraceCause.current.map { numbers.contains($0.id) } ?? false
    }

    /// Reports the chains of messages that were stopped, before anything else. Returns whether one was reported so far.
    @discardableResult
    func reportStoppedChains() -> Bool {
        let stops = log.withFields { fields in
            defer { fields.failures.removeAll(where: \.isStoppedChain) }
            return fields.failures.filter(\.isStoppedChain)
        }
        for stop in stops { record(["\(stop.error)"], place(stop.cause)) }
        if !stops.isEmpty { hasReportedStop = true }
        return hasReportedStop
    }

    func warn(_ text: String, _ location: SourceLocation) {
        if !canSee { return }
        #if compiler(>=6.3)
            Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: location)
        #else
            FunctionalCore.report("\(location): \(text)")
        #endif
    }

    /// The line at which issues about something with this cause are recorded: that of the message that the test has
    /// sent, or has received last. If there is none, the line where the driver was created.
    func place(_ cause: Int?) -> SourceLocation {
        let stated = log.causes(from: cause).compactMap { statedMessages[$0.id] }
        return (stated.last { $0.isSent } ?? stated.first)?.sourceLocation ?? origin
    }

    /// The cause of something, for a text: the last message among its causes.
    func subject(_ cause: Int?) -> String {
        log.cause(from: cause) { _, message in message != nil }?.message.map { "\($0)" } ?? words.outside
    }
}
