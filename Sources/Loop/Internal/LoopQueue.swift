import ArchitectureEngine
package import Dispatch
import FunctionalCore

/// The serial queue of a controller's loops. It can determine whether the calling thread is inside one of its calls.
@usableFromInline
final class LoopQueue: Sendable {
    private let queue: DispatchQueue
    private let target: DispatchQueue
    /// The lock that is held during each call on the queue. A caller on the target queue, which may be serial, must not
    /// wait for `queue`, because `queue` may be waiting for the target. Such a caller only takes this lock.
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
        // The main queue is not recognized by identity, because on Linux each `DispatchQueue.main` is an object of its
        // own.
        isMain = target.getSpecific(key: Self.mainKey) != nil
        // A global queue stores no values for keys, and is never serial.
        isMarked = !isGlobal(target)
        if isMarked { target.setSpecific(key: targetKey, value: ()) }
    }

    deinit {
        if isMarked { target.setSpecific(key: targetKey, value: nil) }
    }

    /// Whether no other thread can be inside a call on the queue, because the calling thread holds `turn`, or because
    /// it is the main thread and the queue targets the main queue.
    var isHere: Bool {
        // A queue that targets the main queue makes its calls on the main thread.
        isMain && CurrentThread.isMain || turn.isTakenHere
    }

    /// Calls `body` on the queue, asynchronously.
    @usableFromInline
    func async(_ body: @escaping @Sendable () -> Void) {
        queue.async { [turn] in turn.hold(body) }
    }

    /// Calls `body`, and waits until it returns. Calls it on this thread if `isHere` is `true`, and also on the target
    /// queue, where the call takes `turn`. Otherwise calls it on the queue.
    func run(_ body: () -> Void) {
        if isHere { return body() }
        if DispatchQueue.getSpecific(key: targetKey) != nil { return turn.take(body) }
        turn.expect()
        queue.sync { turn.hold(isExpected: true, body) }
        // If the queue targets the main queue, the main thread made the call, so the calling thread is still registered
        // as waiting.
        LockWaits.end()
    }
}

/// Returns whether a queue is one of the system's global queues. Darwin traps if `setSpecific` is called on such a
/// queue.
package func isGlobal(_ queue: DispatchQueue) -> Bool {
    queue.label.hasPrefix("com.apple.root.")
}
