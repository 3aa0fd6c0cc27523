import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("Lanes", .timeLimit(.minutes(10)))
struct LanesTests {
    @Test func eachKeyHasALaneOfItsOwn() {
        let lanes = Lanes<String>(.first)
        let log = Log()
        for key in ["a", "b", "a"] { lanes.submit(for: key) { _, _ in log.append(key) } }
        #expect(log.lines == ["a", "b"])
    }

    @Test func idleLanesAreRemoved() {
        let lanes = Lanes<Int>(.queued)
        let log = Log()
        lanes.submit(for: -1) { _, _ in }
        for key in 0..<10_000 { lanes.submit(for: key) { work, lane in lane.finish(work) } }
        #expect(lanes.count <= 32)
        // The lane is still busy, so it was not removed.
        lanes.submit(for: -1) { _, _ in log.append("overlaps") }
        #expect(log.lines == [])
    }

    @Test func aLaneIsNotRemovedDuringItsInterval() {
        let scheduler = VirtualScheduler()
        let lanes = Lanes<Int>(
            .throttle(for: .seconds(10), clock: scheduler.clock), executor: scheduler.executor)
        let log = Log()
        func ask(_ key: Int) {
            lanes.submit(for: key) { work, lane in
                log.append("\(key)")
                lane.finish(work)
            }
        }
        for key in 0..<100 { ask(key) }
        #expect(lanes.count == 100)
        ask(0)
        #expect(log.lines.count == 100)
        scheduler.advance(by: .seconds(20))
        for key in 100..<1_000 {
            ask(key)
            scheduler.advance(by: .seconds(10))
        }
        #expect(lanes.count <= 32)
    }

    @Test func aLaneIsNotRemovedDuringADelivery() {
        let lanes = Lanes<Int>(.latest)
        let log = Log()
        lanes.submit(for: -1) { work, lane in
            lane.deliver(work) {
                lane.finish(work)
                for key in 0..<100 { lanes.submit(for: key) { work, lane in lane.finish(work) } }
                lanes.submit(for: -1) { _, _ in log.append("newer starts") }
                log.append("delivery ends")
            }
        }
        #expect(lanes.count <= 32)
        #expect(log.lines == ["delivery ends", "newer starts"])
    }

    @Test func closingClosesAllLanes() async {
        let lanes = Lanes<Int>(.queued)
        let works = (0..<4).map { number in lanes.submit(for: number % 2) { _, _ in } }
        lanes.close()
        let late = lanes.submit(for: 7) { _, _ in Issue.record("A work started after the lanes were closed.") }
        #expect((works + [late]).filter { !$0.isCancelled }.isEmpty)
        for work in works.suffix(2) + [late] { await work.finished() }
    }

    @Test func worksSubmittedWhileLanesAreRemovedAllRun() {
        let lanes = Lanes<Int>(.queued)
        let count = Guarded(0)
        onThreads(8) { thread in
            for number in 0..<5_000 {
                lanes.submit(for: (number &* 7 &+ thread) % 64) { work, lane in
                    count.withLock { $0 += 1 }
                    lane.finish(work)
                }
            }
        }
        // Each work is started by its own thread, or by another thread that was still starting works.
        #expect(count.withLock { $0 } == 40_000)
    }
}
