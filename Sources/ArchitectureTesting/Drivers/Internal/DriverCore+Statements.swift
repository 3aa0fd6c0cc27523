import FunctionalCore
import Testing

// MARK: - Messages

extension DriverCore {
    typealias Entry = DriverLog<S>.Entry

    /// Sends a message, and states the change that it makes.
    ///
    /// - Parameter hasEnded: Whether the owner has ended, so that the message cannot be sent. A job that runs before the
    ///   message is sent can end the owner.
    func send(
        _ message: any Sendable, hasEnded: @autoclosure () -> Bool = false, at location: SourceLocation,
        _ change: ((inout S) -> Void)?, by send: () -> Void
    ) -> Sent {
        if !settle(location) { return Sent(id: 0, message: message, isSent: true, sourceLocation: location) }
        skipAll(DriverText.beforeSending(message), location)
        let cause = trace.outsideCause()
        let handle = Sent(id: cause.id, message: message, isSent: true, sourceLocation: location)
        statedMessages[handle.id] = handle
        if hasEnded() {
            fail([DriverText.sentAfterTheEnd(words, message)], location)
            return handle
        }
        TraceCause.$current.withValue(cause, operation: send)
        let entries = log.withFields { $0.entries }
        if let index = entries.firstIndex(where: { $0.message != nil && $0.cause == cause.id }) {
            // The entries before the message are those that another thread has sent, and those that were processed
            // earlier.
            skip(index, DriverText.beforeSending(message), location)
            state(takeFirst(), change, location)
        } else {
            fail([DriverText.notProcessed(words, message)], location)
        }
        run(location)
        return handle
    }

    /// Calls `body`. Issues about what `body` causes are recorded at `location`, as if the test had sent a message with
    /// the text `subject`.
    func perform<Result>(_ subject: String, at location: SourceLocation, _ body: () -> Result) -> Result {
        run(location)
        let cause = trace.outsideCause()
        statedMessages[cause.id] = Sent(id: cause.id, message: subject, isSent: true, sourceLocation: location)
        defer { run(location) }
        return TraceCause.$current.withValue(cause, operation: body)
    }

    /// States the next message that the test has not sent itself.
    ///
    /// - Parameters:
    ///   - expected: The text of the expected message, for an issue.
    ///   - mismatch: Returns the lines that show how a message differs from the expected message, or `nil` if it does
    ///     not.
    @discardableResult
    func receive(
        _ expected: String, at location: SourceLocation, _ change: ((inout S) -> Void)?,
        mismatch: (any Sendable) -> [String]?
    ) -> Sent {
        settle(location)
        stateNoEffects(location)
        let entry = take("the \(words.message) \(expected)", location, change, orWait: waits()) { entry in
            entry.message.map { mismatch($0.value) == nil } ?? false
        } failure: { next in
            guard let next else { return DriverText.nothingCame(words, expected, waiting: runningWork(), now: now) }
            return next.message.flatMap { mismatch($0.value) }.map { DriverText.differentMessage(words, $0) }
        }
        guard let entry, let message = entry.message else {
            return Sent(id: 0, message: expected, isSent: false, sourceLocation: location)
        }
        let handle = Sent(id: entry.id, message: message.value, isSent: false, sourceLocation: location)
        statedMessages[handle.id] = handle
        return handle
    }

    @discardableResult
    func receive<Message: Equatable & Sendable>(
        equal expected: Message, at location: SourceLocation, _ change: ((inout S) -> Void)?
    ) -> Sent {
        receive("\(expected)", at: location, change) { message in
            if let message = message as? Message, ValueEquality.areEqual(message, expected) { return nil }
            return ValueDiff.difference(from: expected, to: message).lines
        }
    }

    /// States the next message that the test has not sent, and returns the result of `extract` for the message. If the
    /// result is `nil`, records an issue.
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

    /// States the next change that the work of a message has made.
    func change(from handle: Sent, at location: SourceLocation, _ change: @escaping (inout S) -> Void) {
        settle(location)
        stateNoEffects(location)
        if !isKnown(handle, location) { return }
        take(
            "a change from \(handle.message)", location, change,
            orWait: handle.id != 0 && !hasFailed(handle) && waits()
        ) { entry in
            entry.message == nil && isCaused(entry.cause, by: handle)
        } failure: { next in
            if next != nil { return nil }
            let waiting = runningWork().filter { isCaused($0.cause, by: handle) }
            return DriverText.noChange(handle, waiting: waiting, now: now)
        }
    }

    /// Returns whether work of a message has failed, the test has not stated this, and no work of the message is left.
    private func hasFailed(_ handle: Sent) -> Bool {
        log.withFields(\.failures).contains { isCaused($0.cause, by: handle) }
            && !runningWork().contains { !$0.isPermanent && isCaused($0.cause, by: handle) }
    }

