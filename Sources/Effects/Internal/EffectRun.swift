import ArchitectureEngine
import FunctionalCore
import Synchronization

/// An effect while a store runs it, over all its attempts.
///
/// Unchecked: what counts the attempts is touched while the store handles something; the rest under the lock.
@usableFromInline
final class EffectRun: @unchecked Sendable {
    /// Where it was written.
    let name: String
    let dispatches: Bool
    /// The group it was registered in, if it was.
    let group: AnyHashable?
    /// Its place in that, under whose lock this is touched.
    var place = 0
    /// How many failures it may begin anew after.
    var restartsLeft: Int
    /// Whether its store has let go of it.
    var isForgotten = false
    /// Whether an attempt is on its way to begin, and whether it has failed in that.
    var isBeginning = false
    var hasFailedToBegin = false

    private let isOrphaned: (@Sendable () -> Bool)?
    private let cancellation = Atomic<Bool>(false)
    private let lock = Lock()
    private var state = EffectStatus.running
    // What the effect is made of, and who wants to know its end: let go of then, while a registration may be kept.
    private var describe: (@Sendable (()) -> ActionStream<any Action>)?
    private var onEnd: (@Sendable () -> Void)?
    private var attempt: StreamRun?

    init(
        _ effect: Effect<Void>,
        group: AnyHashable? = nil,
        isOrphaned: (@Sendable () -> Bool)? = nil,
        onEnd: (@Sendable () -> Void)? = nil
    ) {
        name = effect.name
        dispatches = effect.dispatches
        restartsLeft = if case .restart(let limit) = effect.failure { limit } else { 0 }
        describe = effect.describe
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

    /// Takes up an attempt, and hands out the stream for it; nil where it is not wanted.
    func begin(_ run: StreamRun) -> ActionStream<any Action>? {
        let describe = lock.withLock {
            if self.describe != nil { attempt = run }
            return self.describe
        }
        return describe?(())
    }

    /// Sets what has become of it, if that is not known already, and ends what runs. Any thread.
    func end(as status: EffectStatus) {
        let isCancelled = if case .cancelled = status { true } else { false }
        if isCancelled { cancellation.store(true, ordering: .releasing) }
        let ended: Ended? = lock.withLock {
            guard case .running = state else { return nil }
            state = status
            defer { (attempt, describe, onEnd) = (nil, nil, nil) }
            return Ended(attempt: attempt, describe: describe, onEnd: onEnd)
        }
        if isCancelled { ended?.attempt?.cancel() } else { ended?.attempt?.end() }
        ended?.onEnd?()
    }

    /// What is let go of outside of the lock.
    private struct Ended {
        let attempt: StreamRun?
        let describe: (@Sendable (()) -> ActionStream<any Action>)?
        let onEnd: (@Sendable () -> Void)?
    }
}
