import FunctionalCore

/// A barrier that delays the connections to a connectable until its closed connections have been disposed.
///
/// A connectable may support only one connection at a time. Without the barrier, a start right after a stop could
/// connect it while a busy connection of the earlier start has not been disposed. An object is the same connectable in
/// every route and controller. A value is a separate connectable for each barrier.
struct DisposalBarrier: Sendable {
    /// Unchecked: only the identity of the object is used.
    private let connectable: Unchecked<AnyObject>

    private final class Token: Sendable {}

    private struct Entry {
        /// The number of closed connections that have not been disposed.
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    /// The connectables with closed connections that have not been disposed, in the whole process. An entry exists only
    /// while a connection or a waiting body retains the barrier, so that no other object has the identity.
    private static let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// Creates the barrier of an object. If `object` is `nil`, creates a separate barrier for a value.
    init(of object: Unchecked<AnyObject>?) {
        connectable = object ?? Unchecked(Token())
    }

    private var identity: ObjectIdentifier { ObjectIdentifier(connectable.value) }

    /// Records that a connection has been closed. `end()` must follow.
    func begin() {
        Self.entries.withLock { $0[identity, default: Entry()].count += 1 }
    }

    /// Records that a closed connection has been disposed. After the last disposal, calls the waiting bodies.
    func end() {
        Self.entries.withLock { $0[identity]?.count -= 1 }
        // One by one, since each body may make a connection for which the next body has to wait.
        while let body = next() { body() }
    }

    private func next() -> (@Sendable () -> Void)? {
        Self.entries.withLock { entries in
            guard let entry = entries[identity], entry.count == 0 else { return nil }
            if entry.waiting.isEmpty {
                entries[identity] = nil
                return nil
            }
            return entries[identity]?.waiting.removeFirst()
        }
    }

    /// Calls `body` when no closed connection is left: at once, or on the thread that disposes the last closed
    /// connection.
    func whenNone(_ body: @escaping @Sendable () -> Void) {
        let isNone = Self.entries.withLock { entries in
            guard let entry = entries[identity], entry.count > 0 else { return true }
            entries[identity]?.waiting.append(body)
            return false
        }
        if isNone { body() }
    }
}