    /// Returns whether the message of `handle` is in the chain of causes that begins with `cause`.
    func isCaused(_ cause: Int?, by handle: Sent) -> Bool {
        log.cause(from: cause) { id, _ in id == handle.id } != nil
    }

    /// Returns `true` if this driver has stated the message of `handle`, or if the handle belongs to no message.
    /// Otherwise records an issue and returns `false`.
    func isKnown(_ handle: Sent, _ location: SourceLocation) -> Bool {
        // A handle has the number 0 if its `send` or `receive` has failed.
        if statedMessages[handle.id] != nil || handle.id == 0 { return true }
        fail([DriverText.ofAnotherDriver(handle)], location)
        return false
    }

    /// Returns the effects of the message that was stated last, and counts them as stated. Returns `nil` if they have
    /// been stated before, or if no message was stated.
    func takeEffects() -> (values: [any Sendable], of: any Sendable)? {
        effects.take().map { ($0.values, $0.of) }
    }

    /// States the model and the effects with which a loop starts. `change` turns the model that the test has passed to
    /// the driver into the expected model.
    func start(
        from state: S, effects: [any Sendable], of message: any Sendable, at location: SourceLocation,
        _ change: ((inout S) -> Void)?
    ) {
        self.state("\(message)", (state, state), change, location)
        self.effects = (effects, message, location)
    }

    /// The state after everything that the test has stated. If `.state` is relaxed, it is the state after everything
    /// that has happened.
    var visibleState: S {
        if axes.contains(.state) { return stated }
        return log.withFields { $0.entries.last { $0.state != nil }?.state } ?? stated
    }
}

// MARK: - Entries

extension DriverCore {
    /// The number of unstated entries whose causes are looked up, because a chain of causes can be long.
    private static var locatedCount: Int { 20 }

    private func takeFirst() -> Entry { log.withFields { $0.entries.removeFirst() } }

    /// States the next entry, which has to be the wanted one, and returns it.
    ///
    /// If another entry is next, one issue reports all entries before the wanted one, or the next entry if no wanted one
    /// has come. To prevent further issues from the same cause, these entries count as reported, and `change` is not
    /// compared.
    ///
    /// - Parameters:
    ///   - orWait: Whether the statement is repeated later. Called if the wanted entry may still come.
    ///   - failure: Returns the text of the issue if no entry is wanted, given the next entry. `nil` stands for a list
    ///     of what came instead.
    @discardableResult
    private func take(
        _ expected: String, _ location: SourceLocation, _ change: ((inout S) -> Void)?, orWait: @autoclosure () -> Bool,
        where isWanted: (Entry) -> Bool, failure: (Entry?) -> String?
    ) -> Entry? {
        let isDecided = skip(to: location, where: isWanted)
        let entries = log.withFields { $0.entries }
        if let next = entries.first, isWanted(next) {
            state(takeFirst(), change, location)
            return next
        }
        if let index = reported.firstIndex(where: isWanted) {
            noteEffects(reported[index], location)
            return reported.remove(at: index)
        }
        if !isDecided, orWait() { return nil }
        // `isWanted` keeps the part of a matching message, so the last call must be for the entry that is stated.
        let index = entries.firstIndex(where: isWanted)
        let text = index == nil ? failure(entries.first) : nil
        let before = entries.prefix(index ?? 1)
        fail([text ?? DriverText.cameBefore(expected, before.map(name))], location)
        let count = before.count + (index == nil ? 0 : 1)
        log.withFields { $0.entries.removeFirst(count) }
        reported += before
        stated = entries[..<count].last { $0.state != nil }?.state ?? stated
        guard let entry = index.map({ entries[$0] }) ?? before.first else { return nil }
        noteEffects(entry, location)
        return entry
    }

    /// Returns the name of an entry in the text of an issue.
    private func name(_ entry: Entry) -> String {
        entry.message.map { "the \(words.message) \($0)" } ?? "a change from \(subject(entry.cause))"
    }

    /// Lets the test state the effects of an entry next.
    private func noteEffects(_ entry: Entry, _ location: SourceLocation) {
        if let message = entry.message { effects = (entry.effects, message.value, location) }
    }

    /// Skips the entries before the first wanted entry, as far as they are on relaxed axes.
    ///
    /// - Returns: Whether there is a wanted entry, or one on an axis that is not relaxed. If not, a wanted entry may
    ///   still come.
    func skip(to location: SourceLocation, where isWanted: (Entry) -> Bool) -> Bool {
        // The log is not locked during the search, because user code compares messages.
        let entries = log.withFields { $0.entries }
        let strict = entries.firstIndex { axes.contains(axis(of: $0)) }
        guard let index = entries.firstIndex(where: isWanted) else { return strict != nil }
        skip(min(index, strict ?? index), "", location)
        return true
    }

