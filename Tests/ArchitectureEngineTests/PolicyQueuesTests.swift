import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Policy queues", .timeLimit(.minutes(10)))
struct PolicyQueuesTests {
    @Test func idleQueuesAreRemoved() {
        let queues = PolicyQueues(.queued)
        let log = Log()
        queues.submit(for: [AnyKey(-1)]) { _, _, _ in }
        for key in 0..<10_000 { queues.submit(for: [AnyKey(key)]) { work, queue, _ in work.end(in: queue) } }
        #expect(queues.count <= 32)
        // The queue is still busy, so it was not removed.
        queues.submit(for: [AnyKey(-1)]) { _, _, _ in log.append("overlaps") }
        #expect(log.lines == [])
    }

    @Test func aQueueIsNotRemovedDuringItsInterval() {
        let scheduler = VirtualScheduler()
        let queues = PolicyQueues(
            .throttle(for: .seconds(10), clock: scheduler.clock), executor: scheduler.executor)
        let log = Log()
        func ask(_ key: Int) {
            queues.submit(for: [AnyKey(key)]) { work, queue, _ in
                log.append("\(key)")
                work.end(in: queue)
            }
        }
        for key in 0..<100 { ask(key) }
        #expect(queues.count == 100)
        ask(0)
        #expect(log.lines.count == 100)
        scheduler.advance(by: .seconds(20))
        for key in 100..<1_000 {
            ask(key)
            scheduler.advance(by: .seconds(10))
        }
        #expect(queues.count <= 32)
    }

    @Test(
        "Under each policy, queues whose work has delivered a result and ended are removed",
        arguments: PolicyKind.allCases)
    func removalAfterDeliveries(kind: PolicyKind) {
        let scheduler = VirtualScheduler()
        let queues = PolicyQueues(kind.policy(scheduler.clock), executor: scheduler.executor)
        let deliveries = Guarded(0)
        for key in 0..<100 {
            queues.submit(for: [AnyKey(key)]) { work, queue, _ in
                queue.deliver(work) { _ in deliveries.increment() }
                work.end(in: queue)
            }
            scheduler.advance(by: PolicyScript.interval * 2)
        }
        #expect(deliveries.value == 100)
        #expect(queues.count <= 32)
    }

    @Test func aQueueIsNotRemovedDuringADelivery() {
        let queues = PolicyQueues(.latest)
        let log = Log()
        queues.submit(for: [AnyKey(-1)]) { work, queue, _ in
            queue.deliver(work) { _ in
                work.end(in: queue)
                for key in 0..<100 { queues.submit(for: [AnyKey(key)]) { work, queue, _ in work.end(in: queue) } }
                queues.submit(for: [AnyKey(-1)]) { _, _, _ in log.append("newer starts") }
                log.append("delivery ends")
            }
        }
        #expect(queues.count <= 32)
        #expect(log.lines == ["delivery ends", "newer starts"])
    }

    @Test("A key may submit while it is hashed, compared and released", arguments: ActiveKey.Use.allCases)
    func reentrancy(use: ActiveKey.Use) {
        let queues = PolicyQueues(.concurrent)
        let log = Log()
        @Sendable func ask(_ key: ActiveKey, _ name: String) {
            queues.submit(for: [AnyKey(key)]) { _, _, _ in log.append(name) }
        }
        ask(ActiveKey(1, onFirst: use) { for id in [1, 2, 30] { ask(ActiveKey(id), "\(id) of the key") } }, "first")
        ask(ActiveKey(1), "second")
        queues.cancel(for: [AnyKey(ActiveKey(1))])
        let own = [1, 2, 30].map { "\($0) of the key" }
        switch use {
        case .hash: #expect(log.lines == own + ["first", "second"])
        case .compare: #expect(log.lines == ["first"] + own + ["second"])
        case .release: #expect(log.lines == ["first", "second"] + own)
        }
    }

    @Test("Flushing all queues starts what they hold in the order of their creation, and nothing else")
    func flushing() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let clock = scheduler.clock
        func ask(_ key: Int, in queues: PolicyQueues) {
            queues.submit(for: [AnyKey(key), AnyKey("place")]) { _, _, _ in log.append("\(key) starts") }
        }
        let held = PolicyQueues(.debounce(for: .seconds(10), clock: clock), executor: scheduler.executor)
        for key in (0..<20).reversed() { ask(key, in: held) }
        held.flush(AnyKey("place"))
        held.flush(AnyKey(7))
        #expect(log.lines == ["7 starts"])
        held.flush()
        #expect(log.lines == ["7 starts"] + (0..<20).reversed().filter { $0 != 7 }.map { "\($0) starts" })
        scheduler.drain()
        #expect(clock.sleeperCount == 0)

        let queued = PolicyQueues(.queued)
        for _ in 0..<2 { ask(-1, in: queued) }
        queued.flush()
        #expect(log.lines.count { $0 == "-1 starts" } == 1)
    }

    @Test func worksSubmittedWhileQueuesAreRemovedAllRun() {
        let queues = PolicyQueues(.queued)
        let count = Guarded(0)
        onThreads(8) { thread in
            for number in 0..<5_000 {
                queues.submit(for: [AnyKey((number &* 7 &+ thread) % 64)]) { work, queue, _ in
                    count.increment()
                    work.end(in: queue)
                }
            }
        }
        // Each work is started by its own thread, or by another thread that was still starting works.
        #expect(count.value == 40_000)
    }
}
