/// A recorder of the events of one component, loop or store. Thread-safe.
@usableFromInline
package final class Tracer: Sendable {
    private let trace: Trace
    package let owner: TraceEvent.Owner
    /// The type of the effects of a loop, or `nil` for any other owner.
    private let effect: Any.Type?
    private var recorder: TraceRecorder { trace.recorder }

    @usableFromInline
    package init(_ trace: Trace, owner: Any.Type, effect: Any.Type? = nil) {
        self.trace = trace
        self.effect = effect
        self.owner = TraceEvent.Owner(name: "\(owner)", number: trace.recorder.nextOwner())
    }

    package var keepsStates: Bool { trace.keepsStates }

    /// The maximum length of a chain of messages, if the owner is created without a maximum of its own. `nil` if the
    /// trace sets no maximum.
    @usableFromInline package var maximumChain: Int? { recorder.maximumChain }

    /// Returns a value with the redactions of the trace applied.
    package func redacted(_ value: any Sendable) -> TraceValue { trace.redacted(value) }

    /// Returns an effect with the redactions of the trace applied.
    ///
    /// `parameters` is the value that the effect's route has extracted from the effect. If a redaction applies to it,
    /// the effect may contain the same data in another form. The result is then an `OmittedValue`, unless the type of
    /// the effect is redacted.
    package func subject<Effect: Sendable>(of effect: Effect, passedOnAs parameters: some Sendable) -> TraceValue {
        if trace.hides(parameters), !trace.redacts(effect) {
            return TraceValue(OmittedValue(type: "\(type(of: effect))"))
        }
        return redacted(part(effect))
    }

    /// Returns a value that user code has extracted from a message or an effect, in the form in which the trace may
    /// record it as the subject of a work.
    ///
    /// If the trace redacts any type, the result is an `OmittedValue`, because the value may contain data that the
    /// redaction removes. The exceptions are a value whose own type is redacted, a whole effect, and `Void`: the result
    /// is then the value.
    @usableFromInline
    package func part<Part: Sendable>(_ value: Part) -> any Sendable {
        if !trace.redactsAny || Part.self == effect || Part.self == Void.self || trace.redacts(value) { return value }
        return OmittedValue(type: "\(type(of: value))")
    }

    /// The current cause, or `nil` if there is no current cause or if it belongs to another trace.
    package var currentCause: TraceCause? {
        guard let cause = TraceCause.current, cause.root.recorder === recorder else { return nil }
        return cause
    }

    /// Records an event with the current cause.
    package func record(_ kind: consuming TraceEvent.Kind) {
        record(kind, causedBy: currentCause)
    }

    package func record(_ kind: consuming TraceEvent.Kind, causedBy cause: TraceCause?) {
        emit(kind, as: recorder.next(), causedBy: cause, at: recorder.elapsed())
    }

    /// Records the drop of a message.
    package func recordDrop(of message: any Sendable, because reason: TraceEvent.DropReason) {
        record(.dropped(redacted(message), because: reason))
    }

    /// Records an event if `condition` holds. The event gets its number before the condition is checked.
    func record(_ kind: consuming TraceEvent.Kind, causedBy cause: TraceCause?, if condition: () -> Bool) {
        let (id, time) = (recorder.next(), recorder.elapsed())
        if condition() { emit(kind, as: id, causedBy: cause, at: time) }
    }

    private func emit(_ kind: consuming TraceEvent.Kind, as id: Int, causedBy cause: TraceCause?, at time: Duration) {
        recorder.sink.receive(TraceEvent(id: id, cause: cause, time: time, owner: owner, kind: kind))
    }

    // MARK: - Failures

    /// Returns `result`, into which a handler has turned a failure. If there is a current cause, its tracer records
    /// this.
    ///
    /// - Parameter recovery: Returns what the failure has become, without redactions. If it returns `nil`, nothing is
    ///   recorded. It is called only if there is a current cause.
    // Not inlined, so that a handler is only larger by a call.
    @usableFromInline
    @inline(never)
    package static func recovered<Result>(
        from failure: some Error, to result: Result, as recovery: (Result) -> TraceEvent.Recovery?
    ) -> Result {
        guard let tracer = TraceCause.current?.tracer, var recovery = recovery(result) else { return result }
        if case .value(let value?) = recovery { recovery = .value(tracer.redacted(tracer.part(value.value))) }
        if case .failure(let error) = recovery { recovery = .failure(tracer.redacted(error.value)) }
        tracer.record(.recovered(from: tracer.redacted(failure), as: recovery))
        return result
    }

    // MARK: - Messages

    /// Records a message, calls `body` to process it, and records the end of the processing. While `body` runs, the
    /// message is the current cause.
    ///
    /// - Parameter origin: The origin of the message, or `nil` if code outside of the owner sends it now.
    @usableFromInline
    package func process<Result>(_ message: any Sendable, from origin: TraceOrigin?, _ body: () -> Result) -> Result {
        let (message, origin) = (redacted(message), origin ?? self.origin { nil })
        let cause = TraceCause(in: recorder, by: self, cause: origin.cause, depth: origin.depth, sender: nil)
        let time = recorder.elapsed()
        emit(.received(message, from: origin.sender), as: cause.id, causedBy: origin.cause, at: time)
        if cause.depth > 0,
            let last = cause.root.growth.grow(to: cause.depth, by: message, at: time, maximum: recorder.maximumGrowth)
        {
            reportEndlessChain(last, causedBy: cause)
        }
        defer { record(.handled(message: cause.id), causedBy: cause) }
        return cause.run(isSynchronous: true, body)
    }

    /// Returns the origin of a message that is sent now.
    ///
    /// - Parameter sender: Returns the sender if this thread is processing a message of the owner, and otherwise `nil`.
    package func origin(_ sender: () -> TraceEvent.Source?) -> TraceOrigin {
        let cause = currentCause
        let source = sender() ?? cause.map { $0.sender ?? .elsewhere } ?? .caller
        return TraceOrigin(cause: cause, depth: TraceCause.depth(after: cause), sender: source)
    }

    private func reportEndlessChain(_ last: [TraceValue], causedBy cause: TraceCause) {
        record(.endlessChain(last), causedBy: cause)
        report(
            """
            A chain of messages of \(owner) goes on through tasks, and has grown by more than \
            \(recorder.maximumGrowth) steps in a second: \(last.map(\.description).joined(separator: " → ")). \
            Nothing was dropped. To fix, let a task send only when something has changed, or let it wait. \
            If the chain is intended, raise the maximum growth of the trace.
            """)
    }

    /// Records a decision of a policy. A `TraceWorkSink` also receives it with all arguments.
    package func record(
        _ decision: TraceEvent.Decision, on subject: TraceValue, of submission: AnyObject, delay: Duration,
        queue: AnyObject?
    ) {
        record(.decided(decision, subject))
        (recorder.sink as? any TraceWorkSink)?
            .note(
                decision, on: subject, of: ObjectIdentifier(submission), cause: currentCause?.id, delay: delay,
                queue: queue.map(ObjectIdentifier.init))
    }

    // MARK: - States

    /// Records the creation of the owner with `state`, and returns a function that records each change of the state.
    /// Only one thread at a time may call the returned function.
    package func changes<State: Sendable>(
        from state: State
    ) -> (_ state: Borrowed<State>, _ observers: Int) -> Void {
        var last = keepsStates ? redacted(state) : nil
        record(.created(state: last))
        return { [self] state, observers in
            guard keepsStates else { return record(.changed(from: nil, to: nil, observers: observers)) }
            let new = redacted(state.value)
            let kind = TraceEvent.Kind.changed(from: last, to: new, observers: observers)
            last = new
            record(kind)
        }
    }

    // MARK: - Work

    /// Records the start of a work with the current cause.
    ///
    /// - Parameters:
    ///   - subject: The subject of the work.
    ///   - source: The kind of the work. It is also the sender of the work's messages.
    @usableFromInline
    package func begin(_ subject: any Sendable, _ source: TraceEvent.Source) -> TracedWork {
        begin(redacted(subject), source)
    }

    /// Records the start of a work whose subject has the redactions of the trace applied.
    @usableFromInline
    package func begin(_ subject: TraceValue, _ source: TraceEvent.Source) -> TracedWork {
        let origin = currentCause
        let cause = TraceCause(
            in: recorder, by: self, cause: origin, depth: TraceCause.depth(after: origin), sender: source)
        emit(.started(subject, source), as: cause.id, causedBy: origin, at: recorder.elapsed())
        return TracedWork(tracer: self, cause: cause)
    }
}

extension Tracer? {
    /// Returns the text of a value for standard error. If there is a trace, the value is redacted.
    package func text(of value: any Sendable) -> String {
        self?.redacted(value).description ?? "\(value)"
    }
}

/// The sender and the cause of a message.
@usableFromInline
package struct TraceOrigin: Sendable {
    package let cause: TraceCause?
    let depth: Int
    package let sender: TraceEvent.Source
}
