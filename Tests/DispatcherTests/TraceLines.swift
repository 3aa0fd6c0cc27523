import FunctionalCore

extension TraceBuffer {
    /// The events as lines: the number of an event, the number of its cause, and what happened.
    var lines: [String] { all.map(\.line) }
}

extension TraceEvent {
    var line: String { "\(id)\(cause.map { " <\($0)" } ?? ""): \(kind.line)" }
}

extension TraceEvent.Kind {
    var line: String {
        switch self {
        case .created(let state): "created \(state.map(\.description) ?? "?")"
        case .received(let message, let source): "received \(message) from \(source)"
        case .handled(let message): "handled \(message)"
        case .changed(_, let state, _): "changed to \(state.map(\.description) ?? "?")"
        case .started(let subject, let source): "started \(subject), \(source)"
        case .suspended(let work): "suspended \(work)"
        case .ended(let work): "ended \(work)"
        case .cancelled(let work): "cancelled \(work)"
        case .failed(let work, let error): "failed \(work.map(String.init) ?? "-"): \(error)"
        case .decided(let decision, let subject): "\(subject) \(decision)"
        case .dropped(let message): "dropped \(message)"
        case .endlessChain(let messages): "endless \(messages.count)"
        case .closed: "closed"
        }
    }

    /// The text of the event without the numbers of other events.
    var name: String { String(line.prefix { !$0.isNumber }) }
}
