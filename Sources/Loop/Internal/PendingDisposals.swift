import ArchitectureEngine
import FunctionalCore

/// The connections of one connectable that are still to be disposed.
///
/// A connectable that has one connection at a time is not connected again before that: a start right after a stop would
/// meet it still in use. An object is the same connectable wherever it is connected; a value is another one each time.
final class PendingDisposals: Sendable {
    /// Kept for its identity alone.
    private let connectable: Unchecked<AnyObject>

    private final class Token {}

    init(of connectable: Any) {
        self.connectable = connectedObject(of: connectable) ?? Unchecked(Token())
    }

    private var identity: ObjectIdentifier { ObjectIdentifier(connectable.value) }

    /// A connection is closed, and is going to be disposed.
    func begin() {
        PendingConnectables.shared.begin(identity)
    }

    /// It has been disposed. What waited for the last one is called, here.
    func end() {
        PendingConnectables.shared.end(identity)
    }

    /// Calls `body`: now, or when the last has been disposed, by the thread that does that.
    func whenNone(_ body: @escaping @Sendable () -> Void) {
        PendingConnectables.shared.whenNone(identity, body)
    }
}

/// The connectables with connections that are still to be disposed, in the whole process.
///
/// Unchecked: `entries` is touched under the lock alone; what waits is called outside of it. An entry lives only as long
/// as a connection of its object is to be disposed, or what waits for that is being called, so that the object lives,
/// too, and its identity is its own.
private final class PendingConnectables: @unchecked Sendable {
    static let shared = PendingConnectables()

    private struct Entry {
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let lock = Locked()
    private var entries: [ObjectIdentifier: Entry] = [:]

    func begin(_ identity: ObjectIdentifier) {
        lock.withLock { entries[identity, default: Entry()].count += 1 }
    }

    func end(_ identity: ObjectIdentifier) {
        lock.withLock { entries[identity]?.count -= 1 }
        // One by one: a connection that is made for one of them may have to be waited for by the next.
        while let body = next(identity) { body() }
    }

    func whenNone(_ identity: ObjectIdentifier, _ body: @escaping @Sendable () -> Void) {
        let isNone = lock.withLock {
            guard let entry = entries[identity], entry.count > 0 else { return true }
            entries[identity]?.waiting.append(body)
            return false
        }
        if isNone { body() }
    }

    private func next(_ identity: ObjectIdentifier) -> (@Sendable () -> Void)? {
        lock.withLock {
            guard let entry = entries[identity], entry.count == 0 else { return nil }
            if entry.waiting.isEmpty {
                entries[identity] = nil
                return nil
            }
            return entries[identity]?.waiting.removeFirst()
        }
    }
}
