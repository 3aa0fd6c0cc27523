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
    /// Its place in the group it was registered in, if it was.
    let place: GroupPlace?
    /// How many failures it may begin anew after.
    var restartsLeft: Int
    /// Its number among the effects that were registered in its store, from 1.
    var position = 0
    /// Whether its store has let go of it.
    var isForgotten = false
    /// Whether an attempt is on its way to begin, and whether it has failed in that.
    var isBeginning = false
    var hasFailedToBegin = false

    private let isOrphaned: (@Sendable () -> Bool)?
    private let cancellation = Atomic<Bool>(false)
    private let lock = Locked()
    private var state = EffectStatus.running
    // What the effect is made of, and who wants to know its end: let go of then, while a registration may be kept.
    private var effect: Effect<Void>?
    private var onEnd: (@Sendable () -> Void)?
    private var attempt: StreamRun?

    init(
        _ effect: Effect<Void>,
        in place: GroupPlace? = nil,
        isOrphaned: (@Sendable () -> Bool)? = nil,
        onEnd: (@Sendable () -> Void)? = nil
    ) {
        name = effect.name
        dispatches = effect.dispatches
        restartsLeft = if case .restart(let limit) = effect.failure { limit } else { 0 }
        self.effect = effect
        self.place = place
        self.isOrphaned = isOrphaned
        self.onEnd = onEnd
    }

    /// Whether the effect was to live as long as somebody who is gone.
    var isOrphan: Bool { isOrphaned?() == true }

    /// Whether it was cancelled, also after it had ended.
    var isCancelled: Bool { cancellation.load(ordering: .acquiring) }

    var status: EffectStatus { lock.withLock { state } }

    /// The attempt that runs, if one does.
    var current: StreamRun? { lock.withLock { attempt } }

    /// Takes up an attempt, and hands out the stream for it; nil where it is not wanted.
    func begin(_ run: StreamRun) -> ActionStream<any Action>? {
        let (effect, before) = lock.withLock {
            defer { if self.effect != nil { attempt = run } }
            return (self.effect, attempt)
        }
        return withExtendedLifetime(before) { effect?.describe(()) }
    }

    /// Sets what has become of it, if that is not known already, and ends what runs. Any thread.
    func end(as status: EffectStatus) {
        let isCancelled = if case .cancelled = status { true } else { false }
        if isCancelled { cancellation.store(true, ordering: .releasing) }
        let ended: Ended? = lock.withLock {
            guard case .running = state else { return nil }
            state = status
            defer { (attempt, effect, onEnd) = (nil, nil, nil) }
            return Ended(attempt: attempt, effect: effect, onEnd: onEnd)
        }
        if isCancelled { ended?.attempt?.cancel() } else { ended?.attempt?.end() }
        ended?.onEnd?()
    }

    /// What is let go of outside of the lock.
    private struct Ended {
        let attempt: StreamRun?
        let effect: Effect<Void>?
        let onEnd: (@Sendable () -> Void)?
    }
}
