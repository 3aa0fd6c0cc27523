import ArchitectureEngine
import Dispatch
import FunctionalCore

/// The place where a connection accepts values, or where a route handles effects.
@usableFromInline
enum ConnectionPlace: Sendable {
    /// The calling thread.
    case caller
    /// A dispatch queue, on which values are accepted asynchronously. The calling thread makes and disposes the
    /// connection.
    case queue(DispatchQueue)
    /// The main actor, which accepts values, and makes and disposes the connection.
    case mainActor(ActorQueue)

    @usableFromInline
    var isCaller: Bool { if case .caller = self { true } else { false } }

    /// Whether a call at this place may be made synchronously: the calling thread is at this place, and no earlier call
    /// is pending there. `false` for a dispatch queue.
    var isOpenHere: Bool {
        if case .mainActor(let actorQueue) = self { actorQueue.isOpenHere } else { isCaller }
    }

    /// Calls `body` at the place where values are accepted: synchronously if the place is the calling thread, and
    /// asynchronously otherwise.
    func post(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .caller: body()
        case .queue(let queue): queue.async(execute: body)
        // The call has no cause, because its values may have different causes.
        case .mainActor(let actorQueue): TraceCause.with(nil) { actorQueue.post(body) }
        }
    }

    /// Calls `body` at the place where connections are made, after the calls that are pending there. The call is
    /// synchronous, unless the place is the main actor, and the caller is elsewhere or an earlier call is pending.
    func perform(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let actorQueue) = self, !actorQueue.isOpenHere { actorQueue.post(body) } else { body() }
    }

    /// Calls `body` at the place where connections are made. Unlike `perform(_:)`, makes a synchronous call on the main
    /// thread even if earlier calls are pending.
    func performFirst(_ body: @escaping @Sendable () -> Void) {
        if case .mainActor(let actorQueue) = self, !CurrentThread.isMain { actorQueue.post(body) } else { body() }
    }
}
