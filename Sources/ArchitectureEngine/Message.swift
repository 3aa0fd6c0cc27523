public import FunctionalCore

/// A message in the queue of a runtime.
@usableFromInline
package enum Message<Payload> {
    /// An input, an event or an action.
    case payload(Payload)
    /// An input, an event or an action with its sender and its cause, which are `nil` if the runtime has no trace. It is
    /// dropped in its turn if the cancellation is cancelled; see `PolicyState.beginDelivery(_:)`.
    indirect case sent(Payload, from: TraceOrigin?, until: Cancellation?)
    /// A function that the draining thread calls in turn.
    indirect case perform(() -> Void)
    /// A message of a runtime that carries task-local values, with the values of its sender.
    indirect case bound(CapturedValues, Message)
    /// The report of a chain that was stopped, and the payload that was dropped.
    indirect case stoppedChain(ChainStop, Payload)
}

/// A message in the queue.
@usableFromInline
struct QueuedMessage<Payload> {
    @usableFromInline let message: Message<Payload>
    /// The chain of the message's causes, or `nil` if it has no cause.
    @usableFromInline let chain: Chain?
    /// The raw value of the sender's priority.
    @usableFromInline let priority: UInt8

    @inlinable
    init(message: Message<Payload>, chain: Chain?, priority: UInt8) {
        self.message = message
        self.chain = chain
        self.priority = priority
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
