import Synchronization

/// The permission of a result that waits in the queue of a runtime. It is void if the work item that sent the result
/// was cancelled or replaced meanwhile, even if the work item had finished before.
@usableFromInline
package struct WorkTicket: Sendable {
    let work: WorkItem
    let generation: WorkGeneration?

    @usableFromInline var isVoid: Bool { work.isCancelled || generation?.hasEnded == true }
}

/// The work items of a policy queue that the next cancellation or replacement ends together, including those that have
/// finished. Tickets retain it, so that the queue knows whether results still wait.
package final class WorkGeneration: Sendable {
    private let ending = Atomic<Bool>(false)

    var hasEnded: Bool { ending.load(ordering: .acquiring) }

    func end() { ending.store(true, ordering: .releasing) }
}

extension Runtime {
    /// Sends a payload as `send(_:)` does, but drops it in its turn if the ticket is void.
    @inlinable
    package func send(_ payload: Payload, _ ticket: WorkTicket) {
        if !processNow({ process(.ticketed(payload, ticket, nil)) }) { _ = sendThroughQueue(payload, ticket) }
    }
}
