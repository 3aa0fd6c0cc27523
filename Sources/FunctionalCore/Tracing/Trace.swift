/// A record of what happens in components, loops and stores: messages with their senders and causes, changes of states,
/// and works. A work is an action, a subscription, an effect or an event source that has been started.
///
/// ```swift
/// let events = TraceBuffer()
/// let component = Component(initialState: 0, environment: (), trace: Trace(to: events), dispatcher: stepper)
/// component.send(.tapIncrement)
/// for event in events.all { print(event) }
/// ```
///
/// Pass a trace to a component, a loop or a store when you create it. Several of these owners may share one trace. The
/// trace then also records which owner caused an event of another owner. An event of another trace is never a cause.
/// Without a trace, an owner records nothing, at no cost.
///
/// The events are passed to a sink, on the thread on which they happen. A cause is followed through the queue, through
/// tasks and their child tasks, and through the callbacks of effect handlers. Code that leaves its task, such as
/// `Task.detached` or a callback of another library, begins a new chain of causes.
///
/// A trace stores values, not text. The text of a value, and the difference of two states, are created when they are
/// read.
public struct Trace: Sendable {
    let recorder: TraceRecorder
    let keepsStates: Bool
    private var redactions: [Redaction] = []

    private struct Redaction: Sendable {
        let matches: @Sendable (Any) -> Bool
        /// Returns the redacted value, or `nil` if the value has another type.
        let apply: @Sendable (any Sendable) -> (any Sendable)?
    }

    /// Creates a trace.
    ///
    /// - Parameters:
    ///   - sink: Receives the events.
    ///   - snapshots: Whether changes contain the states. A recorded state is a copy, so the next change of a large
    ///     collection in the state copies the collection. Without snapshots, states are changed in place as without a
    ///     trace.
    ///   - maximumGrowth: How many times in a second a chain of causes may continue through a task or a callback. A
    ///     chain that grows faster is reported once, as ``TraceEvent/Kind/endlessChain(_:)`` and on standard error. No
    ///     message is dropped. A negative number traps.
    ///   - clock: The clock of ``TraceEvent/time``.
    public init(
        to sink: any TraceSink, snapshots: Bool = true, maximumGrowth: Int = 1_000,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        checkCount(maximumGrowth, of: "The maximumGrowth of a Trace")
        recorder = TraceRecorder(sink, maximumGrowth: maximumGrowth, clock: clock)
        keepsStates = snapshots
    }

    /// Creates a trace whose first event has the number after `lastEvent`.
    ///
    /// Use it to continue the numbers of another trace, so that the events of both traces have different numbers.
    ///
    /// - Parameter maximumChain: The maximum length of a chain of messages, for owners that are created without a
    ///   maximum of their own.
    package init(to sink: any TraceSink, clock: any Clock<Duration>, after lastEvent: Int, maximumChain: Int) {
        recorder = TraceRecorder(
            sink, maximumGrowth: .max, clock: clock, lastEvent: lastEvent, maximumChain: maximumChain)
        keepsStates = true
    }

    /// Creates a trace that calls a closure with each event.
    ///
    /// The closure is called on the thread on which the event happens, and by several threads at the same time. It must
    /// not send to a component, a loop or a store of the trace: each message would cause another message.
    ///
    /// - Parameters:
    ///   - snapshots: Whether changes contain the states; see ``init(to:snapshots:maximumGrowth:clock:)``.
    ///   - body: Receives the events.
    public init(snapshots: Bool = true, _ body: @escaping @Sendable (TraceEvent) -> Void) {
        self.init(to: ClosureSink(body: body), snapshots: snapshots)
    }

