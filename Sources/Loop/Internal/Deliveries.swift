import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The events of effects with a policy that threads are sending to a loop.
///
/// A consumer accepts an event alone. So when the loop receives an event, it asks here which work item is sending it. The
/// router calls the consumer of the loop directly, with no code of the user between them.
@usableFromInline
final class Deliveries: Sendable {
    /// The sending of an event on one thread.
    @usableFromInline
    struct Delivery {
        let thread: UInt
        let work: WorkItem
        let queue: PolicyQueue

        /// The ticket of the event, for its wait in the queue of the loop.
        @usableFromInline var ticket: WorkTicket { queue.ticket(for: work) }
    }

    private let current = Locked<[Delivery]>([])
    private let flag = Atomic<Bool>(false)
    private let off = Atomic<Bool>(false)

    /// Whether `deliver(from:of:_:)` was called on this thread or, some time ago, on another one.
    @usableFromInline var areUsed: Bool { flag.load(ordering: .relaxed) }

    /// Whether the events pass through a transformer, which may send several events in one call.
    var areOff: Bool { off.load(ordering: .relaxed) }

    @usableFromInline
    init() {}

    /// Called before the loop connects its effect handler.
    func turnOff() { off.store(true, ordering: .relaxed) }

    /// Calls `send`, which sends an event of `work` on this thread.
    func deliver(from work: WorkItem, of queue: PolicyQueue, _ send: () -> Void) {
        flag.store(true, ordering: .relaxed)
        restore(Delivery(thread: CurrentThread.identity, work: work, queue: queue))
        send()
        _ = take()
    }

    /// Removes and returns the innermost delivery of this thread. The loop has taken it while it processes the event,
    /// because its other events come from other senders.
    @usableFromInline
    func take() -> Delivery? {
        let thread = CurrentThread.identity
        return current.withLock { current in
            current.lastIndex { $0.thread == thread }.map { current.remove(at: $0) }
        }
    }

    @usableFromInline
    func restore(_ delivery: Delivery) {
        current.withLock { $0.append(delivery) }
    }
}
