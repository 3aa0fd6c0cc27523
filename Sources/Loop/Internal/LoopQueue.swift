import ArchitectureEngine
import Dispatch

/// A serial queue that knows whether it is the one that the caller is on.
final class LoopQueue: Sendable {
    let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()
    private let isMain: Bool

    /// What the main queue is known by: on Linux `DispatchQueue.main` is another object each time.
    private static let mainQueueMark = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    init(target: DispatchQueue) {
        queue = DispatchQueue(label: "Loop", target: target)
        queue.setSpecific(key: key, value: true)
        isMain = target.getSpecific(key: Self.mainQueueMark) != nil
    }

    /// Calls `body` on the queue, and returns after that.
    func run(_ body: () -> Void) {
        // What targets the main queue runs on the main thread: there nobody else is on it.
        let isHere = isMain && CurrentThread.isMain || DispatchQueue.getSpecific(key: key) == true
        if isHere { body() } else { queue.sync(execute: body) }
    }
}
