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
            return source(of: core.sender)
        }
    }

    /// Whether `handle(_:)` drops payloads: not if the owner ends when it is deallocated.
    @inlinable
    package var hasEnded: Bool { false }

    /// Processes a payload, and records that it does, unless the payload is dropped.
    @inlinable
    func handle(_ payload: Payload, from origin: TraceOrigin) {
        guard let tracer = core.tracer else { return handle(payload) }
        if hasEnded { return drop(payload, from: origin) }
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

    /// Has a payload dropped that was enqueued before the owner ended.
    @usableFromInline
    func drop(_ payload: Payload, from origin: TraceOrigin) {
        TraceCause.$current.withValue(origin.cause) { handle(payload) }
    }

    /// A call that has the current cause when it is made in turn.
    @usableFromInline
    func traced(_ body: @escaping () -> Void) -> () -> Void {
        let cause = TraceCause.current
        return { TraceCause.$current.withValue(cause, operation: body) }
    }

    /// Records the state, and registers an observer that records each change. Must be called by an initializer: it
    /// comes before all other observers.
    @usableFromInline
    package func observeForTrace() {
        guard let tracer = core.tracer else { return }
        let record = tracer.changes(from: core.state.pointee)
        let count = { [unowned core] in core.observers.count - 1 }
        core.observers.append(Observer { state in record(state, count()) })
    }
}
