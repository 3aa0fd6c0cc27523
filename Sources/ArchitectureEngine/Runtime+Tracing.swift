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

    /// Returns `false`, for runtimes that drop no payloads.
    @inlinable
    package func drops(_ payload: Payload) -> Bool { false }

    /// Drops a payload of a runtime that does nothing else with it.
    @usableFromInline
    package func drop(_ payload: Payload) { recordDrop(of: payload) }

    /// Calls `body`, which processes a message, and records the message if the runtime has a trace. `origin` is `nil` if
    /// there is no trace, or if the calling thread sends the message now.
    @inlinable
    @inline(__always)
    package func record<Result>(
        _ message: @autoclosure () -> any Sendable, from origin: TraceOrigin? = nil, _ body: () -> Result
    ) -> Result {
        guard let tracer = core.tracer else { return body() }
        return tracer.process(message(), from: origin, body)
    }

    /// Records the drop of a payload, if the runtime has a trace.
    @usableFromInline
    package func recordDrop(of payload: Payload) {
        core.tracer?.recordDrop(of: Self.message(in: payload))
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
