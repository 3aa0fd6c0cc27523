/// An effect whose stream has failed.
public struct EffectFailure: Error, CustomStringConvertible {
    /// Where the effect was written, as `Module/File.swift:line`.
    public let effect: String
    /// What its stream failed with.
    public let error: any Error

    /// The effect and the error.
    public var description: String {
        "The effect of \(effect) failed: \(error)"
    }
}

/// An effect that answers itself for ever: its last answer was dropped. The store goes on.
///
/// It is told by what follows from what in this store: within one drain by the number of actions, across tasks by how many
/// follow one another in a second. What a task, or a closure that had to wait for the main actor, dispatches by itself
/// follows from nothing.
///
/// Who is told of it may dispatch. If that leads to a runaway again, the second report goes to standard error alone.
public struct RunawayEffect: Error, CustomStringConvertible {
    /// Where the effect was written, as `Module/File.swift:line`; `nil` where an observer or a
    /// middleware dispatches for ever.
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
