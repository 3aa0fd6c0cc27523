/// The failure of an effect's stream, as reported to ``Store/onError(_:)``.
public struct EffectFailure: Error, CustomStringConvertible {
    /// The place where the effect was created, as `Module/File.swift:line`.
    public let effect: String
    /// The error that the stream failed with.
    public let error: any Error
    /// What happens to the effect next, as its ``FailurePolicy`` decides.
    public let nextStep: NextStep

    /// What happens to an effect after its stream has failed.
    public enum NextStep: Sendable, Hashable {
        /// The effect restarts at once, unless it has been cancelled meanwhile. `left` is the number of restarts that
        /// remain after this restart.
        case restarts(left: Int)
        /// The effect has ended. Its ``EffectRegistration/status`` is ``EffectStatus/failed(_:)``.
        case ends
    }

    /// The effect, whether it restarts, and the error.
    public var description: String { description(of: "\(error)") }

    /// Returns the description of this failure, with `error` as the text of the error.
    func description(of error: String) -> String {
        switch nextStep {
        case .restarts(let left): "The effect of \(effect) restarts (restarts left: \(left)). It failed: \(error)"
        case .ends: "The effect of \(effect) has ended. It failed: \(error)"
        }
    }
}
