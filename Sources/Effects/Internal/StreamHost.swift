import ArchitectureEngine
import FunctionalCore

/// The interface of a store for the streams that it runs. It does not depend on the type of the state.
///
/// The store processes messages one at a time. A message is an action, or a function that was passed to `perform(_:)`.
protocol StreamHost: AnyObject, Sendable {
    var executor: (any TaskExecutor)? { get }
    /// The queue of the main actor. It makes the store's calls on the main actor in order.
    var mainActorQueue: ActorQueue { get }
    var settling: Settling { get }
    /// The context of the message that the store is processing.
    var currentContext: SendContext { get }
    /// Calls `body`, which starts work that belongs to an earlier message; see `MessageQueue.inContext(_:_:)`.
    func inContext(_ context: SendContext?, _ body: () -> Void)
    /// The recorder of the store's trace, or `nil` if the store has no trace.
    var tracer: Tracer? { get }
    var effects: EffectTable { get }
    /// Whether the calling thread processes a message of the store, and is not changing the state.
    var isHandlingHere: Bool { get }
    /// Calls `body` in a separate message: at once if the store is processing no message, and otherwise in turn.
    func perform(_ body: @escaping () -> Void)
    /// Reports an error to the observers of errors, in a separate message.
    func report(_ error: any Error)
}

extension StreamHost {
    /// Calls `body` while the store processes a message: at once if `isHandlingHere`, and otherwise in a separate
    /// message.
    func inTurn(_ body: @escaping () -> Void) {
        if isHandlingHere { body() } else { perform(body) }
    }
}
