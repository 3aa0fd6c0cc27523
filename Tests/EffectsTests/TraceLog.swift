import Effects
import FunctionalCore
import TestSupport

/// A trace whose events a test reads as lines: "number < cause: what happened".
struct TraceLog: Sendable {
    let events = TraceBuffer(capacity: 1_000_000)

    var trace: Trace { Trace(to: events) }

    /// The events as lines, except that a store was created.
    var lines: [String] {
        events.all.compactMap { event in
            guard let text = event.text else { return nil }
            return "\(event.id)" + (event.cause.map { " < \($0)" } ?? "") + ": " + text
        }
    }

    /// Removes the earlier events.
    func clear() {
        events.removeAll()
    }

    /// The events that received an action with this description.
    func received(_ action: String) -> [TraceEvent] {
        events.all.filter { if case .received(let value, _) = $0.kind { "\(value)" == action } else { false } }
    }

    /// The events of dropped actions.
    var dropped: [TraceEvent] {
        events.all.filter { if case .dropped = $0.kind { true } else { false } }
    }

    /// How the works ended whose subject begins with `subject`.
    func ends(of subject: String) -> [String] {
        events.all.compactMap { start in
            guard case .started(let value, _) = start.kind, "\(value)".hasPrefix(subject) else { return nil }
            let ends = events.all.compactMap { event in
                event.end.flatMap { $0.work == start.id ? $0.text : nil }
            }
            return ends.isEmpty ? "runs" : ends.joined(separator: ", ")
        }
    }

    /// The faults of the trace: an end of a work that was not started, or a second one; an event whose cause is a
    /// later event, or none. If `haveAllEnded`, also a work that has not ended.
    func faults(haveAllEnded: Bool) -> [String] {
        var (running, ended, faults) = (Set<Int>(), Set<Int>(), [String]())
        var causes: [Int: TraceEvent] = [:]
        for event in events.all {
            if case .started = event.kind { running.insert(event.id) }
            switch event.kind {
            case .started, .received: causes[event.id] = event
            default: break
            }
            if let cause = event.cause {
                if causes[cause] == nil { faults.append("\(event.id) has the cause \(cause), which is none") }
                if causes[cause]?.root != event.root { faults.append("\(event.id) has not the root of its cause") }
            } else if event.root != event.id {
                faults.append("\(event.id) has no cause, and the root \(event.root)")
            }
            if case .suspended(let work) = event.kind, !running.contains(work) {
                faults.append("\(event.id) suspends \(work), which does not run")
            }
            guard let end = event.end else { continue }
            if running.remove(end.work) == nil { faults.append("\(event.id) ends \(end.work), which does not run") }
            if !ended.insert(end.work).inserted { faults.append("\(event.id) ends \(end.work) again") }
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

    fileprivate var text: String? {
        switch kind {
        case .created: nil
        case .received(let action, let source): "received \(action) from \(source)"
        case .handled(let message): "handled \(message)"
        case .changed: "changed"
        case .started(let subject, let source): "started \(subject), \(source)"
        case .suspended(let work): "suspended \(work)"
        case .ended(let work): "ended \(work)"
        case .cancelled(let work): "cancelled \(work)"
        case .failed(let work, let error): "failed \(work.map { "\($0)" } ?? "") \(error)"
        case .decided(let decision, let value): "decided \(decision) \(value)"
        case .dropped(let action): "dropped \(action)"
        case .endlessChain(let actions): "endless \(actions.count)"
        case .closed: "closed"
        }
    }
}
