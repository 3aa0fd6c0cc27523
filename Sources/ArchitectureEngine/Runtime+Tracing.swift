public import FunctionalCore

/// Functions for the trace of a runtime, if it has one.
extension Runtime {
    /// Returns the sender and the cause of a message that the calling thread is enqueueing.
    @usableFromInline
    func origin(in tracer: Tracer) -> TraceOrigin {
        tracer.origin {
            if core.isChangingHere { return .transition }
            // If the draining thread is running a work of the trace, this work is the sender, and the tracer returns
            // it.
            if !core.isDrainingHere || tracer.currentCause?.sender != nil { return nil }
            return source(of: core.confined.sender)
        }
    }

    /// Records the drop of a payload, if the runtime has a trace.
    @usableFromInline
    package func recordDrop(of payload: Payload, because reason: TraceEvent.DropReason) {
        core.tracer?.recordDrop(of: Self.message(in: payload), because: reason)
    }

    /// Drops a payload, with the cause of `origin` as the current cause if there is an origin.
    @usableFromInline
    @inline(never)
    func drop(_ payload: Payload, from origin: TraceOrigin?) {
        TraceCause.with(origin.map(\.cause) ?? TraceCause.current) { drop(payload) }
    }

    /// Returns a function that calls `body` with the cause that is current now.
    @usableFromInline
    func traced(_ body: @escaping () -> Void) -> () -> Void {
        let cause = TraceCause.current
        return { TraceCause.with(cause, body) }
    }

    /// If the runtime has a trace, records the state, and registers an observer that records each change. The
    /// initializer of the runtime must call this, so that this observer comes before all others.
    @usableFromInline
    package func observeForTrace() {
        guard let tracer = core.tracer else { return }
        let record = tracer.changes(from: core.state.value)
        let count = { [unowned core] in core.observers.count - 1 }
        core.observers.append(Observer { state in record(state, count()) })
    }
}
