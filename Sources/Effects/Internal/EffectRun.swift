import ArchitectureEngine

/// An effect while a store runs it, over all its attempts.
///
/// Unchecked: `restarts` is touched while the store handles something; the rest under the lock.
final class EffectRun: @unchecked Sendable {
    let effect: Effect<Void>
    var restarts = 0

    /// Whether the effect was to live as long as somebody who is gone.
    let isOrphaned: (@Sendable () -> Bool)?
    private let onEnd: @Sendable () -> Void
    private let lock = Lock()
    private var state = EffectStatus.running
    private var attempt: StreamRun?

    init(
        _ effect: Effect<Void>,
        isOrphaned: (@Sendable () -> Bool)? = nil,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.effect = effect
        self.isOrphaned = isOrphaned
        self.onEnd = onEnd
    }

    deinit { lock.free() }

    var status: EffectStatus { lock.withLock { state } }

    /// The attempt that runs, if one does.
    var current: StreamRun? { lock.withLock { attempt } }

    /// Takes up an attempt; says whether it is wanted.
    func begin(_ run: StreamRun) -> Bool {
        lock.withLock {
            guard case .running = state else { return false }
            attempt = run
            return true
        }
    }

    /// Sets what has become of it, if that is not known already, and ends what runs. Any thread.
    func end(as status: EffectStatus) {
        let (isFirst, run) = lock.withLock {
            guard case .running = state else { return (false, nil as StreamRun?) }
            state = status
            defer { attempt = nil }
            return (true, attempt)
        }
        run?.cancel()
        if isFirst { onEnd() }
    }
}
