/// The failure of an effect, as reported to ``Store/onError(_:)``.
public struct EffectFailure: Error, CustomStringConvertible {
    /// The place where the effect was created, as `Module/File.swift:line`.
    public let effect: String
    /// The action whose request has failed. `nil` if the whole stream of the effect has failed.
    public let action: (any Action)?
    /// The error that the request or the stream failed with.
    public let error: any Error
    /// What happens to the effect next.
    public let nextStep: NextStep

    /// What happens to an effect after a failure.
    public enum NextStep: Sendable, Hashable {
        /// The effect continues. Only the request for ``EffectFailure/action`` has ended.
        case continues
        /// The effect restarts after a pause, unless it is cancelled meanwhile. If the next attempts fail, too, at most
        /// `left` further restarts follow. ``FailurePolicy`` describes the pause and the count.
        case restarts(left: Int)
        /// The effect has ended. Its ``EffectRegistration/status`` is ``EffectStatus/failed(_:)``.
        case ends
    }

    /// The effect, what happens to it next, the action if there is one, and the error.
    public var description: String { description { "\($0)" } }

    /// Returns the description of this failure, with the texts that `text` returns for the action and the error.
    func description(_ text: (any Sendable) -> String) -> String {
        let failure = "It failed\(action.map { " for \(text($0))" } ?? ""): \(text(error))"
        return switch nextStep {
        case .continues: "The effect of \(effect) continues. \(failure)"
        case .restarts(let left): "The effect of \(effect) restarts (restarts left: \(left)). \(failure)"
        case .ends: "The effect of \(effect) has ended. \(failure)"
        }
    }
}
