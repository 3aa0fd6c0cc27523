import Synchronization

/// A queue of messages that keeps its capacity: one lock to append, and one to take all that wait.
///
/// It holds two buffers. `drain` exchanges them under the lock and empties the one that it took, without freeing it. So
/// a message allocates nothing, as in the queue of a component, a loop or a store.
final class FIFO: Sendable {
    private let messages: Mutex<[Int]>

    init(capacity: Int) {
        var buffer: [Int] = []
        buffer.reserveCapacity(capacity)
        messages = Mutex(buffer)
    }

    @inline(__always)
    func append(_ message: Int) {
        messages.withLock { $0.append(message) }
    }

    var capacity: Int { messages.withLock { $0.capacity } }

    /// Calls `body` with each message that waits. `taken` is the second buffer; it is empty before and afterwards.
    @inline(__always)
    func drain(_ taken: inout [Int], _ body: (Int) -> Void) {
        messages.withLock { swap(&$0, &taken) }
        for message in taken { body(message) }
        taken.removeAll(keepingCapacity: true)
    }
}
