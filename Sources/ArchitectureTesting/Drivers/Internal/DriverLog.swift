import Effects
import FunctionalCore
import VirtualTime

/// The sink of a test driver's trace. It keeps the events that the driver needs. Thread-safe.
///
/// Other components, loops and stores may share the trace. Their works count. Their messages and changes count only if
/// `Fields.follow(_:)` was not called.
final class DriverLog<S: Equatable & Sendable>: TraceWorkSink {
    /// A message that was processed, or a change that a work has made.
    struct Entry: Sendable {
        let owner: TraceEvent.Owner
        /// The message; `nil` for a change outside of the processing of a message.
        var message: TraceValue?
        /// The number of the event that recorded the message or the change.
        let id: Int
        let cause: Int?
        /// The state afterwards; `nil` if it was not changed.
        var state: S?
        /// The state after the first change by the message.
        var firstState: S?
        /// The effects of a loop's update.
        var effects: [any Sendable] = []
        /// The message, if an action of it was for an absent child.
        var absent: TraceValue?
        /// Whether the message has started work, or a policy lets work of it wait.
        var hasWork = false
    }

    /// A work that was started and has not ended.
    struct Work: Sendable {
        let id: Int
        let subject: TraceValue
        /// Whether the work lasts as long as its owner, as a subscription does.
        let isPermanent: Bool

        /// Whether the work is an effect of a store, which listens for actions. Each request of the effect is a
        /// separate work.
        var isListening = false

        /// Whether the work is the time for which a policy delays a value of a stream.
        var isPause: Bool { (subject.value as? StreamWork)?.kind == .pause }
    }

    /// A submission to a policy that waits for the clock of the policy, or for earlier work of the policy.
    struct Submission: Sendable {
        let id: ObjectIdentifier
        let subject: TraceValue
        let cause: Int?
        /// The time at which the clock of the policy starts the work, as an offset from the zero of the driver's clock.
        /// `nil` if the submission waits for earlier work.
        let start: Duration?
        /// The queue of the policy, which sleeps on the clock of the policy.
        let queue: ObjectIdentifier?
    }

    /// A sleep that the library has begun.
    struct Sleep: Sendable {
        let cause: Int
        let clock: String
        /// The policy queue that waits for the end of the sleep, or `nil` if no policy queue waits for it.
        let queue: ObjectIdentifier?
        let isPermanent: Bool
    }

    /// A failure that the test has not stated.
    struct Failure: Sendable {
        let error: any Sendable
        /// The number of the message or the work that led to the failure.
        let cause: Int?
        /// The subject of the work that has failed, if the work is permanent.
        var permanent: TraceValue?
        /// Whether the error is the report of a stopped chain of messages.
        var isStoppedChain = false
    }

    /// A message or a work that may have caused other events, and the number of its own cause.
    struct Cause: Sendable {
        let message: TraceValue?
        let cause: Int?
    }

    struct Fields: Sendable {
        /// The owner whose messages and changes count, or `nil` if those of all owners count.
        var owner: TraceEvent.Owner?
        /// All owners that share the trace, with their initial states. A state is `nil` if its type is not `S`.
        var owners: [TraceEvent.Owner: S?] = [:]
        var entries: [Entry] = []
        /// The messages that are being processed, at most one of each owner.
        var current: [Entry] = []
        var works: [Int: Work] = [:]
        var submissions: [Submission] = []
        /// The sleeps that have not ended, by the identities of their causes.
        var sleeps: [ObjectIdentifier: Sleep] = [:]
        var failures: [Failure] = []
        /// All messages and works so far, by their numbers.
        var causes: [Int: Cause] = [:]
    }

    private let fields = Locked(Fields())
    /// Returns whether a work that was started lasts as long as its owner.
    private let isPermanent: @Sendable (TraceEvent, TraceEvent.Source) -> Bool

    private let time: VirtualScheduler

    init(_ time: VirtualScheduler, isPermanent: @escaping @Sendable (TraceEvent, TraceEvent.Source) -> Bool) {
        self.time = time
        self.isPermanent = isPermanent
    }

    /// Changes the fields, and then notes the arrival of what has changed them.
    private func update(_ change: (inout Fields) -> Void) {
        fields.withLock(change)
        time.executor.noteArrival()
    }

    func receive(_ event: TraceEvent) {
        var isPermanent = false
        if case .started(_, let source) = event.kind { isPermanent = self.isPermanent(event, source) }
        var state: S?
        // The states are compared outside of the lock, because user code compares them.
        if case .changed(let old, let new, _) = event.kind, let new = new?.value as? S, old?.value as? S != new {
            state = new
        }
        let current = TraceCause.current?.id
        update { $0.note(event, isPermanent: isPermanent, changedTo: state, current: current) }
    }

    func note(
        _ decision: TraceEvent.Decision, on subject: TraceValue, of id: ObjectIdentifier, cause: Int?, delay: Duration,
        queue: ObjectIdentifier?
    ) {
        switch decision {
        case .waits, .delayed:
            let start = decision == .delayed ? time.clock.now.offset + delay : nil
            let submission = Submission(id: id, subject: subject, cause: cause, start: start, queue: queue)
            update { $0.submissions.append(submission) }
        case .starts, .dropped:
            update { $0.submissions.removeAll { $0.id == id } }
        case .replaced:
            break
        }
    }