    /// Returns a trace that changes the values of a type before it passes them to the sink.
    ///
    /// ```swift
    /// Trace(to: events).redacting(Login.self) { $0.password = "…" }
    /// ```
    ///
    /// The redaction applies to states, messages, errors and subjects of works whose type is `type` or a subclass. If
    /// `type` is a protocol such as `any Error`, the redaction applies to all values that conform to it. If several
    /// redactions apply to a value, the trace performs all of them.
    ///
    /// A value of another type that contains a value of `type`, at any depth, is omitted as a whole. To see the rest of
    /// such a value, redact its type, too. The result of that redaction is recorded unchanged.
    ///
    /// An effect of a loop is recorded as a whole. It is also omitted if the parameters that its route passes to the
    /// handler are or contain a value of `type`, unless the type of the effect is redacted.
    ///
    /// Some recorded values are parts of a message: the effects of a router within a router, the values that an effect
    /// of a store passes to a policy, and the parameters of a route in a report on standard error. Such a part may
    /// contain data that a redaction of the message removes. If the trace redacts any type, it therefore omits these
    /// parts, unless their own type is redacted.
    ///
    /// The values in reports on standard error are redacted, too, if their owner has the trace. Not redacted are:
    ///
    /// - the text of a value that contains a secret in another form, for example in the message of an error,
    /// - the parts of an object, and parts that a type hides by a reflection of its own: redact these types,
    /// - the messages of traps, the failures of finalizers, and the errors of clocks under a program that cannot fail,
    /// - what a logger of a loop writes.
    ///
    /// - Complexity: For each value of another type that is recorded, O(n) in the number of its parts, times the number
    ///   of redactions. An array or a set of numbers or texts counts as one part. For a large state, redact its type,
    ///   or record no snapshots.
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - redact: Changes a value. To change an object, assign another object, because the program uses this object,
    ///     too.
    public func redacting<Value: Sendable>(
        _ type: Value.Type, _ redact: @escaping @Sendable (inout Value) -> Void
    ) -> Trace {
        var trace = self
        trace.redactions.append(
            Redaction { value in
                value is Value
            } apply: { value in
                guard var redacted = value as? Value else { return nil }
                redact(&redacted)
                return redacted
            })
        return trace
    }

    /// Returns a trace that replaces the values of a type by a text that only names the type.
    ///
    /// See ``redacting(_:_:)`` for the values to which this applies.
    public func omitting<Value: Sendable>(_ type: Value.Type) -> Trace {
        var trace = self
        let name = "\(type)"
        trace.redactions.append(
            Redaction { value in
                value is Value
            } apply: { value in
                value is Value ? OmittedValue(type: name) : nil
            })
        return trace
    }

    /// Whether any values are redacted.
    var redactsAny: Bool { !redactions.isEmpty }

    /// Returns whether the type of a value is redacted.
    func redacts(_ value: Any) -> Bool { redactions.contains { $0.matches(value) } }

    /// Returns whether a redaction applies to a value or to a part of it.
    func hides(_ value: Any) -> Bool { !redactions.isEmpty && (redacts(value) || containsRedacted(value)) }

    /// Returns the value with all redactions applied. If none applies, but a part of the value has a redacted type,
    /// returns an `OmittedValue`.
    func redacted(_ value: any Sendable) -> TraceValue {
        if redactions.isEmpty || value is OmittedValue { return TraceValue(value) }
        var (redacted, isRedacted) = (value, false)
        for redaction in redactions {
            if let next = redaction.apply(redacted) { (redacted, isRedacted) = (next, true) }
        }
        if !isRedacted, containsRedacted(value) { redacted = OmittedValue(type: "\(type(of: value))") }
        return TraceValue(redacted)
    }

    /// Returns whether a value has a part whose type is redacted. Reflection finds the parts, except for those of
    /// objects.
    private func containsRedacted(_ value: Any) -> Bool {
        // Not recursive, because values may be deep.
        var rest = [value]
        while let value = rest.popLast() {
            if type(of: value) is AnyClass { continue }
            if let values = value as? any PlainCollection, let first = values.plainElement {
                if redacts(first) { return true }
                continue
            }
            for child in Mirror(reflecting: value).children {
                if redacts(child.value) { return true }
                rest.append(child.value)
            }
        }
        return false
    }
}

