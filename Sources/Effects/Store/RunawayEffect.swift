internal import ArchitectureEngine

/// An error that reports an endless chain of actions: an effect or another sender kept answering its own actions.
///
/// A sender is an effect, an observer, an interceptor, a middleware or a reducer. The store calls senders while it
/// processes an action. If a sender dispatches another action in such a call, the first action is the cause of the
/// second.
///
/// A chain begins with an action that is dispatched from outside the store. A sender answers itself if it sends an
/// action, and has also sent a direct or indirect cause of this action. The store counts such actions. When it has
/// counted `maximumChain` actions of a chain, it drops all further actions of this kind. It keeps the state, and
/// continues with other actions.
///
/// In a chain with 64 different senders, the store no longer compares senders. If an action of such a chain causes
/// further actions, the store counts the first of them, whichever sender it has.
///
/// ``Store/onError(_:)`` receives this error once for each chain. If no observer of errors is registered, the error is
/// written to standard error.
///
/// An action that comes from a task, or from a call that was enqueued on an actor, begins a chain of its own. Such
/// actions are neither counted nor dropped. Time has no influence on the count.
///
/// An observer of errors may dispatch. If its actions lead to another endless chain, the report of that chain is only
/// written to standard error.
public struct RunawayEffect: Error, CustomStringConvertible {
    /// The place where the effect was created, as `Module/File.swift:line`. `nil` if the sender is not an effect.
    public let effect: String?
    /// The type names of the last actions of the chain, at most sixteen. The last action was dropped.
    public let causes: [String]
    private let stop: ChainStop

    init(effect: String?, _ stop: ChainStop) {
        self.effect = effect
        self.stop = stop
        causes = stop.causes
    }

    /// The sender, the last actions, and how to fix the cause.
    public var description: String {
        stop.description(of: effect.map { "The effect of \($0)" } ?? "An observer or a middleware")
    }
}
