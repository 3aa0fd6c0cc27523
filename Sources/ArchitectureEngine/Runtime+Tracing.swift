public import FunctionalCore

/// Functions for the trace of a runtime, if it has one.
extension Runtime {
    /// Returns the sender and the cause of a message that the calling thread is sending.
    @usableFromInline
    package func origin(in tracer: Tracer) -> TraceOrigin {
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

    /// Processes a payload, and records it if the runtime has a trace. If the trace exists and `drops(_:)` returns
    /// `true`, `handle(_:)` drops the payload and records the drop instead.
    @inlinable
    func handle(_ payload: Payload, from origin: TraceOrigin) {
        guard let tracer = core.tracer else { return handle(payload) }
        if drops(payload) { return drop(payload, from: origin) }
        tracer.process(Self.message(in: payload), from: origin) { handle(payload) }
    }

    /// Calls `body` to process a message that is sent now, and records the message. Returns `false` without calling
    /// `body` if the runtime has no trace, its scheduler is not inline, or its queue is not idle.
    @inlinable
    package func processNow(recording message: @autoclosure () -> any Sendable, _ body: () -> Void) -> Bool {
        guard let tracer = core.tracer, core.isInline, core.isIdle else { return false }
        let origin = origin(in: tracer)
        return processNow(if: true) { tracer.process(message(), from: origin, body) }
    }

    /// Records the drop of a payload, if the runtime has a trace.
    @usableFromInline
    package func recordDrop(of payload: Payload) {
        if let tracer = core.tracer { tracer.record(.dropped(tracer.redacted(Self.message(in: payload)))) }
    }

    /// Calls `handle(_:)`, which drops the payload and records the drop with the cause of `origin`.
    @usableFromInline
    func drop(_ payload: Payload, from origin: TraceOrigin) {
        TraceCause.with(origin.cause) { handle(payload) }
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
