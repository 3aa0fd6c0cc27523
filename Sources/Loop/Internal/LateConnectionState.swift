import ArchitectureEngine
import FunctionalCore

/// The state machine of a `LateConnection`. Its functions return instructions, which the caller performs outside of the
/// lock.
struct LateConnectionState<Input: Sendable> {
    private var connection: Connection<Input>?
    /// The enqueued values.
    private var values = Queue<Input>()
    /// The number of enqueued values that the current delivery still has to pass on.
    private var batchCount = 0
    /// Whether a delivery of the enqueued values is pending or running. `true` at first, because a delivery follows as
    /// soon as the connection is made.
    private var isDelivering = true
    private var isConnecting = false
    /// The threads that are in the connection's `accept` or `dispose`.
    private var threads: [UInt] = []
    private var phase = Phase.open
    /// Whether the connection was being made, or used by another thread, when it was closed. If so, the last thread
    /// that makes or uses the connection disposes it.
    private var isDisposedByUser = false

    private enum Phase {
        case open, closed, finished, disposed
    }

    var isClosed: Bool { phase != .open }

    var isDisposed: Bool { phase == .disposed }

    var isUsedHere: Bool { threads.contains(CurrentThread.identity) }

    // MARK: Connecting

    /// Begins connecting, unless the connection is closed. Returns whether the caller must make the connection.
    mutating func beginConnecting() -> Bool {
        isConnecting = !isClosed
        return isConnecting
    }

    /// Stores the new connection. Returns whether the calling thread must dispose it, because it was closed meanwhile.
    mutating func endConnecting(_ connection: Connection<Input>) -> Bool {
        self.connection = connection
        isConnecting = false
        return isClosed
    }

    // MARK: Accepting

    /// Enqueues a value, unless the connection is closed, or the buffer is full and keeps the older values. If the
    /// buffer is full and keeps the newer values, removes the oldest one. Returns whether the caller must post a
    /// delivery, and the value that was removed to make room, if any.
    mutating func enqueue(
        _ value: Input, _ buffering: AsyncStream<Input>.Continuation.BufferingPolicy
    ) -> (Bool, Input?) {
        if isClosed { return (false, nil) }
        var skipped: Input?
        switch buffering {
        case .bufferingNewest(let limit) where values.count >= limit: skipped = values.removeFirst()
        case .bufferingOldest(let limit) where values.count >= limit: return (false, nil)
        default: break
        }
        values.append(value)
        defer { isDelivering = true }
        return (!isDelivering, skipped)
    }

    /// Registers the calling thread as a user of the connection, and returns the connection. Returns `nil` if the
    /// connection is not open, or if an enqueued value must be delivered first.
    mutating func beginAccepting() -> Connection<Input>? {
        guard !isClosed, !isDelivering, let connection else { return nil }
        threads.append(CurrentThread.identity)
        return connection
    }

    /// Begins to deliver the values that are enqueued now.
    mutating func beginBatch() {
        batchCount = values.count
    }

    /// Returns the next value of the batch, which the calling thread must pass to the returned connection. Returns
    /// `nil` if the batch is empty or the connection is closed.
    mutating func next() -> (Connection<Input>, Input)? {
        guard !isClosed, let connection, batchCount > 0 else { return nil }
        batchCount -= 1
        threads.append(CurrentThread.identity)
        return (connection, values.removeFirst())
    }

    /// Ends a batch. Returns whether another batch must be delivered, because further values have arrived.
    mutating func endBatch() -> Bool {
        isDelivering = values.count > 0 && !isClosed
        return isDelivering
    }

    /// Records that a call of the connection on the calling thread has ended. Returns whether the calling thread must
    /// dispose the connection.
    mutating func endUse() -> Bool {
        if let index = threads.lastIndex(of: CurrentThread.identity) { threads.remove(at: index) }
        return isDisposedByUser && threads.isEmpty
    }

    // MARK: Disposing

    /// Closes the connection, and returns the dropped values.
    mutating func close() -> Queue<Input> {
        phase = .closed
        isDisposedByUser = isConnecting || threads.contains { $0 != CurrentThread.identity }
        defer { (values, batchCount) = (Queue(), 0) }
        return values
    }

    /// Begins the disposal of the closed connection, unless `isDisposedByUser` is `true`. Returns whether the caller
    /// must dispose it.
    mutating func finish() -> Bool {
        if phase != .closed || isDisposedByUser { return false }
        phase = .finished
        return true
    }

    mutating func beginDisposal() -> Connection<Input>? {
        threads.append(CurrentThread.identity)
        defer { connection = nil }
        return connection
    }

    mutating func endDisposal() {
        _ = endUse()
        phase = .disposed
    }
}
