public import FunctionalCore

/// The events of a trace as texts.
extension TraceBuffer {
    /// The events, in order, as lines like "3 ← 2: started load(1), effect". Events without a cause have no arrow.
    public var lines: [String] {
        all.map { event in "\(event.id)\(event.cause.map { " ← \($0)" } ?? ""): \(event.kind.line)" }
    }

    /// The lines without the numbers of the events and of their causes.
    public var kinds: [String] { all.map(\.kind.line) }

    /// The event at which a message was received, which has this text.
    public func received(_ text: String) -> TraceEvent? {
        all.first { event in if case .received(let value, _) = event.kind { "\(value)" == text } else { false } }
    }

    /// The messages that were received, like "2 from observer by 1", where 1 is the message or the work that is the
    /// cause.
    public var sources: [String] {
        var subjects: [Int: TraceValue] = [:]
        return all.compactMap { event in
            if case .started(let subject, _) = event.kind { subjects[event.id] = subject }
            guard case .received(let message, let source) = event.kind else { return nil }
            subjects[event.id] = message
            return "\(message) from \(source)\(event.cause.flatMap { subjects[$0] }.map { " by \($0)" } ?? "")"
        }
    }

    /// The number of the first work whose subject begins with this text.
    public func work(for text: String) -> Int? {
        all.first { event in if case .started(let value, _) = event.kind { "\(value)".hasPrefix(text) } else { false }
        }?.id
    }

    /// How the works ended whose subjects begin with this text.
    public func ends(of text: String) -> [String] {
        all.compactMap { start in
            guard case .started(let value, _) = start.kind, "\(value)".hasPrefix(text) else { return nil }
            let ends = all.compactMap { event in event.end.flatMap { $0.work == start.id ? $0.text : nil } }
            return ends.isEmpty ? "runs" : ends.joined(separator: ", ")
        }
    }

    /// The decisions of policies, each with the message that caused it, like "2 waits by 2".
    public var decisions: [String] {
        let messages = Dictionary(
            uniqueKeysWithValues: all.compactMap { event in
                if case .received(let message, _) = event.kind { (event.id, message) } else { nil }
            })
        return all.compactMap { event in
            guard case .decided = event.kind else { return nil }
            return event.kind.line + (event.cause.flatMap { messages[$0] }.map { " by \($0)" } ?? "")
        }
    }

    /// The faults of the trace: an end of a work that was not started, or a second one; an event whose cause is a later
    /// event, or none; a change that begins with another state than the one before. If `haveAllEnded`, also a work that
    /// has not ended.
    public func faults(haveAllEnded: Bool = false) -> [String] {
        var (running, faults) = (Set<Int>(), [String]())
        var (causes, states) = ([Int: TraceEvent](), [Int: String]())
        for event in all {
            switch event.kind {
            case .started:
                running.insert(event.id)
                causes[event.id] = event
            case .received: causes[event.id] = event
            case .created(let state): states[event.owner.number] = state?.description
            case .changed(let old?, let new, _):
                if let state = states[event.owner.number], state != old.description {
                    faults.append("\(event.id) changes \(old), and the state was \(state)")
                }
                states[event.owner.number] = new?.description
            case .suspended(let work) where !running.contains(work):
                faults.append("\(event.id) suspends \(work), which does not run")
            default: break
            }
            if let cause = event.cause {
                if causes[cause] == nil { faults.append("\(event.id) has the cause \(cause), which is none") }
                if causes[cause]?.root != event.root { faults.append("\(event.id) has not the root of its cause") }
            } else if event.root != event.id {
                faults.append("\(event.id) has no cause, and the root \(event.root)")
            }
            if let end = event.end, running.remove(end.work) == nil {
                faults.append("\(event.id) ends \(end.work), which does not run")
            }
        }
        if haveAllEnded { faults += running.sorted().map { "\($0) runs" } }
        return faults
    }
}

extension TraceEvent {
    /// The work that the event ends, and how.
    fileprivate var end: (work: Int, text: String)? {
        switch kind {
        case .ended(let work): (work, "ended")
        case .cancelled(let work): (work, "cancelled")
        case .failed(let work?, let error): (work, "failed with \(error)")
        default: nil
        }
    }
}

extension TraceEvent.Kind {
    /// The kind and its values, with the number of the message or of the work that it is about.
    fileprivate var line: String {
        switch self {
        case .created(let state): "created \(state?.description ?? "-")"
        case .received(let message, let source): "received \(message) from \(source)"
        case .handled(let message): "handled \(message)"
        case .changed(_, let state, let observers):
            "changed to \(state?.description ?? "-")\(observers > 0 ? " for \(observers)" : "")"
        case .started(let subject, let source): "started \(subject), \(source)"
        case .suspended(let work): "suspended \(work)"
        case .ended(let work): "ended \(work)"
        case .cancelled(let work): "cancelled \(work)"
        case .failed(let work, let error): "failed \(work.map(String.init) ?? "-"): \(error)"
        case .recovered(let error, let recovery): "recovered from \(error) with \(recovery)"
        case .decided(let decision, let subject): "\(subject) \(decision)"
        case .dropped(let message, let reason): "dropped \(message), \(reason)"
        case .endlessChain(let last): "endless chain of \(last.count)"
        case .closed: "closed"
        }
    }
}
