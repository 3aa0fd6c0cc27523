import FunctionalCore
import Testing
import VirtualTime

/// What the three test drivers have in common: it follows by a trace what happens in a component, a loop or a store, and
/// compares this with what the test states.
///
/// The owner itself is not changed: it runs as in production, on an executor that the test drains, in virtual time.
final class DriverCore<S: Equatable & Sendable> {
    typealias Entry = DriverLog<S>.Entry

    let time: VirtualScheduler
    let log: DriverLog<S>
    let trace: Trace
    let calls: Recorder?
    let words: DriverWords
    var axes: TestAxes
    /// The state after everything that the test has stated.
    private(set) var stated: S
    /// The messages that the test has sent, by their roots.
    private var sent: [Int: Sent] = [:]
    private let origin: SourceLocation
    private(set) var isFinished = false

    /// The effects of the message that was stated last, until the test states them.
    private var effects: (values: [any Sendable], of: any Sendable)?

    /// The number of jobs after which a driver gives up draining.
    private static var patience: Int { 100_000 }

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
        log = DriverLog(isPermanent: isPermanent)
        trace = Trace(to: log, clock: time.clock)
    }

    // MARK: - Running

    /// Runs what is ready, without advancing the time.
    func settle(_ location: SourceLocation) {
        let isDone = time.drain(atMost: Self.patience)
        if !isDone { fail([DriverText.endless(Self.patience)], location) }
        noteUnstubbedCalls()
    }

    func advance(by duration: Duration, _ location: SourceLocation) {
        settle(location)
        let target = time.clock.now.advanced(by: duration)
        if !time.advance(to: target, atMost: Self.patience) { fail([DriverText.endless(Self.patience)], location) }
        noteUnstubbedCalls()
    }

    // MARK: - Statements

    /// Sends a message and states its change.
    func send(
        _ message: any Sendable, at location: SourceLocation, _ change: ((inout S) -> Void)?, by send: () -> Void
    ) -> Sent {
        settle(location)
        skipAll(before: DriverText.beforeSending(words, message), location)
        let cause = trace.outsideCause()
        let handle = Sent(root: cause.root.id, message: message, sourceLocation: location)
        sent[handle.root] = handle
        TraceCause.$current.withValue(cause, operation: send)
        let isNext = log.withFields { $0.entries.first.map { $0.message != nil && $0.cause == cause.id } ?? false }
        let entry = isNext ? log.withFields { $0.entries.removeFirst() } : nil
        state(entry, change, location)
        settle(location)
        return handle
    }

    /// States the next message that the test has not sent itself.
    ///
    /// - Parameters:
    ///   - expected: The expected message, for a failure.
    ///   - mismatch: Returns the lines that tell how a message differs from the expected one; `nil` if it does not.
    func receive(
        _ expected: String, at location: SourceLocation, _ change: ((inout S) -> Void)?,
        mismatch: (any Sendable) -> [String]?
    ) {
        stateNoEffects(location)
        settle(location)
        guard let entry = next(at: location, isWanted: { $0.message.map { mismatch($0.value) == nil } ?? false }) else {
            return fail([DriverText.nothingCame(words, expected, waiting: waitingLines(of: nil))], location)
        }
        guard let message = entry.message else {
            putBack(entry)
            return fail([DriverText.changeCameFirst(words, expected, subject(of: entry))], location)
        }
        if let lines = mismatch(message.value) { fail([DriverText.differentMessage(words, lines)], location) }
        state(entry, change, location)
    }

    func receive<Message: Equatable & Sendable>(
        equal expected: Message, at location: SourceLocation, _ change: ((inout S) -> Void)?
    ) {
        receive("\(expected)", at: location, change) { message in
            message as? Message == expected ? nil : LineDiff(from: expected, to: message).lines
        }
    }

    /// Receives a message of which `extract` returns something, and returns that.
    func receive<Message, Part>(
        matching expected: String, at location: SourceLocation, _ change: ((inout S) -> Void)?,
        _ extract: (Message) -> Part?
    ) -> Part? {
        var part: Part?
        receive("one \(expected)", at: location, change) { message in
            part = (message as? Message).flatMap(extract)
            return part == nil ? ["− one \(expected)"] + added(message) : nil
        }
        return part
    }

    /// States the next change that the work of a sent message has made.
    func change(from handle: Sent, at location: SourceLocation, _ change: @escaping (inout S) -> Void) {
        stateNoEffects(location)
        settle(location)
        let entry = next(at: location) { $0.message == nil && $0.root == handle.root }
        guard let entry else {
            return fail([DriverText.noChange(handle, waiting: waitingLines(of: handle.root))], location)
        }
        if let message = entry.message {
            putBack(entry)
            return fail([DriverText.messageCameFirst(words, handle, message)], location)
        }
        if entry.root != handle.root { fail([DriverText.otherChange(handle, subject(of: entry))], location) }
        state(entry, change, location)
    }

    /// States the effects of the message that was stated last.
    func takeEffects() -> (values: [any Sendable], of: (any Sendable)?) {
        defer { effects = nil }
        return (effects?.values ?? [], effects?.of)
    }

    /// States what the work of a sent message waits for.
    func expectWork(_ handle: Sent, _ expected: [WorkStatus], at location: SourceLocation) {
        settle(location)
        let actual = runningWork(of: handle.root).map(\.status)
        if actual.sorted() == expected.sorted() { return }
        fail([DriverText.differentWork(handle, expected.sorted(), actual.sorted(), now: now)], location)
    }

    func finish(_ location: SourceLocation) {
        isFinished = true
        settle(location)
        skipAll(before: DriverText.atTheEnd(words), nil)
        let (failures, running) = (log.withFields(\.failures), runningWork(of: nil))
        for failure in failures { report(.work, DriverText.failed(failure.error), place(failure.root)) }
        for work in running { report(.work, DriverText.leftover(work, now: now, words), place(work.root)) }
        for (text, root) in calls?.unexpected ?? [] { report(.calls, text, root.map(place) ?? origin) }
    }

    /// Takes the first failure that has not been stated, and whose error has a type.
    func takeFailure<Failure: Error>(as type: Failure.Type) -> Failure? {
        log.withFields { fields in
            guard let index = fields.failures.firstIndex(where: { $0.error.value is Failure }) else { return nil }
            return fields.failures.remove(at: index).error.value as? Failure
        }
    }

    var failureTexts: [String] { log.withFields(\.failures).map { "\($0.error)" } }

    func finishAtOrigin() {
        if !isFinished { finish(origin) }
    }
}

