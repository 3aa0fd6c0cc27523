import ArchitectureEngine
import FunctionalCore
import TestSupport
import VirtualTime

/// A lane on virtual time, and what becomes of the works that are asked for under a name.
final class Recorder: Sendable {
    let scheduler = VirtualScheduler()
    let lane: Lane
    let log = Log()
    private let works = Guarded<[String: Work]>([:])

    init(_ policy: (VirtualClock) -> Policy) {
        lane = Lane(policy(scheduler.clock), executor: scheduler.executor)
    }

    /// Asks for a work that writes when it starts and goes on until it is finished by hand.
    @discardableResult
    func ask(_ name: String) -> Work {
        let work = lane.submit { [self] work, _ in
            works.withLock { $0[name] = work }
            log.append("\(name) starts at \(seconds)")
        }
        works.withLock { $0[name] = work }
        return work
    }

    /// Whether the work was cancelled, or dropped.
    func isCancelled(_ name: String) -> Bool {
        self[name].isSet
    }

    func finish(_ name: String) {
        lane.finish(self[name])
    }

    func deliver(_ name: String) {
        lane.deliver(self[name]) { log.append("\(name) delivers") }
    }

    func advance(by seconds: Int) {
        scheduler.advance(by: .seconds(seconds))
    }

    private subscript(name: String) -> Work {
        works.withLock { $0[name]! }
    }

    private var seconds: Int64 { scheduler.clock.now.offset.components.seconds }
}
