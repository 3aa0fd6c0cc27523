import ArchitectureEngine
import Dispatch
import FunctionalCore

/// The place where a connection accepts values, or where a route handles effects.
@usableFromInline
enum ConnectionPlace: Sendable {
    /// The calling thread.
    case caller
    /// A queue, on which values are accepted asynchronously. The calling thread makes and disposes the connection.
    case queue(DispatchQueue)
    /// The main actor, which accepts values, and makes and disposes the connection.
    case mainActor(ActorQueue)

    @usableFromInline
    var isCaller: Bool { if case .caller = self { true } else { false } }

    /// Whether the calling thread is at this place, and no earlier call is pending there.
    var isOpenHere: Bool {
        if case .mainActor(let actorQueue) = self { actorQueue.isOpenHere } else { isCaller }
    }

    /// Calls `body` where values are accepted: at once if the place is the calling thread, and later otherwise.
    func post(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .caller: body()
        case .queue(let queue): queue.async(execute: body)
        // The call has no cause, because its values may have different causes.
        case .mainActor(let actorQueue): TraceCause.with(nil) { actorQueue.post(body) }
        }
    }

    /// Calls `body` where connections are made, after the calls that are pending there.
    func perform(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let actorQueue) = self, !actorQueue.isOpenHere { actorQueue.post(body) } else { body() }
    }

    /// Calls `body` where connections are made. On the main thread, the call does not wait for pending calls.
    func performFirst(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let actorQueue) = self, !CurrentThread.isMain { actorQueue.post(body) } else { body() }
    }
}