// MARK: - Entries

extension DriverCore {
    /// The next entry. If the axis of the messages or that of the state is relaxed, entries before a wanted one are
    /// skipped.
    private func next(at location: SourceLocation, isWanted: (Entry) -> Bool) -> Entry? {
        var skipped: [Entry] = []
        let found: Entry? = log.withFields { fields in
            guard let index = fields.entries.firstIndex(where: isWanted) else {
                return fields.entries.isEmpty ? nil : fields.entries.removeFirst()
            }
            let isSkippable = fields.entries[..<index].allSatisfy { !axes.contains(axis(of: $0)) }
            guard isSkippable else { return fields.entries.removeFirst() }
            skipped = Array(fields.entries[..<index])
            fields.entries.removeFirst(index)
            return fields.entries.removeFirst()
        }
        for entry in skipped { skip(entry, location) }
        return found
    }

    private func putBack(_ entry: Entry) {
        log.withFields { $0.entries.insert(entry, at: 0) }
    }

    private func axis(of entry: Entry) -> TestAxes { entry.message == nil ? .state : .messages }

    /// Reports all entries that the test has not stated: as failures, or as warnings on relaxed axes.
    private func skipAll(before moment: String, _ location: SourceLocation?) {
        stateNoEffects(location)
        let entries = log.withFields { fields in
            defer { fields.entries = [] }
            return fields.entries
        }
        for entry in entries {
            let text = DriverText.unstated(words, entry.message, subject(of: entry), changesOf(entry), moment)
            report(axis(of: entry), text, location ?? place(entry.root))
            if let state = entry.state { stated = state }
        }
    }

    private func skip(_ entry: Entry, _ location: SourceLocation) {
        let text = DriverText.unstated(words, entry.message, subject(of: entry), changesOf(entry), "")
        report(axis(of: entry), text, location)
        if let state = entry.state { stated = state }
    }

