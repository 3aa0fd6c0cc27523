internal import ArchitectureEngine

/// An effect whose stream has failed.
public struct EffectFailure: Error, CustomStringConvertible {
    /// Where the effect was written, as `Module/File.swift:line`.
    public let effect: String
    /// What its stream failed with.
    public let error: any Error
    /// What becomes of the effect, as its ``FailurePolicy`` says.
    public let nextStep: NextStep

    /// What becomes of an effect whose stream has failed.
    public enum NextStep: Sendable, Hashable {
        /// It begins anew at once, unless it is cancelled meanwhile, and may do so after as many more failures.
        case beginsAnew(left: Int)
        /// It has ended, and ``EffectRegistration/status`` is failed.
        case ends
    }

    /// The effect, whether it goes on, and the error.
    public var description: String {
        switch nextStep {
        case .beginsAnew(let left): "The effect of \(effect) begins anew (\(left) times left), as it failed: \(error)"
        case .ends: "The effect of \(effect) has ended, as it failed: \(error)"
        }
    }
}

/// An action that was dropped because an effect, an observer or a middleware answers its own actions without end.
///
/// A store counts, for each action that is dispatched from outside, the actions that follow from it synchronously and
/// whose sender is already among their causes. If there are more than `maximumChain`, no further one is processed. The
/// state stays as it is, and the store goes on with other actions. ``Store/onError(_:)`` gets this error once for each
/// chain; if nothing observes errors, it is written to standard error.
///
/// Actions that pass through a task or an actor are never counted and never dropped, nor is anything counted by time.
///
/// An observer of errors may dispatch. If that leads to another endless chain, its report goes to standard error only.
public struct RunawayEffect: Error, CustomStringConvertible {
    /// Where the effect was written, as `Module/File.swift:line`. `nil` if the sender is an observer or a middleware.
    public let effect: String?
    /// The types of the last actions, at most sixteen. The last one was dropped.
    public let causes: [String]
    private let stop: ChainStop

    init(effect: String?, _ stop: ChainStop) {
        self.effect = effect
        self.stop = stop
        causes = stop.causes
    }

    /// The sender, the last actions and the remedies.
    public var description: String {
        stop.description(of: effect.map { "The effect of \($0)" } ?? "An observer or a middleware")
    }
}
