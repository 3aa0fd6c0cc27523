/// Something that happened in a component, a loop or a store that has a ``Trace``.
public struct TraceEvent: Sendable, Identifiable {
    /// The number of the event. Events of one trace have different numbers, and later events have higher numbers.
    public let id: Int
    /// The number of the event that caused this event. That event is a message that was received, or a work that was
    /// started.
    ///
    /// `nil` if the trace knows no cause, as for a message that code outside sends.
    public let cause: Int?
    /// The number of the first event of the chain of causes, or the number of this event if it has no cause.
    public let root: Int
    /// The time since the trace was created, by the clock of the trace.
    public let time: Duration
    /// A number that identifies the thread among the threads that exist at the same time.
    public let thread: UInt
    /// The component, loop or store in which the event happened.
    public let owner: Owner
    /// What happened.
    public let kind: Kind

    package init(
        id: Int, cause: TraceCause?, time: Duration, owner: Owner, kind: Kind
    ) {
        self.id = id
        self.cause = cause?.id
        root = cause?.root.id ?? id
        self.time = time
        thread = CurrentThread.identity
        self.owner = owner
        self.kind = kind
    }

    /// A component, a loop or a store in a trace.
    public struct Owner: Sendable, Hashable, CustomStringConvertible {
        /// The name of the owner's type.
        public let name: String
        /// The owner's number in the trace. Numbers begin at 1, in the order of creation.
        public let number: Int

        package init(name: String, number: Int) {
            self.name = name
            self.number = number
        }

        /// The name and the number.
        public var description: String { "\(name) #\(number)" }
    }

    /// What happened.
    public enum Kind: Sendable {
        /// A component, a loop or a store was created with this state. The state is `nil` without snapshots.
        case created(state: TraceValue?)
        /// The processing of an input, an event or an action began.
        case received(TraceValue, from: Source)
        /// The processing of a message ended. All its synchronous consequences have happened, except for messages that
        /// it has enqueued.
        case handled(message: Int)
        /// A change was committed, which may leave the state as it was. `observers` is the number of observers. All
        /// observers of the whole state are notified, and those of a part if the part has changed. The states are `nil`
        /// without snapshots.
        case changed(from: TraceValue?, to: TraceValue?, observers: Int)
        /// A work was started. The number of this event is the number of the work. The value is the subject of the
        /// work: the input, the whole effect of a loop, the subscription's id, or the place where an effect of a store
        /// was created.
        case started(TraceValue, Source)
        /// A work suspended. This is recorded only for the first suspension of a work.
        case suspended(work: Int)
        /// A work ended by itself.
        case ended(work: Int)
        /// A work ended because it was cancelled.
        case cancelled(work: Int)
        /// A work failed, or an error occurred outside of all works.
        case failed(work: Int?, error: TraceValue)
        /// A failure was handled: it became something else, which is the result of the step that failed. The event has
        /// the cause and the owner of the work or the message in which this happened.
        case recovered(from: TraceValue, as: Recovery)
        /// A policy decided about a submitted work. The value is the subject of the work.
        case decided(Decision, TraceValue)
        /// A message was dropped, or an action of an input for a child that was absent.
        case dropped(TraceValue, because: DropReason)
        /// A chain of messages continues through tasks, and grows faster than the trace allows. No message is dropped.
        /// The values are the last messages of the chain.
        case endlessChain([TraceValue])
        /// The component, loop or store ended. Works that do not end at once when they are cancelled end after this
        /// event.
        case closed
    }

    /// Why a message, or an action of an input, was dropped.
    public enum DropReason: String, Sendable, Hashable, CaseIterable {
        /// The owner of the message had ended, or the subscription, the effect or the event source that sent it.
        case ended
        /// The message was cancelled before its turn.
        case cancelled
        /// The chain of messages was stopped.
        case endlessChain
        /// The child, the row or the part of a scope that the input was for was absent.
        case absent
    }

    /// What a failure has become.
    public enum Recovery: Sendable, CustomStringConvertible {
        /// A value: an event of a loop, or a value of a stream. It is `nil` if a program or a stream of changes
        /// recovers, whose values may be of any type, and if the handler of an effect or an event source returns no
        /// event.
        case value(TraceValue?)
        /// Another failure.
        case failure(TraceValue)
        /// Another program or stream, which runs next.
        case fallback
        /// Another attempt, which begins after this delay.
        case retry(after: Duration)
    }

    /// The sender of a message, or the kind of a work.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Code outside of all components, loops and stores of the trace.
        case caller
        /// An observer of the state or of errors.
        case observer
        /// An action of a component.
        case action
        /// A subscription of a component.
        case subscription
        /// The effect handler of a loop, or an effect of a store.
        case effect
        /// The event source of a loop.
        case eventSource
        /// A middleware of a store.
        case middleware
        /// A transition: an update, a reducer, or the `deinit` of a value that it drops.
        case transition
        /// Code that an event of the trace has caused and that is not one of the other sources. Examples are an
        /// observer of another component, loop or store, and a task that an observer has started.
        case elsewhere
    }

    /// The decision of a policy about a work.
    public enum Decision: Sendable, Hashable {
        /// The work starts.
        case starts
        /// The work waits until earlier work has ended.
        case waits
        /// The work waits for the clock of the policy.
        case delayed
        /// The work never starts.
        case dropped
        /// The work had started, and is cancelled in favour of newer work.
        case replaced
    }
}

/// A value in a trace: a state, a message, an error, or the subject of a work.
///
/// The text of the value is created when it is read.
public struct TraceValue: Sendable, CustomStringConvertible {
    /// The value, with the redactions of the trace applied.
    public let value: any Sendable

    @usableFromInline
    package init(_ value: any Sendable) {
        self.value = value
    }

    /// The text of the value. It omits the memory addresses that Swift prints for private and local types.
    ///
    /// The text is cut off, with `…`, if the value has more than 10,000 parts or 64 levels, or if the text has more than
    /// 100,000 characters. So it takes a bounded time and a bounded stack.
    public var description: String { boundedDescription(value) }
}
