import ArchitectureEngine
import Dispatch
import FunctionalCore

/// The serial queue of a controller's loops, which knows whether the caller is on it.
@usableFromInline
final class LoopQueue: Sendable {
    private let queue: DispatchQueue
    private let target: DispatchQueue
    /// Taken by what runs on the queue. If the caller is on the target, which may be serial, to wait for the queue could
    /// be to wait for itself; there the turn alone keeps others out.
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
        // A global queue takes no marks, and is never serial.
        isMarked = !target.label.hasPrefix("com.apple.runtime.")
        if isMarked { target.setSpecific(key: targetKey, value: ()) }
    }

    deinit {
        if isMarked { target.setSpecific(key: targetKey, value: nil) }
    }

    /// Whether the calling thread is running something of the queue's, so that no other thread is.
    var isHere: Bool {
        // What targets the main queue runs on the main thread: there nobody else is on it.
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
        queue.sync { turn.hold(body) }
    }
}
