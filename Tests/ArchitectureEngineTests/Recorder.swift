import ArchitectureEngine
import FunctionalCore
import TestSupport
import VirtualTime

/// A queue on virtual time, and a log of what its named works do.
final class Recorder: Sendable {
    let scheduler = VirtualScheduler()
    let queue: PolicyQueue
    let log = Log()
    private let works = Guarded<[String: Work]>([:])

    init(_ policy: (VirtualClock) -> Policy) {
        queue = PolicyQueue(policy(scheduler.clock), executor: scheduler.executor)
    }

    /// Submits a work that logs its start and runs until `finish(_:)` is called.
    @discardableResult
    func ask(_ name: String) -> Work {
        // A waiting work would retain the queue.
        let work = queue.submit { [unowned self] work, _, _ in
            works.withLock { $0[name] = work }
            log.append("\(name) starts at \(seconds)")
        }
        works.withLock { $0[name] = work }
        return work
    }

    func finish(_ name: String) {
        self[name].end(in: queue)
    }

    func deliver(_ name: String) {
        queue.deliver(self[name]) { _ in log.append("\(name) delivers") }
    }

    func advance(by seconds: Int) {
        scheduler.advance(by: .seconds(seconds))
    }

    private subscript(name: String) -> Work {
        works.withLock { $0[name]! }
    }

    private var seconds: Int64 { scheduler.clock.now.offset.components.seconds }
}
