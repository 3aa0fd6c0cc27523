import FunctionalCore

/// A buffer of values that wait for the actor of an observer, up to a limit. The queue of the actor contains one call
/// for each value in the buffer. Each call removes the oldest value and passes it to the observer.
///
/// Unchecked: the values are used under the lock, or by the thread that has removed them.
@usableFromInline
final class BufferedValues<Value>: @unchecked Sendable {
    private let limit: Int
    private let keepsNewest: Bool
    private let values = Locked(Queue<(value: Value, cause: TraceCause?)>())

    /// Creates a buffer. Returns `nil` if the policy has no limit. Traps if the limit is less than 1.
    @usableFromInline
    init?(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy) {
        switch policy {
        case .bufferingNewest(let limit): (self.limit, keepsNewest) = (limit, true)
        case .bufferingOldest(let limit): (self.limit, keepsNewest) = (limit, false)
        default: return nil
        }
        checkCount(limit, in: 1...(.max), of: "The buffering of an observer")
    }

    /// Buffers a value, and enqueues a call of `body` on the actor. If the buffer is full, drops this value or the
    /// oldest one, as the buffering policy says, and enqueues no call.
    @usableFromInline
    func post(
        _ value: Value, to queue: ActorQueue, until cancellation: Cancellation, _ body: @escaping (Value) -> Void
    ) {
        let entry = (value: value, cause: TraceCause.current?.continued(by: .observer))
        // The dropped entry is released outside of the lock.
        let (isFull, dropped) = values.withLock { values -> (Bool, (value: Value, cause: TraceCause?)?) in
            let isFull = values.count >= limit
            let dropped = isFull && keepsNewest ? values.removeFirst() : nil
            if !isFull || keepsNewest { values.append(entry) }
            return (isFull, dropped)
        }
        withExtendedLifetime(dropped) {}
        if isFull { return }
        queue.post { [self] in
            let (value, cause) = values.withLock { $0.removeFirst() }
            if !cancellation.isCancelled { TraceCause.with(cause) { body(value) } }
        }
    }
}
