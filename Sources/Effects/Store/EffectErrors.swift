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

/// An effect that answers itself for ever: its last answer was dropped. The store goes on.
///
/// It is told by what follows from what in this store: without tasks by how many actions follow from one; through
/// tasks, or through the main actor, by how often in a second whoever acts has acted before in the same line of causes,
/// where all lines that have come of one are counted together. What an effect's task dispatches by itself follows from
/// what the task was started for; so does what is dispatched by a handler or an observer of the main actor's, and by a
/// `Task` that one of these starts. A detached task, and a `Task` that is started by a closure of no isolation, follow
/// from nothing; nor is it seen where a line leaves the store, through another one or through a stream such as
/// ``Store/actions(buffering:)``.
///
/// Who is told of it may dispatch. If that leads to a runaway again, the second report goes to standard error alone.
public struct RunawayEffect: Error, CustomStringConvertible {
    /// Where the effect was written, as `Module/File.swift:line`; `nil` where an observer or a middleware dispatches
    /// for ever.
    public let effect: String?
    /// The types of the last actions, at most sixteen, the latest last: that one was dropped.
    public let causes: [String]

    /// The effect, the actions, and what to do.
    public var description: String {
        """
        \(effect.map { "The effect of \($0)" } ?? "An observer or a middleware") answers for ever, and was stopped: \
        \(causes.joined(separator: " → ")). To fix, let it answer with actions that it does not listen to, \
        or write dispatch: false.
        """
    }
}