    private func axis(of entry: Entry) -> TestAxes { entry.message == nil ? .state : .messages }

    /// Reports all entries that the test has not stated: as failures, or as warnings on relaxed axes. After a stopped
    /// chain of messages, removes the entries without a report.
    ///
    /// - Parameter location: The place of the issues. If it is `nil`, each issue has the place of the message that
    ///   caused it.
    func skipAll(_ moment: String, _ location: SourceLocation?) {
        if reportStoppedChains() { return forgetEntries() }
        reported = []
        stateNoEffects(location)
        skip(log.withFields { $0.entries.count }, moment, location)
    }

    /// Removes the first `count` entries, and reports them as not stated: those of one axis and one place together.
    private func skip(_ count: Int, _ moment: String, _ location: SourceLocation?) {
        let skipped = log.withFields { fields in
            defer { fields.entries.removeFirst(count) }
            return Array(fields.entries[..<count])
        }
        var groups: [(axis: TestAxes, place: SourceLocation, before: S, entries: [Entry])] = []
        for (number, entry) in skipped.enumerated() {
            let axis = axis(of: entry)
            let known = location ?? (number < Self.locatedCount ? nil : groups.last?.place)
            let place = known ?? place(entry.cause)
            if let index = groups.firstIndex(where: { $0.axis == axis && $0.place == place }) {
                groups[index].entries.append(entry)
            } else {
                groups.append((axis, place, stated, [entry]))
            }
            stated = entry.state ?? stated
        }
        for group in groups {
            let after = group.entries.last { $0.state != nil }?.state ?? group.before
            let lines = ValueEquality.areEqual(after, group.before) ? [] : lines(from: group.before, to: after)
            let names = group.entries.lazy.map { entry in entry.message.map { "\($0)" } ?? self.subject(entry.cause) }
            report(DriverText.unstated(words, group.axis, names, lines, moment), group.place)
        }
    }

    /// Compares the change of an entry with the change that the test states.
    private func state(_ entry: Entry, _ change: ((inout S) -> Void)?, _ location: SourceLocation) {
        noteEffects(entry, location)
        let subject = entry.message.map { "\($0)" } ?? "a change from \(subject(entry.cause))"
        state(subject, entry.state.map { ($0, entry.firstState ?? $0) }, change, location)
    }

    /// Compares a change with the change that the test states.
    ///
    /// - Parameter new: The state after the last change, and the state after the first change. `nil` if there was no
    ///   change.
    private func state(
        _ subject: String, _ new: (last: S, first: S)?, _ change: ((inout S) -> Void)?, _ location: SourceLocation
    ) {
        let before = stated
        stated = new?.last ?? before
        var expected = before
        change?(&expected)
        if !ValueEquality.areEqual(expected, stated) { return reportDifference(subject, expected, change, location) }
        guard ValueEquality.areEqual(stated, before) else { return }
        if let new, !ValueEquality.areEqual(new.first, before) {
            // A closure states both changes, of which only the result can be compared.
            if change == nil { report(DriverText.undone(subject, lines(from: before, to: new.first)), location) }
        } else if change != nil {
            fail([DriverText.closureChangesNothing(subject)], location)
        }
    }

    private func reportDifference(
        _ subject: String, _ expected: S, _ change: ((inout S) -> Void)?, _ location: SourceLocation
    ) {
        if axes.contains(.state) {
            let lines = ValueDiff.difference(from: expected, to: stated).lines
            return fail([DriverText.differentState(subject, lines, hasClosure: change != nil)], location)
        }
        // A closure that does not state all changes must not change the state.
        var changed = stated
        change?(&changed)
        if ValueEquality.areEqual(changed, stated) { return warn(DriverText.skippedChange(subject), location) }
        let hasMore = !ValueEquality.areEqual(visibleState, stated)
        let lines = ValueDiff.difference(from: changed, to: stated).lines
        fail([DriverText.closureChangesMore(subject, lines, hasMore: hasMore)], location)
    }

    /// Returns the lines of the difference of two states, for a finding. Returns no lines if `.state` is relaxed.
    private func lines(from old: S, to new: S) -> [String] {
        axes.contains(.state) ? ValueDiff.difference(from: old, to: new).lines : []
    }

    func stateNoEffects(_ location: SourceLocation?) {
        guard let effects = effects.take(), !effects.values.isEmpty else { return }
        report(DriverText.unstatedEffects(effects.values, of: effects.of), location ?? effects.location)
    }
}
