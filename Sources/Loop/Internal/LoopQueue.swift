import ArchitectureEngine
package import Dispatch
import FunctionalCore

/// The serial queue of a controller's loops, which knows whether the caller is on it.
@usableFromInline
final class LoopQueue: Sendable {
    private let queue: DispatchQueue
    private let target: DispatchQueue
    /// Held by each call on the queue. A caller on the target, which may be serial, must not wait for the queue, since
    /// the queue could be waiting for the caller. There the lock alone keeps other threads out.
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

    /// Whether the calling thread is in a call on the queue, so that no other thread is.
    var isHere: Bool {
        // A queue that targets the main queue makes its calls on the main thread.
        isMain && CurrentThread.isMain || turn.isTakenHere
    }

    /// Calls `body` on the queue, later.
    @usableFromInline
    func async(_ body: @escaping @Sendable () -> Void) {
        queue.async { [turn] in turn.hold(body) }
    }

    /// Calls `body` on the queue, and returns after that.
    func run(_ body: () -> Void) {
        if isHere { return body() }
        if DispatchQueue.getSpecific(key: targetKey) != nil { return turn.take(body) }
        turn.expect()
        queue.sync { turn.hold(isExpected: true, body) }
        // If the queue targets the main queue, the main thread made the call, and the calling thread is still noted.
        LockWaits.end()
    }
}

/// Whether a queue is one of the system's global queues. Darwin traps if such a queue is marked by `setSpecific`.
package func isGlobal(_ queue: DispatchQueue) -> Bool {
    queue.label.hasPrefix("com.apple.root.")
}
