public import FunctionalCore

/// A message in the queue of a runtime.
@usableFromInline
package enum Message<Payload> {
    /// An input, an event or an action.
    case payload(Payload)
    /// An input, an event or an action of a runtime that has a trace, with its sender and its cause.
    indirect case traced(Payload, TraceOrigin)
    /// An event of a work item of a policy. It is dropped if the ticket is void in its turn. The origin is `nil` if the
    /// runtime has no trace.
    indirect case ticketed(Payload, WorkTicket, TraceOrigin?)
    /// A function that the draining thread calls in turn.
    indirect case perform(() -> Void)
    /// The report of a chain that was stopped, and the payload that was dropped.
    indirect case stoppedChain(ChainStop, Payload)
}

/// A message in the queue, and the chain of its causes. The chain is `nil` if the message has no cause.
@usableFromInline
struct QueuedMessage<Payload> {
    @usableFromInline let message: Message<Payload>
    @usableFromInline let chain: Chain?

    @inlinable
    init(message: Message<Payload>, chain: Chain?) {
        self.message = message
        self.chain = chain
    }
}

/// The result of enqueueing a message.
@usableFromInline
package enum Posting {
    /// The message is enqueued, and the draining thread will process it.
    case enqueued
    /// The message is enqueued, and the caller must drain the queue.
    case drain
    /// The message was dropped, because its chain was stopped.
    case stopped
}
