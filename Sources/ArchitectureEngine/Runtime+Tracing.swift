public import FunctionalCore

/// What a runtime with a trace does in addition.
extension Runtime {
    /// Where a message comes from that is sent now.
    @usableFromInline
    package func origin(in tracer: Tracer) -> TraceOrigin {
        tracer.origin {
            if core.isChangingHere { return .transition }
            // A work that is being started on the draining thread is the sender of its messages.
            if !core.isDrainingHere || tracer.currentCause?.sender != nil { return nil }
            return source(of: core.confined.sender)
        }
    }

    /// Whether `handle(_:)` drops a payload: not if the owner ends when it is deallocated.
    @inlinable
    package func drops(_ payload: Payload) -> Bool { false }

    /// Processes a payload, and records that it does, unless the payload is dropped.
    @inlinable
    func handle(_ payload: Payload, from origin: TraceOrigin) {
        guard let tracer = core.tracer else { return handle(payload) }
        if drops(payload) { return drop(payload, from: origin) }
        tracer.process(Self.message(in: payload), from: origin) { handle(payload) }
    }

    /// Calls `body` as the processing of a message that is sent now, and records it. Returns `false`, without a call, if
    /// the runtime has no trace, its scheduler is not inline, or its queue is not idle.
    @inlinable
    package func processNow(recording message: @autoclosure () -> any Sendable, _ body: () -> Void) -> Bool {
        guard let tracer = core.tracer, core.isInline, core.isIdle else { return false }
        let origin = origin(in: tracer)
        return processNow(if: true) { tracer.process(message(), from: origin, body) }
    }

    /// Records a payload that is not processed.
    @usableFromInline
    package func recordDrop(of payload: Payload) {
        if let tracer = core.tracer { tracer.record(.dropped(tracer.redacted(Self.message(in: payload)))) }
    }

    /// Has `handle(_:)` drop a payload, and record that it does.
    @usableFromInline
    func drop(_ payload: Payload, from origin: TraceOrigin) {
        TraceCause.with(origin.cause) { handle(payload) }
    }

    /// A call that has the current cause when it is made in turn.
    @usableFromInline
    func traced(_ body: @escaping () -> Void) -> () -> Void {
        let cause = TraceCause.current
        return { TraceCause.with(cause, body) }
    }

    /// Records the state, and registers an observer that records each change. Must be called by an initializer: it
    /// comes before all other observers.
    @usableFromInline
    package func observeForTrace() {
        guard let tracer = core.tracer else { return }
        let record = tracer.changes(from: core.state.value)
        let count = { [unowned core] in core.observers.count - 1 }
        core.observers.append(Observer { state in record(state, count()) })
    }
}
