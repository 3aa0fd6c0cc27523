import ArchitectureEngine
import FunctionalCore

/// The store that runs a stream, independent of the type of its state.
protocol StreamHost: AnyObject, Sendable {
    var executor: (any TaskExecutor)? { get }
    /// The queue of the main actor, on which the store has calls made in order.
    var mainActorQueue: ActorQueue { get }
    var settling: Settling { get }
    /// Records what happens, if the store has a trace.
    var tracer: Tracer? { get }
    var effects: EffectTable { get }
    /// Whether the calling thread processes a message of the store, and is not inside a transition.
    var isHandlingHere: Bool { get }
    /// Calls `body` in a message of its own.
    func perform(_ body: @escaping () -> Void)
}

extension StreamHost {
    /// Calls `body` while the store processes a message: at once if this thread does, otherwise in a message of its
    /// own.
    func inTurn(_ body: @escaping () -> Void) {
        if isHandlingHere { body() } else { perform(body) }
    }
}
