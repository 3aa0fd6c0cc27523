import Effects
import FunctionalCore
import VirtualTime

/// The events of a component, loop or store, as a driver needs them: the sink of its trace. Thread-safe.
///
/// Other components, loops and stores may share the trace. Their works count, but their messages and changes do not.
final class DriverLog<S: Equatable & Sendable>: TraceWorkSink {
    /// A message that was processed, or a change that a work has made.
    struct Entry: Sendable {
        let owner: TraceEvent.Owner
        /// The message; `nil` for a change outside of the processing of a message.
        var message: TraceValue?
        /// The number of the message.
        let id: Int
        let cause: Int?
        /// The state afterwards; `nil` if it was not changed.
        var state: S?
        /// The state after the first change by the message.
        var firstState: S?
        /// The effects of a loop's update.
        var effects: [any Sendable] = []
    }

    /// A work that was started and has not ended.
    struct Work: Sendable {
        let id: Int
        let subject: TraceValue
        /// Whether it lasts as long as its owner, as a subscription does.
        let isPermanent: Bool

        /// Whether it is the effect of a store, which listens. What it does for an action is a work of its own.
        var isListening = false

        /// Whether it is the time for which a policy delays a value of a stream.
        var isPause: Bool { (subject.value as? StreamWork)?.kind == .pause }
    }

    /// A message that waits for the clock of a policy, or for earlier work of the policy.
    struct Submission: Sendable {
        let id: ObjectIdentifier
        let subject: TraceValue
        let cause: Int?
        /// When the clock of the policy starts it, as an offset of the driver's clock.
        let start: Duration?
        /// The queue of the policy, which sleeps on that clock.
        let queue: ObjectIdentifier?
    }

    /// A sleep of the library.
    struct Sleep: Sendable {
        let cause: Int
        let clock: String
        /// The queue of a policy that waits for its end.
        let queue: ObjectIdentifier?
        let isPermanent: Bool
    }

    /// A failure that the test has not stated.
    struct Failure: Sendable {
        let error: any Sendable
        /// The message or the work that has led to it.
        let cause: Int?
        /// The work that has failed, if it is permanent.
        var permanent: TraceValue?
        /// Whether it is the report of a chain of messages that was stopped.
        var isStoppedChain = false
    }

    /// A message or a work, as a cause.
    struct Cause: Sendable {
        let message: TraceValue?
        let cause: Int?
    }

    struct Fields: Sendable {
        /// The owner that the driver drives, once it is known.
        var owner: TraceEvent.Owner?
        /// All owners that the trace knows, with the states with which they were created, if these have the same type.
        var owners: [TraceEvent.Owner: S?] = [:]
        var entries: [Entry] = []
        /// The messages that are being processed, at most one of each owner.
        var current: [Entry] = []
        var works: [Int: Work] = [:]
        var submissions: [Submission] = []
        /// The sleeps that have not ended, by the objects that are their causes.
        var sleeps: [ObjectIdentifier: Sleep] = [:]
        var failures: [Failure] = []
        /// All messages and works so far, by their numbers.
        var causes: [Int: Cause] = [:]
        /// The effects of the messages so far that have any, by the numbers of the messages. `nil` stands for the start.
        var effects: [Int?: [any Sendable]] = [:]
    }

    private let fields = Locked(Fields())
    /// Whether a started work lasts as long as its owner.
    private let isPermanent: @Sendable (TraceEvent, TraceEvent.Source) -> Bool

    private let clock: VirtualClock

    init(_ clock: VirtualClock, isPermanent: @escaping @Sendable (TraceEvent, TraceEvent.Source) -> Bool) {
        self.clock = clock
        self.isPermanent = isPermanent
    }

    func receive(_ event: TraceEvent) {
        var isPermanent = false
        if case .started(_, let source) = event.kind { isPermanent = self.isPermanent(event, source) }
        var state: S?
        // Compared and described outside of the lock, by code of the user.
        if case .changed(let old, let new, _) = event.kind, let new = new?.value as? S, old?.value as? S != new {
            state = new
        }
        let current = TraceCause.current?.id
        fields.withLock { $0.note(event, isPermanent: isPermanent, changedTo: state, current: current) }
    }

