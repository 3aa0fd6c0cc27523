import FunctionalCore

/// What has happened in the component, loop or store of a driver: the sink of its trace. Thread-safe.
final class DriverLog<S: Sendable>: TraceSink {
    /// A message that was processed, or a change that a work has made.
    struct Entry: Sendable {
        /// The message; `nil` for a change outside of the processing of a message.
        var message: TraceValue?
        let source: TraceEvent.Source?
        let cause: Int?
        let root: Int
        /// The state afterwards; `nil` if it was not changed.
        var state: S?
        /// The effects of a loop's update.
        var effects: [any Sendable] = []
    }

    /// A work that was started and has not ended.
    struct Work: Sendable {
        let id: Int
        let subject: TraceValue
        let root: Int
        /// Whether it lasts as long as its owner, as a subscription does.
        let isPermanent: Bool
    }

    /// A failure that no test has expected yet.
    struct Failure: Sendable {
        let error: TraceValue
        let root: Int
    }

    struct Fields: Sendable {
        var entries: [Entry] = []
        /// The message that is being processed.
        var current: Entry?
        var works: [Int: Work] = [:]
        var failures: [Failure] = []
    }

    private let fields = Locked(Fields())
    /// Whether a started work lasts as long as its owner.
    private let isPermanent: @Sendable (TraceEvent, TraceEvent.Source) -> Bool

    init(isPermanent: @escaping @Sendable (TraceEvent, TraceEvent.Source) -> Bool) {
        self.isPermanent = isPermanent
    }

    func receive(_ event: TraceEvent) {
        var isPermanent = false
        if case .started(_, let source) = event.kind { isPermanent = self.isPermanent(event, source) }
        fields.withLock { $0.note(event, isPermanent) }
    }

    /// Adds the effects of the update that is being made.
    func note(_ effects: [any Sendable]) {
        fields.withLock { $0.current?.effects += effects }
    }

    func withFields<Result>(_ body: (inout Fields) -> Result) -> Result {
        fields.withLock(body)
    }
}

extension DriverLog.Fields {
    fileprivate mutating func note(_ event: TraceEvent, _ isPermanent: Bool) {
        switch event.kind {
        case .received(let message, let source):
            current = .init(message: message, source: source, cause: event.cause, root: event.root)
        case .handled:
            if let entry = current.take() { entries.append(entry) }
        case .changed(_, let state, _):
            let state = state?.value as? S
            if current != nil {
                current?.state = state
            } else {
                entries.append(.init(source: nil, cause: event.cause, root: event.root, state: state))
            }
        case .started(let subject, _):
            works[event.id] = .init(id: event.id, subject: subject, root: event.root, isPermanent: isPermanent)
        case .ended(let work), .cancelled(let work):
            works[work] = nil
        case .failed(let work, let error):
            if let work { works[work] = nil }
            failures.append(.init(error: error, root: event.root))
        case .created, .suspended, .decided, .dropped, .endlessChain, .closed:
            break
        }
    }
}
