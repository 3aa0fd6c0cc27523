import FunctionalCore

/// The run of an effect, over all its attempts.
///
/// Unchecked: see `StreamRun`. The rest is constant or locked.
@usableFromInline
final class EffectRun: StreamRun, @unchecked Sendable {
    /// The place where the effect was created.
    let name: String
    let dispatches: Bool
    private let group: AnyHashable?
    private let isOrphaned: (@Sendable () -> Bool)?
    private let outcome: Locked<(status: EffectStatus, onEnd: (@Sendable () -> Void)?)>

    init(
        _ effect: Effect<Void>,
        host: any StreamHost,
        group: AnyHashable?,
        isOrphaned: (@Sendable () -> Bool)?,
        onEnd: (@Sendable () -> Void)?
    ) {
        name = effect.name
        dispatches = effect.dispatches
        self.group = group
        self.isOrphaned = isOrphaned
        outcome = Locked((.running, onEnd))
        super.init(in: host.effects.root, of: nil, host: host)
        if let group { host.effects.insert(self, into: group) }
    }

    /// Whether the effect has an owner that was deallocated.
    var isOrphan: Bool { isOrphaned?() == true }

    var status: EffectStatus { outcome.withLock { $0.status } }

    /// Cancels the effect. May be called from any thread.
    override func cancel() {
        setStatus(.cancelled)
        super.cancel()
    }

    /// Ends the effect, whose stream has completed, with the error if there is one.
    func complete(_ error: (any Error)?) {
        setStatus(error.map { .failed($0) } ?? .finished)
        end()
    }

    /// Sets the status that the effect ends with. The first one wins.
    private func setStatus(_ status: EffectStatus) {
        let onEnd = outcome.withLock { outcome in
            guard case .running = outcome.status else { return nil as (@Sendable () -> Void)? }
            defer { outcome = (status, nil) }
            return outcome.onEnd
        }
        onEnd?()
        if let group { host?.effects.remove(self, from: group) }
    }
}
