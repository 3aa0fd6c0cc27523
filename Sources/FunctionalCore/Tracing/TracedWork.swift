import Synchronization

/// A work in a trace. It ends once; later ends are ignored. If it has not ended when it is deallocated, it ends as
/// cancelled. Thread-safe.
@usableFromInline
package final class TracedWork: Sendable {
    private let tracer: Tracer
    package let cause: TraceCause
    private let hasEnded = Atomic<Bool>(false)

    init(tracer: Tracer, cause: TraceCause) {
        self.tracer = tracer
        self.cause = cause
    }

    deinit { cancel() }

    /// Records that the work waits, unless it has ended. If another thread ends it meanwhile, the end has a higher
    /// number.
    @usableFromInline
    package func suspend() {
        if hasEnded.load(ordering: .relaxed) { return }
        tracer.record(.suspended(work: cause.id), causedBy: cause) {
            // An exchange and not a load, so that a later call of `end` observes it, and the end has a higher number.
            hasEnded.compareExchange(expected: false, desired: false, ordering: .acquiringAndReleasing).exchanged
        }
    }

    @usableFromInline
    package func end() {
        end(.ended(work: cause.id))
    }

    @usableFromInline
    package func cancel() {
        end(.cancelled(work: cause.id))
    }

    @usableFromInline
    package func fail(_ error: any Error) {
        end(.failed(work: cause.id, error: tracer.redacted(error)))
    }

    @usableFromInline
    @inline(never)
    func run<Result>(_ body: () -> Result) -> Result { cause.run(body) }

    @usableFromInline
    @inline(never)
    func asCause(_ body: () -> Void) { cause.withoutSender.run(body) }

    private func end(_ kind: TraceEvent.Kind) {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { tracer.record(kind, causedBy: cause) }
    }
}

extension TracedWork? {
    /// Calls `body` as a part of the work, with the work as the current cause.
    @inlinable
    @inline(__always)
    package func run<Result>(_ body: () -> Result) -> Result {
        guard let self else { return body() }
        return self.run(body)
    }

    /// Calls `body`, in which the work answers the current cause. The messages that `body` sends have the current cause
    /// as their cause, and the work as their sender. Without a current cause in the trace, the work is their cause.
    package func answer(_ body: () -> Void) {
        guard let self else { return body() }
        self.cause.answeringCurrent.run(body)
    }

    /// Calls `body` with the work as the current cause, but not as the sender of messages.
    ///
    /// Use it if `body` changes the state or reports a failure for the work: the messages that follow are sent by
    /// observers, and not by the work.
    @inlinable
    @inline(__always)
    package func asCause(_ body: () -> Void) {
        guard let self else { return body() }
        self.asCause(body)
    }

    /// Calls an asynchronous function as a part of the work, with the work as the current cause.
    package func runAsync<Result>(_ body: () async -> Result) async -> Result {
        guard let self else { return await body() }
        return await TraceCause.$current.withValue(self.cause, operation: body)
    }
}
