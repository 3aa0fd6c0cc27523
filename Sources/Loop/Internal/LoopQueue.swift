import ArchitectureEngine
import Dispatch
import FunctionalCore

/// A serial queue that knows whether it is the one that the caller is on.
final class LoopQueue: Sendable {
    let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()
    private let isMain: Bool

    private static let mainKey = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    init(target: DispatchQueue) {
        queue = DispatchQueue(label: "Loop", target: target)
        queue.setSpecific(key: key, value: true)
        // Not by identity: on Linux each `DispatchQueue.main` is an object of its own.
        isMain = target.getSpecific(key: Self.mainKey) != nil
    }

    /// Whether the caller is on the queue.
    var isHere: Bool {
        // What targets the main queue runs on the main thread: there nobody else is on it.
        isMain && CurrentThread.isMain || DispatchQueue.getSpecific(key: key) == true
    }

    /// Calls `body` on the queue, and returns after that.
    func run(_ body: () -> Void) {
        if isHere { body() } else { queue.sync(execute: body) }
    }
}
