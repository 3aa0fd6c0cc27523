import FunctionalCore

/// The run of an effect, over all its attempts.
///
/// Unchecked: the variables are used under the lock. See `StreamRun` for the rest.
@usableFromInline
final class EffectRun: StreamRun, @unchecked Sendable {
    let dispatches: Bool
    /// The place where the effect was created.
    let name: String
    private let isOrphaned: (@Sendable () -> Bool)?
    private var onEnd: (@Sendable (EffectRun) -> Void)?
    private var currentStatus = EffectStatus.running

    init(
        _ effect: Effect<Void>,
        host: any StreamHost,
        isOrphaned: (@Sendable () -> Bool)?,
        onEnd: (@Sendable (EffectRun) -> Void)?
    ) {
        name = effect.name
        dispatches = effect.dispatches
        self.isOrphaned = isOrphaned
        self.onEnd = onEnd
        super.init(in: host.effects.root, of: nil, host: host)
    }

    /// Whether the effect has an owner that was deallocated.
    var isOrphan: Bool { isOrphaned?() == true }

    var status: EffectStatus { lock.withLock { currentStatus } }

    /// Cancels the effect. May be called from any thread.
    override func cancel() {
        willEnd(as: .cancelled)
        super.cancel()
    }

    /// Ends the effect, whose stream has completed, with the error if there is one.
    func complete(_ error: (any Error)?) {
        willEnd(as: error.map { .failed($0) } ?? .finished)
        end()
    }

    /// Sets the status that the effect ends with. The first one wins.
    private func willEnd(as status: EffectStatus) {
        let onEnd: (@Sendable (EffectRun) -> Void)? = lock.withLock {
            guard case .running = currentStatus else { return nil }
            currentStatus = status
            return self.onEnd.take()
        }
        onEnd?(self)
    }
}
