import ArchitectureEngine
package import Dispatch
import FunctionalCore

/// The serial queue of a controller's loops. It can determine whether the calling thread is in one of its calls.
@usableFromInline
final class LoopQueue: Sendable {
    private let queue: DispatchQueue
    private let target: DispatchQueue
    /// The lock that each call on the queue holds. A caller on the target, which may be serial, must not wait for the
    /// queue, since the queue could be waiting for the caller. Such a caller takes only the lock.
    private let turn: RecursiveLock
    private let targetKey = DispatchSpecificKey<Void>()
    private let isMain: Bool
    private let isMarked: Bool

    private static let mainKey = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    init(target: DispatchQueue, owner: Any.Type) {
        queue = DispatchQueue(label: "Loop", target: target)
        turn = RecursiveLock(owner: owner)
        self.target = target
        // Not by identity: on Linux each `DispatchQueue.main` is an object of its own.
        isMain = target.getSpecific(key: Self.mainKey) != nil
        // A global queue stores no values for keys, and is never serial.
        isMarked = !isGlobal(target)
        if isMarked { target.setSpecific(key: targetKey, value: ()) }
    }

    deinit {
        if isMarked { target.setSpecific(key: targetKey, value: nil) }
    }

    /// Whether the calling thread is in a call on the queue. In this case no other thread is in such a call.
    var isHere: Bool {
        // A queue that targets the main queue makes its calls on the main thread.
        isMain && CurrentThread.isMain || turn.isTakenHere
    }

    /// Calls `body` on the queue, asynchronously.
    @usableFromInline
    func async(_ body: @escaping @Sendable () -> Void) {
        queue.async { [turn] in turn.hold(body) }
    }

    /// Calls `body` on the queue, or on this thread with the lock of the queue, and waits until `body` returns.
    func run(_ body: () -> Void) {
        if isHere { return body() }
        if DispatchQueue.getSpecific(key: targetKey) != nil { return turn.take(body) }
        turn.expect()
        queue.sync { turn.hold(isExpected: true, body) }
        // If the queue targets the main queue, the main thread made the call, and the calling thread is still
        // registered.
        LockWaits.end()
    }
}

/// Whether a queue is one of the system's global queues. Darwin traps if such a queue is marked by `setSpecific`.
package func isGlobal(_ queue: DispatchQueue) -> Bool {
    queue.label.hasPrefix("com.apple.root.")
}
