import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The run of an effect in a store. It includes all attempts: the first start of the effect's stream, and each restart
/// after a failure.
///
/// Unchecked: the variables of this class are accessed only under the lock. `restarts` is used only while the store
/// processes a message, and one thread at a time processes messages. `StreamRun` documents the rest.
@usableFromInline
final class EffectRun: StreamRun, @unchecked Sendable {
    let dispatches: Bool
    /// Cancelled when the part that the effect belongs to is absent, so that its enqueued actions are dropped. `nil` if
    /// the effect belongs to no part.
    let partEnd: Cancellation?
    /// Whether the effect has emitted an action since the start of its last attempt. What an attempt emits while it
    /// starts does not count. Atomic, because atomic access is cheaper than a check of exclusive access.
    let hasEmitted = Atomic(false)
    let isStarting = Atomic(false)
    /// The restarts in a row, or `nil` if the count starts from its beginning.
    private var restarts: Restarts?
    /// The place where the effect was created.
    let name: String
    /// The recorder of the store's trace, or `nil` if the store has no trace.
    let tracer: Tracer?
    private var onEnd: (@Sendable (EffectRun) -> Void)?
    private var currentStatus = EffectStatus.running
    /// The current attempt in the store's trace. `nil` before the first attempt, and if the store has no trace.
    private var attempt: TracedWork?

    init(
        _ effect: Effect<Void>, host: any StreamHost, partEnd: Cancellation? = nil,
        onEnd: (@Sendable (EffectRun) -> Void)?
    ) {
        name = effect.name
        self.partEnd = partEnd
        dispatches = effect.dispatches
        tracer = host.tracer
        self.onEnd = onEnd
        super.init(in: host.effects.root, of: nil, host: host)
    }

    var status: EffectStatus { lock.withLock { currentStatus } }

    /// Cancels the effect. May be called from any thread.
    override func cancel() {
        willEnd(as: .cancelled)
        super.cancel()
        recordEnd()
    }

    /// Ends the effect, after its stream has completed. `error` is `nil` if the stream has not failed.
    func complete(_ error: (any Error)?) {
        if let error { report(error, .ends) }
        willEnd(as: error.map { .failed($0) } ?? .finished)
        end()
        recordEnd()
    }

    /// Sets the status with which the effect ends, and calls `onEnd`. If the effect has already ended, nothing changes.
    private func willEnd(as status: EffectStatus) {
        let onEnd: (@Sendable (EffectRun) -> Void)? = lock.withLock {
            guard case .running = currentStatus else { return nil }
            currentStatus = status
            return self.onEnd.take()
        }
        onEnd?(self)
    }

    /// Returns the pause before the next attempt after an attempt has failed, and reports the failure. Returns `nil` if
    /// the effect must end.
    func pause(after error: any Error, by policy: FailurePolicy) -> Duration? {
        if hasEmitted.exchange(false, ordering: .relaxed) { restarts = nil }
        let restarts = restarts ?? Restarts(left: policy.count, pauses: policy.pauses)
        self.restarts = restarts
        guard let pause = restarts.pause(after: error) else { return nil }
        report(error, .restarts(left: restarts.left))
        return pause
    }

    /// Reports the failure of the request for `action`, or of the current attempt if `action` is `nil`.
    func report(_ error: any Error, _ nextStep: EffectFailure.NextStep, for action: (any Action)? = nil) {
        if action == nil { lock.withLock { attempt }?.fail(error) }
        host?.report(EffectFailure(effect: name, action: action, error: error, nextStep: nextStep))
    }
}

/// The restarts of an effect in a row. An object, because most effects never restart.
private final class Restarts {
    private(set) var left: Int
    private var pauses: Schedule<any Error>
    private var paused = Duration.zero

    init(left: Int, pauses: Schedule<any Error>) {
        (self.left, self.pauses) = (left, pauses)
    }

    /// Returns the pause before the next restart, or `nil` if there is none.
    func pause(after error: any Error) -> Duration? {
        left -= 1
        guard left >= 0, case .again(let pause, let rest) = pauses.step(error, paused) else { return nil }
        (pauses, paused) = (rest, paused + pause)
        return pause
    }
}

// MARK: - Tracing

extension EffectRun {
    /// Runs `start` as the first part of an attempt, and records the attempt as a `TracedWork` in the store's trace. It
    /// counts as suspended while the attempt listens for actions.
    ///
    /// - Parameter run: The run of the attempt.
    func trace(attemptIn run: StreamRun, with tracer: Tracer, _ start: () -> Void) {
        let work: TracedWork? = tracer.begin(name, .effect)
        // The previous attempt is released outside of the lock, because its release may be recorded.
        var replaced = work
        lock.withLock { swap(&attempt, &replaced) }
        withExtendedLifetime(replaced) {}
        // If another thread cancelled the effect before this attempt was stored, the attempt has no end yet.
        recordEnd()
        work.run(start)
        if !run.isOver { work?.suspend() }
    }

    /// Records the end of the current attempt if the effect has ended.
    private func recordEnd() {
        let (attempt, status) = lock.withLock { (self.attempt, currentStatus) }
        switch status {
        case .running: break
        case .finished: attempt?.end()
        case .failed(let error): attempt?.fail(error)
        case .cancelled: attempt?.cancel()
        }
    }
}

extension ActionStream {
    /// Returns a stream each of whose starts is an attempt of the effect. A trace records it.
    func asAttempts(of effect: EffectRun) -> ActionStream {
        ActionStream { run, subscriber in
            effect.isStarting.store(true, ordering: .relaxed)
            defer { effect.isStarting.store(false, ordering: .relaxed) }
            guard let tracer = effect.tracer else { return start(run, subscriber) }
            effect.trace(attemptIn: run, with: tracer) { start(run, subscriber) }
        }
    }
}