    func noteSleep(_ sleep: TraceCause, on clock: Any.Type, queue: ObjectIdentifier?) {
        let (id, isPermanent) = (ObjectIdentifier(sleep), sleep.isPermanent)
        let entry = Sleep(cause: sleep.id, clock: "\(clock)", queue: queue, isPermanent: isPermanent)
        update { $0.sleeps[id] = entry }
    }

    func noteEnd(of sleep: TraceCause) {
        update { $0.sleeps[ObjectIdentifier(sleep)] = nil }
    }

    /// Adds the effects of the event that is being processed.
    func note(_ effects: [any Sendable]) {
        if effects.isEmpty { return }
        update { fields in
            if !fields.current.isEmpty { fields.current[fields.current.count - 1].effects += effects }
        }
    }

    /// Adds an error to the failures. By default, it is the report of a stopped chain of messages.
    func note(_ error: any Error, isStoppedChain: Bool = true) {
        let cause = TraceCause.current?.id
        update { $0.failures.append(.init(error: error, cause: cause, isStoppedChain: isStoppedChain)) }
    }

    func withFields<Result>(_ body: (inout Fields) -> Result) -> Result {
        fields.withLock(body)
    }

    /// Returns the chain of causes that begins with the message or work with the number `id`. The latest cause comes
    /// first.
    func causes(from id: Int?) -> [(id: Int, message: TraceValue?)] {
        var causes: [(id: Int, message: TraceValue?)] = []
        _ = cause(from: id) { id, message in
            causes.append((id, message))
            return false
        }
        return causes
    }

    /// Returns the first cause that satisfies a predicate, in the chain of causes that begins with `id`. The search
    /// ends at this cause, because a chain can be long.
    func cause(
        from id: Int?, where isWanted: (_ id: Int, _ message: TraceValue?) -> Bool
    ) -> (id: Int, message: TraceValue?)? {
        fields.withLock { fields in
            var next = id
            while let id = next {
                let cause = fields.causes[id]
                if isWanted(id, cause?.message) { return (id, cause?.message) }
                next = cause?.cause
            }
            return nil
        }
    }
}

extension DriverLog.Fields {
    fileprivate mutating func note(
        _ event: TraceEvent, isPermanent: Bool, changedTo state: S?, current causeID: Int?
    ) {
        switch event.kind {
        case .created(let state):
            owners[event.owner] = .some(state?.value as? S)
        case .received(let message, _):
            causes[event.id] = .init(message: message, cause: event.cause)
            if isOwner(event) {
                current.append(.init(owner: event.owner, message: message, id: event.id, cause: event.cause))
            }
        case .handled:
            guard let index = index(of: event.owner) else { break }
            let entry = current.remove(at: index)
            // Without these, an input whose parent does something would be a failure, such as the removal of a row.
            if let message = entry.absent, entry.state == nil, !entry.hasWork {
                failures.append(.init(error: AbsentChild(message), cause: entry.id))
            }
            entries.append(entry)
        case .changed:
            guard isOwner(event), let state else { break }
            if let index = index(of: event.owner) {
                if current[index].state == nil { current[index].firstState = state }
                current[index].state = state
            } else {
                entries.append(.init(owner: event.owner, id: event.id, cause: event.cause, state: state))
            }
        case .started(let subject, let source):
            if let index = index(of: event.owner) { current[index].hasWork = true }
            causes[event.id] = .init(message: nil, cause: event.cause)
            works[event.id] = .init(
                id: event.id, subject: subject, isPermanent: isPermanent,
                isListening: isPermanent && source == .effect)
        case .ended(let work), .cancelled(let work):
            works[work] = nil
        case .failed(let work, let error):
            let failed = work.flatMap { works.removeValue(forKey: $0) }
            // An effect of a store may handle the failure of its request. If it does not, the effect fails, and that
            // failure is recorded, or the store reports the failure.
            if failed?.subject.value is StreamWork { break }
            if let failed, failed.isPermanent {
                // The failure has the current cause, such as the action that the permanent work was handling.
                failures.append(.init(error: error.value, cause: causeID ?? work, permanent: failed.subject))
            } else {
                failures.append(.init(error: error.value, cause: work ?? event.cause))
            }
        case .dropped(let message, .absent):
            if let index = index(of: event.owner) {
                current[index].absent = message
            } else {
                // A scope has sent it.
                failures.append(.init(error: AbsentChild(message), cause: event.cause))
            }
        case .decided(.waits, _), .decided(.delayed, _):
            if let index = index(of: event.owner) { current[index].hasWork = true }
        case .recovered, .decided, .suspended, .dropped, .endlessChain, .closed:
            break
        }
    }

    private func isOwner(_ event: TraceEvent) -> Bool { owner == nil || owner == event.owner }

    private func index(of owner: TraceEvent.Owner) -> Int? { current.lastIndex { $0.owner == owner } }

    /// Restricts the messages and changes to those of one owner, and removes the existing ones of other owners.
    mutating func follow(_ owner: TraceEvent.Owner) {
        self.owner = owner
        entries.removeAll { $0.owner != owner }
    }
}

extension TraceCause {
    /// Whether the sender is a subscription or an event source, which lasts as long as its owner.
    var isPermanent: Bool { sender == .subscription || sender == .eventSource }
}
