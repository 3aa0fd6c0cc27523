import FunctionalCore

extension TraceBuffer {
    /// The events, in order, as lines like "3 ← 2: started load(1), effect". Events without a cause have no arrow.
    var lines: [String] {
        all.map { event in
            let cause = event.cause.map { " ← \($0)" } ?? ""
            return "\(event.id)\(cause): \(event.kind.line)"
        }
    }

    /// The lines without numbers, so that events of other threads may have other ones.
    var kinds: [String] { all.map(\.kind.line) }

    /// The event at which a message was received, which has this text.
    func received(_ text: String) -> TraceEvent? {
        all.first { event in if case .received(let value, _) = event.kind { "\(value)" == text } else { false } }
    }

    /// The number of the work for a subject, which has this text.
    func work(for text: String) -> Int? {
        all.first { event in
            if case .started(let value, _) = event.kind { "\(value)" == text } else { false }
        }?.id
    }
}

extension TraceEvent.Kind {
    /// The kind and its values, with the number of the message or of the work that it is about.
    fileprivate var line: String {
        switch self {
        case .created(let state): "created \(text(state))"
        case .received(let message, let source): "received \(message) from \(source)"
        case .handled(let message): "handled \(message)"
        case .changed(let old, let new, let observers): "changed \(text(old)) → \(text(new)) for \(observers)"
        case .started(let subject, let source): "started \(subject), \(source)"
        case .suspended(let work): "suspended \(work)"
        case .ended(let work): "ended \(work)"
        case .cancelled(let work): "cancelled \(work)"
        case .failed(let work, let error): "failed \(work.map { "\($0)" } ?? "-"): \(error)"
        case .decided(let decision, let value): "decided \(decision) \(value)"
        case .dropped(let message): "dropped \(message)"
        case .endlessChain(let last): "endless chain of \(last)"
        case .closed: "closed"
        }
    }

    private func text(_ state: TraceValue?) -> String { state.map { "\($0)" } ?? "-" }
}