/// A collection that has no parts other than its elements, such as an array.
private protocol PlainCollection {
    /// The first element, if `Element` is a number type or `String`, so that all elements have the same type. `nil` for
    /// other types, and for an empty collection.
    var plainElement: Any? { get }
}

extension Sequence {
    fileprivate var plainElement: Any? {
        Element.self is any FixedWidthInteger.Type || Element.self is any BinaryFloatingPoint.Type
            || Element.self == String.self ? first { _ in true } : nil
    }
}

extension Array: PlainCollection {}
extension ContiguousArray: PlainCollection {}
extension Set: PlainCollection {}

/// The replacement for a value that a trace omits. It contains only the name of the value's type.
struct OmittedValue: Sendable, CustomStringConvertible {
    let type: String

    var description: String { "‹\(type) omitted›" }
}

/// A receiver for the events of a trace.
public protocol TraceSink: Sendable {
    /// Receives an event.
    ///
    /// Called on the thread on which the event happens, by several threads at the same time. It must not send to a
    /// component, a loop or a store of the trace, and should not block.
    func receive(_ event: consuming TraceEvent)
}

/// A sink that also receives the decisions of policies, and the sleeps of works.
package protocol TraceWorkSink: TraceSink {
    /// Receives a decision of a policy.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - subject: The subject of the work.
    ///   - submission: The identity of the work until the policy starts or drops it.
    ///   - cause: The number of the cause of the decision, or `nil` if the decision has no cause.
    ///   - delay: The time that a delayed work waits if no newer work replaces it.
    ///   - queue: The queue of the policy if the work waits or is delayed, and otherwise `nil`.
    func note(
        _ decision: TraceEvent.Decision, on subject: TraceValue, of submission: ObjectIdentifier, cause: Int?,
        delay: Duration, queue: ObjectIdentifier?)

    /// Receives the start of a sleep of `Clock.tracedSleep`, on the thread of the task that sleeps.
    ///
    /// - Parameters:
    ///   - sleep: The current cause during the sleep. Each sleep has an object of its own, which identifies it.
    ///   - clock: The type of the clock.
    ///   - queue: The policy queue that waits for the end of the sleep, or `nil` if no policy queue waits for it.
    func noteSleep(_ sleep: TraceCause, on clock: Any.Type, queue: ObjectIdentifier?)

    /// Receives the end of a sleep.
    func noteEnd(of sleep: TraceCause)
}

extension Clock {
    /// Sleeps for a duration; see `tracedSleep(until:queue:)`.
    @usableFromInline
    package func tracedSleep(for duration: Duration) async throws {
        try await tracedSleep(until: now.advanced(by: duration))
    }

    /// Sleeps until `deadline`. If an event of a trace caused the sleep, notifies the sink of the trace of the start
    /// and the end of the sleep.
    ///
    /// - Parameters:
    ///   - deadline: The end of the sleep.
    ///   - queue: The policy queue that waits for the end of the sleep, or `nil` if no policy queue waits for it.
    @usableFromInline
    package func tracedSleep(until deadline: Instant, queue: ObjectIdentifier? = nil) async throws {
        guard let cause = TraceCause.current, let sink = cause.root.recorder.sink as? any TraceWorkSink else {
            return try await sleep(until: deadline, tolerance: nil)
        }
        let sleep = cause.copy
        sink.noteSleep(sleep, on: Self.self, queue: queue)
        defer { sink.noteEnd(of: sleep) }
        try await TraceCause.$current.withValue(sleep) { try await self.sleep(until: deadline, tolerance: nil) }
    }
}

private struct ClosureSink: TraceSink {
    let body: @Sendable (TraceEvent) -> Void

    func receive(_ event: TraceEvent) { body(event) }
}
