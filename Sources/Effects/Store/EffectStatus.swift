/// The status of an effect that was registered with a store.
public enum EffectStatus: Sendable {
    /// The effect listens to actions, or has work under way.
    case running
    /// The stream of the effect and all its work have ended without a failure.
    case finished
    /// The stream of the effect has failed, and the effect does not restart.
    case failed(any Error)
    /// The effect was cancelled, its store was deallocated, or the part of the scope that has registered it is gone.
    case cancelled
}
