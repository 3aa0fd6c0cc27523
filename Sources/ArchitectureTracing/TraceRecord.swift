public import FunctionalCore

/// An event of a trace as text, which can be written to a file and read again.
///
/// ```swift
/// let failures = JSONLines(events.all).records.filter { $0.kind == .failed }
/// ```
///
/// A property that an event of this ``kind-swift.property`` does not have is `nil`.
public struct TraceRecord: Codable, Hashable, Sendable, Identifiable {
    /// The version of the format of the lines. It is 1, and grows if older readers could misunderstand a line.
    public static let currentFormat = 1

    /// The version of the format of the line, or `nil` if the line does not say it.
    public private(set) var format: Int?
    /// The number of the event.
    public let id: Int
    /// The number of the event that caused this event, or `nil` if the trace knows no cause.
    public let cause: Int?
    /// The number of the first event of the chain of causes.
    public let root: Int
    /// The seconds since the trace was created, by the clock of the trace.
    public let time: Double
    /// A number that identifies the thread among the threads that exist at the same time.
    public let thread: UInt
    /// The component, loop or store in which the event happened.
    public let owner: Owner
    /// What happened.
    public let kind: Kind

    /// The text of the message that was received or dropped.
    public private(set) var message: String?
    /// Why a message was dropped: the name of a case of `TraceEvent.DropReason`.
    public private(set) var reason: String?
    /// The number of the `received` event of the message that was handled.
    public private(set) var messageID: Int?
    /// The texts of the last messages of an endless chain.
    public private(set) var messages: [String]?
    /// The sender of the message that was received, or the kind of the work that was started. The value is the name of
    /// a case of `TraceEvent.Source`.
    public private(set) var source: String?
    /// The subject of the work that was started or about which a policy decided, such as an input or an effect.
    public private(set) var subject: String?
    /// The decision of a policy: the name of a case of `TraceEvent.Decision`.
    public private(set) var decision: String?
    /// The number of the `started` event of the work that was suspended, ended, was cancelled or failed.
    public private(set) var workID: Int?
    /// The error of a failure, or the error that was handled.
    public private(set) var error: String?
    /// What the error that was handled has become, such as "the value failed(5)".
    public private(set) var recovery: String?
    /// The state with which the owner was created, or the state after a change whose state before is in no record.
    public internal(set) var state: ValueTree?
    /// What a change has changed: the state after it is the state before with these changes, one after the other. Empty if
    /// the states look equal.
    public private(set) var changes: [ValueChange]?
    /// The number of observers that were notified of a change.
    public private(set) var observers: Int?
    /// The number of events that are missing in a gap.
    public private(set) var missingEvents: Int?

    /// A component, a loop or a store in a trace.
    public struct Owner: Codable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the owner's type.
        public let name: String
        /// The owner's number in the trace.
        public let number: Int

        /// The name and the number.
        public var description: String { "\(name) #\(number)" }
    }

    /// The kinds of events: the cases of `TraceEvent.Kind`, and ``gap``.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The owner was created.
        case created
        /// The processing of a message began.
        case received
        /// The processing of a message ended.
        case handled
        /// The state was changed.
        case changed
        /// A work was started.
        case started
        /// A work waits.
        case suspended
        /// A work ended by itself.
        case ended
        /// A work was cancelled.
        case cancelled
        /// A work failed, or an error occurred outside of all works.
        case failed
        /// A failure was handled.
        case recovered
        /// A policy decided about a work.
        case decided
        /// A message was dropped.
        case dropped
        /// A chain of messages grows faster than the trace allows.
        case endlessChain
        /// The owner ended.
        case closed
        /// Events are missing, because they happened faster than the file could be written; see
        /// ``JSONLinesFile/Overflow/drop``. The number, the time, the thread and the owner are those of the last
        /// missing event.
        case gap
    }

    /// Creates the record of an event, with the texts of the values of the event.
    ///
    /// - Complexity: The cost of describing the values. For a change with snapshots, the cost of comparing the states, and
    ///   of describing what differs.
    ///
    /// The record of a change has no state. ``JSONLines`` and ``JSONLinesFile`` add it where it is needed.
    public init(_ event: TraceEvent) {
        self.init(event, withState: false)
    }

    /// Creates the record of an event. Adds the state after a change if `withState` is `true`.
    init(_ event: TraceEvent, withState: Bool) {
        format = Self.currentFormat
        id = event.id
        cause = event.cause
        root = event.root
        time = event.time / .seconds(1)
        thread = event.thread
        owner = Owner(event.owner)
        kind = Kind(event.kind)
        switch event.kind {
        case .created(let state):
            self.state = state.map { ValueTree(of: $0.value) }
        case .received(let message, let source):
            self.message = message.description
            self.source = source.rawValue
        case .handled(let message):
            messageID = message
        case .changed(let from, let to, let observers):
            self.observers = observers
            if withState { state = to.map { ValueTree(of: $0.value) } }
            if let from, let to { changes = ValueChanges.changes(from: from.value, to: to.value) }
        case .started(let subject, let source):
            self.subject = subject.description
            self.source = source.rawValue
        case .suspended(let work), .ended(let work), .cancelled(let work):
            workID = work
        case .failed(let work, let error):
            workID = work
            self.error = error.description
        case .recovered(let error, let recovery):
            self.error = error.description
            self.recovery = recovery.description
        case .decided(let decision, let subject):
            self.decision = "\(decision)"
            self.subject = subject.description
        case .dropped(let message, let reason):
            self.message = message.description
            self.reason = reason.rawValue
        case .endlessChain(let messages):
            self.messages = messages.map(\.description)
        case .closed:
            break
        }
    }

    /// Creates the record of a gap of `count` events, the last of which is `event`. Does not describe the values of
    /// `event`.
    init(gapOf count: Int, endingWith event: TraceEvent) {
        format = Self.currentFormat
        (id, cause, root, time) = (event.id, nil, event.id, event.time / .seconds(1))
        (thread, owner, kind) = (event.thread, Owner(event.owner), .gap)
        missingEvents = count
    }
}

/// The owners whose states a reader of the lines so far knows.
struct KnownStates {
    private var owners: Set<TraceEvent.Owner> = []

    /// Returns whether the line of an event must have the whole state after it.
    mutating func lacksState(of event: TraceEvent) -> Bool {
        switch event.kind {
        case .created(.some): owners.insert(event.owner)
        case .changed(_, .some, _): return owners.insert(event.owner).inserted
        case .closed: owners.remove(event.owner)
        default: break
        }
        return false
    }
}

extension TraceRecord.Owner {
    fileprivate init(_ owner: TraceEvent.Owner) { self.init(name: owner.name, number: owner.number) }
}

extension TraceRecord.Kind {
    fileprivate init(_ kind: TraceEvent.Kind) {
        self =
            switch kind {
            case .created: .created
            case .received: .received
            case .handled: .handled
            case .changed: .changed
            case .started: .started
            case .suspended: .suspended
            case .ended: .ended
            case .cancelled: .cancelled
            case .failed: .failed
            case .recovered: .recovered
            case .decided: .decided
            case .dropped: .dropped
            case .endlessChain: .endlessChain
            case .closed: .closed
            }
    }
}
