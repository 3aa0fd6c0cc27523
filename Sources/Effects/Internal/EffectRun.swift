import ArchitectureEngine
import FunctionalCore
import Synchronization

/// An effect while a store runs it, over all its attempts.
///
/// Unchecked: what counts the attempts is touched while the store handles something; the rest under the lock.
@usableFromInline
final class EffectRun: @unchecked Sendable {
    let effect: Effect<Void>
    /// The group it was registered in, if it was.
    let group: AnyHashable?
    var restarts = 0
    /// Whether an attempt is on its way to begin, and whether it has failed in that.
    var isBeginning = false
    var hasFailedToBegin = false

    private let isOrphaned: (@Sendable () -> Bool)?
    private let onEnd: @Sendable () -> Void
    private let cancellation = Atomic<Bool>(false)
    private let lock = Lock()
    private var state = EffectStatus.running
    private var attempt: StreamRun?

    init(
        _ effect: Effect<Void>,
        group: AnyHashable? = nil,
        isOrphaned: (@Sendable () -> Bool)? = nil,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.effect = effect
        self.group = group
        self.isOrphaned = isOrphaned
        self.onEnd = onEnd
    }

    deinit { lock.free() }

    /// Whether the effect was to live as long as somebody who is gone.
    var isOrphan: Bool { isOrphaned?() == true }

    /// Whether it was cancelled, also after it had ended.
    var isCancelled: Bool { cancellation.load(ordering: .acquiring) }

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
        let isCancelled = if case .cancelled = status { true } else { false }
        if isCancelled { cancellation.store(true, ordering: .releasing) }
        let (isFirst, run) = lock.withLock {
            guard case .running = state else { return (false, nil as StreamRun?) }
            state = status
            defer { attempt = nil }
            return (true, attempt)
        }
        if isCancelled { run?.cancel() } else { run?.end() }
        if isFirst { onEnd() }
    }
}
