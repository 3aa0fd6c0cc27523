import ArchitectureEngine
import FunctionalCore

/// The store that runs a stream, independent of the type of its state.
protocol StreamHost: AnyObject, Sendable {
    var executor: (any TaskExecutor)? { get }
    /// The queue of the main actor, on which the store has calls made in order.
    var mainActorQueue: ActorQueue { get }
    var settling: Settling { get }
    var effects: EffectTable { get }
    /// Whether the calling thread processes a message of the store, and is not inside a transition.
    var isHandlingHere: Bool { get }
    /// Calls `body` in a message of its own, of which `effect` is the sender.
    func enter(by effect: EffectRun?, _ body: @escaping () -> Void)
}

extension StreamHost {
    /// Calls `body` while the store processes a message: at once if this thread does, otherwise in a message of its own.
    func inTurn(by effect: EffectRun? = nil, _ body: @escaping () -> Void) {
        if isHandlingHere { body() } else { enter(by: effect, body) }
    }
}

/// A task of a run. It passes its results to the store.
struct StreamTask: Sendable {
    let run: StreamRun
    let progress: FiniteWork?

    /// Calls `body` in a message of the store, and waits for that. Returns `false` without calling it if the run has ended.
    @discardableResult
    func enter(_ body: @escaping () -> Void) async -> Bool {
        // Unchecked: the values that `body` captures are used only while the store processes a message, which one thread
        // at a time does.
        let body = Unchecked(body)
        return await withCheckedContinuation { waiter in
            guard let host = run.host else { return waiter.resume(returning: false) }
            host.enter(by: run.effect) {
                let isWanted = run.isWanted
                if isWanted { body.value() }
                waiter.resume(returning: isWanted)
            }
        }
    }
}