    func note(
        _ decision: TraceEvent.Decision, on subject: TraceValue, of id: ObjectIdentifier, cause: Int?, delay: Duration,
        queue: ObjectIdentifier?
    ) {
        switch decision {
        case .waits, .delayed:
            let start = decision == .delayed ? clock.now.offset + delay : nil
            let submission = Submission(id: id, subject: subject, cause: cause, start: start, queue: queue)
            fields.withLock { $0.submissions.append(submission) }
        case .starts, .dropped:
            fields.withLock { $0.submissions.removeAll { $0.id == id } }
        case .replaced:
            break
        }
    }

    func noteSleep(_ sleep: TraceCause, on clock: Any.Type, queue: ObjectIdentifier?) {
        let (id, isPermanent) = (ObjectIdentifier(sleep), sleep.isPermanent)
        let entry = Sleep(cause: sleep.id, clock: "\(clock)", queue: queue, isPermanent: isPermanent)
        fields.withLock { $0.sleeps[id] = entry }
    }

    func noteEnd(of sleep: TraceCause) {
        fields.withLock { $0.sleeps[ObjectIdentifier(sleep)] = nil }
    }

    /// Adds the effects of the update that is being made, or those with which a loop starts.
    func note(_ effects: [any Sendable]) {
        if effects.isEmpty { return }
        fields.withLock { fields in
            fields.effects[fields.current.last?.id, default: []] += effects
            if !fields.current.isEmpty { fields.current[fields.current.count - 1].effects += effects }
        }
    }

    /// Adds the report of a chain of messages that was stopped.
    func note(_ stop: any Error) {
        let cause = TraceCause.current?.id
        fields.withLock { $0.failures.append(.init(error: stop, cause: cause, isStoppedChain: true)) }
    }

    func withFields<Result>(_ body: (inout Fields) -> Result) -> Result {
        fields.withLock(body)
    }

    /// The messages and works that have caused something whose cause has this number, the last one first.
    func causes(from id: Int?) -> [(id: Int, message: TraceValue?)] {
        var causes: [(id: Int, message: TraceValue?)] = []
        _ = cause(from: id) { id, message in
            causes.append((id, message))
            return false
        }
        return causes
    }

    /// The first of these that satisfies a predicate. A chain can be long, so the search ends there.
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
            if let index = index(of: event.owner) { entries.append(current.remove(at: index)) }
        case .changed:
            guard isOwner(event), let state else { break }
            if let index = index(of: event.owner) {
                if current[index].state == nil { current[index].firstState = state }
                current[index].state = state
            } else {
                entries.append(.init(owner: event.owner, id: event.id, cause: event.cause, state: state))
            }
        case .started(let subject, let source):
            causes[event.id] = .init(message: nil, cause: event.cause)
            works[event.id] = .init(
                id: event.id, subject: subject, isPermanent: isPermanent,
                isListening: isPermanent && source == .effect)
        case .ended(let work), .cancelled(let work):
            works[work] = nil
        case .failed(let work, let error):
            let failed = work.flatMap { works.removeValue(forKey: $0) }
            // The effect of a store may handle the failure of its request. If not, it fails itself.
            if failed?.subject.value is StreamWork { break }
            if let failed, failed.isPermanent {
                // A permanent work fails because of what it is doing.
                failures.append(.init(error: error.value, cause: causeID ?? work, permanent: failed.subject))
            } else {
                failures.append(.init(error: error.value, cause: work ?? event.cause))
            }
        case .decided, .suspended, .dropped, .endlessChain, .closed:
            break
        }
    }

    private func isOwner(_ event: TraceEvent) -> Bool { owner == nil || owner == event.owner }

    private func index(of owner: TraceEvent.Owner) -> Int? { current.lastIndex { $0.owner == owner } }

    /// Drives an owner from now on. Removes what other owners have done so far.
    mutating func follow(_ owner: TraceEvent.Owner) {
        self.owner = owner
        entries.removeAll { $0.owner != owner }
    }
}

extension TraceCause {
    /// Whether this is the cause of what a subscription or an event source does, which lasts as long as its owner.
    var isPermanent: Bool { sender == .subscription || sender == .eventSource }
}