    private func changesOf(_ entry: Entry) -> [String] {
        guard let state = entry.state, state != stated else { return [] }
        return LineDiff(from: stated, to: state).lines
    }

    /// What has caused an entry, for a text.
    private func subject(of entry: Entry) -> String {
        sent[entry.root].map { "\($0.message)" } ?? words.outside
    }

    /// States the change of an entry: `nil` if nothing has happened.
    private func state(_ entry: Entry?, _ change: ((inout S) -> Void)?, _ location: SourceLocation) {
        let actual = entry?.state ?? stated
        defer { stated = actual }
        if let entry, !entry.effects.isEmpty, let message = entry.message { effects = (entry.effects, message.value) }
        guard axes.contains(.state) else { return stateSome(of: actual, change, location) }
        var expected = stated
        change?(&expected)
        if expected != actual {
            fail([DriverText.differentState(LineDiff(from: expected, to: actual).lines)], location)
        } else if change != nil, expected == stated {
            fail([DriverText.closureChangesNothing], location)
        }
    }

    /// Checks that `change` does not change the actual state.
    private func stateSome(of actual: S, _ change: ((inout S) -> Void)?, _ location: SourceLocation) {
        var expected = actual
        change?(&expected)
        if expected != actual {
            fail([DriverText.differentState(LineDiff(from: expected, to: actual).lines)], location)
        } else if actual != stated {
            var known = stated
            change?(&known)
            if known != actual {
                warn(DriverText.skippedChange(LineDiff(from: known, to: actual).lines), location)
            }
        }
    }

    private func stateNoEffects(_ location: SourceLocation?) {
        guard let (values, message) = effects.take() else { return }
        report(.work, DriverText.unstatedEffects(values, of: message), location ?? origin)
    }
}

// MARK: - Work

/// A work under way, for a text.
struct RunningWork {
    let subject: String
    let root: Int
    let status: WorkStatus
}

extension DriverCore {
    private var now: Duration { time.clock.now.offset }

    /// The works under way, and sleeps that belong to no work, as those of a policy: of one root, or of all.
    private func runningWork(of root: Int?) -> [RunningWork] {
        let works = log.withFields { $0.works.values.filter { root == nil || $0.root == root } }
        var sleepers: [Int: [Duration]] = [:]
        var running: [RunningWork] = []
        for (deadline, cause) in time.clock.sleepers {
            guard let cause else { continue }
            if log.withFields({ $0.works[cause.id] != nil }) {
                sleepers[cause.id, default: []].append(deadline.offset)
            } else if root == nil || cause.root.id == root, let message = sent[cause.root.id]?.message {
                running.append(
                    .init(subject: "\(message)", root: cause.root.id, status: .sleeping(until: deadline.offset)))
            }
        }
        for work in works.sorted(by: { $0.id < $1.id }) where !work.isPermanent {
            let deadlines = sleepers[work.id] ?? []
            let subject = "\(work.subject)"
            if deadlines.isEmpty { running.append(.init(subject: subject, root: work.root, status: .waiting)) }
            for deadline in deadlines {
                running.append(.init(subject: subject, root: work.root, status: .sleeping(until: deadline)))
            }
        }
        return running
    }

    /// The lines that tell what waits, for the failure that nothing came.
    private func waitingLines(of root: Int?) -> [String] {
        runningWork(of: root).map { DriverText.waits($0, now: now) }
    }

    private func noteUnstubbedCalls() {
        for (text, root) in calls?.takeUnstubbed() ?? [] { fail([text], root.map(place) ?? origin) }
    }

    private func place(_ root: Int) -> SourceLocation { sent[root]?.sourceLocation ?? origin }
}

// MARK: - Issues

extension DriverCore {
    /// Reports what the test has not stated: as a failure, or as a warning if the axis is relaxed.
    func report(_ axis: TestAxes, _ text: String, _ location: SourceLocation) {
        if axes.contains(axis) { fail([text], location) } else { warn("Skipped. " + text, location) }
    }

    func fail(_ texts: [String], _ location: SourceLocation) {
        record(texts, location)
    }

    func warn(_ text: String, _ location: SourceLocation) {
        #if compiler(>=6.3)
            Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: location)
        #else
            FunctionalCore.report("\(location): \(text)")
        #endif
    }
}
