import FunctionalCore

/// A barrier that delays the connections to a connectable until its closed connections have been disposed.
///
/// A connectable may support only one connection at a time. Without the barrier, a start right after a stop could
/// connect it before a busy connection of the earlier start is disposed. A class instance counts as the same
/// connectable in every route and controller. A value counts as a separate connectable for each barrier.
struct DisposalBarrier: Sendable {
    /// The object whose identity identifies the connectable.
    ///
    /// Unchecked: only the identity of the object is used.
    private let connectable: Unchecked<AnyObject>

    private final class Token: Sendable {}

    private struct Entry {
        /// The number of closed connections that have not been disposed.
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    /// The entries of all connectables in the process that have closed connections which are not disposed yet. While an
    /// entry exists, a connection or a waiting closure retains the connectable, so no other object has its identity.
    private static let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// Creates the barrier of a connectable that is a class instance. If `object` is `nil`, creates the barrier of a
    /// connectable that is a value.
    init(of object: Unchecked<AnyObject>?) {
        connectable = object ?? Unchecked(Token())
    }

    private var identity: ObjectIdentifier { ObjectIdentifier(connectable.value) }

    /// Records that a connection has been closed. The caller must call `end()` after the connection has been disposed.
    func begin() {
        Self.entries.withLock { $0[identity, default: Entry()].count += 1 }
    }

    /// Records that a closed connection has been disposed. After the last disposal, calls the waiting closures.
    func end() {
        Self.entries.withLock { $0[identity]?.count -= 1 }
        // The closures are called one by one, since each may make and close a connection for which the next one has to
        // wait.
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

    /// Calls `body` when all closed connections have been disposed: at once, or on the thread that disposes the last
    /// one.
    func whenNone(_ body: @escaping @Sendable () -> Void) {
        let isNone = Self.entries.withLock { entries in
            guard let entry = entries[identity], entry.count > 0 else { return true }
            entries[identity]?.waiting.append(body)
            return false
        }
        if isNone { body() }
    }
}
