extension TraceEvent {
    /// The lines in which the two states of a change differ, or `nil` for other events and without snapshots.
    ///
    /// The difference is computed each time this property is read. "− " precedes a line of the dump of the old state,
    /// and "+ " a line of the dump of the new state. Three equal lines surround each difference, and longer runs of
    /// equal lines are replaced by their number. The array is empty if the dumps are equal. It has at most 100 lines,
    /// and what is nested more than 64 levels deep is left out.
    ///
    /// ```swift
    /// let changes = events.all.compactMap(\.difference)
    /// ```
    ///
    /// - Complexity: O(n), where n is the number of parts of the states. What differs is described within bounds.
    public var difference: [String]? {
        guard case .changed(let old?, let new?, _) = kind else { return nil }
        let diff = ValueDiff.differenceOfSnapshots(from: old.value, to: new.value)
        return diff.distance == 0 ? [] : LineDiff.excerpt(diff.lines)
    }
}

extension TraceEvent: CustomStringConvertible {
    /// The event in one line: its number, its cause, the time, the owner and what happened.
    ///
    /// ```text
    /// #12 ← #9 1.203 s Store<Feed> #1 received Refresh() from an effect
    /// ```
    ///
    /// The line of a change is followed by the lines of ``difference``, indented. Line breaks in the text of a value
    /// are written as `\n`.
    public var description: String {
        let cause = cause.map { " ← #\($0)" } ?? ""
        let line = "#\(id)\(cause) \(Self.text(of: time)) \(owner) \(kind.text)"
        return ([line] + (difference ?? []).map { "    " + $0 }).joined(separator: "\n")
    }

    /// The time in seconds, with three decimals.
    private static func text(of time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        let milliseconds = String(attoseconds.magnitude / 1_000_000_000_000_000)
        let sign = time < .zero ? "-" : ""
        return "\(sign)\(seconds.magnitude).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds) s"
    }
}

extension TraceEvent.Kind {
    fileprivate var text: String {
        switch self {
        case .created(let state): "was created" + (state.map { " with \($0.line)" } ?? "")
        case .received(let message, let source): "received \(message.line) from \(source.text)"
        case .handled(let message): "handled #\(message)"
        case .changed(_, _, let observers): "changed, for \(observers) \(observers == 1 ? "observer" : "observers")"
        case .started(let subject, let source): "started \(source.text) for \(subject.line)"
        case .suspended(let work): "suspended #\(work)"
        case .ended(let work): "ended #\(work)"
        case .cancelled(let work): "cancelled #\(work)"
        case .failed(let work, let error): "failed" + (work.map { " in #\($0)" } ?? "") + ": \(error.line)"
        case .recovered(let error, let recovery): "recovered from \(error.line) with \(recovery)"
        case .decided(let decision, let subject): "decided that \(subject.line) \(decision.text)"
        case .dropped(let message, let reason): "dropped \(message.line), \(reason.text)"
        case .endlessChain(let messages): "has an endless chain: \(messages.map(\.line).joined(separator: " → "))"
        case .closed: "was closed"
        }
    }
}

extension TraceEvent.DropReason {
    fileprivate var text: String {
        switch self {
        case .ended: "whose owner or sender had ended"
        case .cancelled: "which was cancelled"
        case .endlessChain: "whose chain was stopped"
        case .absent: "whose child was absent"
        }
    }
}

extension TraceEvent.Recovery {
    /// What a failure has become, in one line.
    public var description: String {
        switch self {
        case .value(let value): value.map { "the value \($0.line)" } ?? "a value"
        case .failure(let error): "the failure \(error.line)"
        case .fallback: "a fallback"
        case .retry(let delay): delay == .zero ? "another attempt" : "another attempt after \(delay)"
        }
    }
}

extension TraceEvent.Source {
    fileprivate var text: String {
        switch self {
        case .caller: "the caller"
        case .observer: "an observer"
        case .action: "an action"
        case .subscription: "a subscription"
        case .effect: "an effect"
        case .eventSource: "an event source"
        case .middleware: "a middleware"
        case .transition: "a transition"
        case .elsewhere: "elsewhere"
        }
    }
}

extension TraceEvent.Decision {
    fileprivate var text: String {
        switch self {
        case .starts: "starts"
        case .waits: "waits"
        case .delayed: "is delayed"
        case .dropped: "is dropped"
        case .replaced: "is replaced"
        }
    }
}

extension TraceValue {
    /// The text of the value in one line.
    fileprivate var line: String {
        description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\\n")
    }
}
