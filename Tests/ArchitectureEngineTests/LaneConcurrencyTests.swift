import ArchitectureEngine
import Foundation
import FunctionalCore
import TestSupport
import Testing

@Suite("Lane: concurrency", .serialized, .timeLimit(.minutes(10)))
struct LaneConcurrencyTests {
    @Test func latestNeverDeliversAnOlderResultAfterANewerOne() {
        let lane = Lane(.latest)
        let screen = Screen()
        let started = Guarded(0)
        let undelivered = Guarded<(WorkItem, Int)?>(nil)
        onThreads(8) { _ in
            for _ in 0..<2_000 {
                lane.submit { work, _ in
                    let number = started.withLock { number in
                        number += 1
                        return number
                    }
                    undelivered.withLock { $0 = (work, number) }
                }
                let taken = undelivered.withLock { undelivered in
                    defer { undelivered = nil }
                    return undelivered
                }
                guard let (work, number) = taken else { continue }
                lane.deliver(work) {
                    // Gives other threads the chance to overtake.
                    sched_yield()
                    screen.show(number)
                }
                lane.finish(work)
            }
        }
        #expect(screen.shown > 0)
        #expect(screen.regressions == 0)
    }

    @Test func queuedWorksNeverOverlapAndAllRun() async {
        let lane = Lane(.queued)
        let screen = Screen()
        onThreads(8) { _ in
            for _ in 0..<2_000 {
                lane.submit { work, lane in
                    screen.show(screen.last + 1)
                    lane.finish(work)
                }
            }
        }
        // Starts after all works that were submitted before it.
        await lane.submit { work, lane in lane.finish(work) }.finished()
        #expect(screen.shown == 16_000)
        #expect(screen.last == 16_000)
    }

    @Test func firstNeverRunsTwoWorksAtOnce() {
        let lane = Lane(.first)
        let screen = Screen()
        onThreads(8) { _ in
            for _ in 0..<2_000 {
                lane.submit { work, lane in
                    screen.show(screen.last + 1)
                    lane.finish(work)
                }
            }
        }
        #expect(screen.shown > 0)
        #expect(screen.regressions == 0)
    }

    @Test(arguments: [Policy.concurrent, .queued, .latest, .first])
    func everyWorkFinishesDespiteConcurrentCancellationAndClosing(policy: Policy) async {
        for _ in 0..<50 {
            let lane = Lane(policy)
            let works = Guarded<[WorkItem]>([])
            onThreads(8) { thread in
                for number in 0..<100 {
                    let work = lane.submit { work, lane in
                        lane.deliver(work) { if number % 10 == 0 { lane.submit { $1.finish($0) } } }
                        lane.finish(work)
                    }
                    works.withLock { $0.append(work) }
                    if thread == 0, number == 50 { lane.close() }
                    if thread % 2 == 1, number % 3 == 0 { work.cancel() }
                }
            }
            for work in works.withLock({ $0 }) { await work.finished() }
        }
    }

    @Test func nothingStartsAfterClosing() {
        for _ in 0..<200 {
            let lane = Lane(.queued)
            let closed = Guarded(false)
            onThreads(4) { thread in
                for number in 0..<50 {
                    let isClosed = closed.withLock { $0 }
                    lane.submit { work, lane in
                        if isClosed { Issue.record("A closed lane started a work.") }
                        lane.finish(work)
                    }
                    if thread == 0, number == 25 {
                        lane.close()
                        closed.withLock { $0 = true }
                    }
                }
            }
        }
    }

    @Test func timersAndCancellationsRaceSafely() async {
        for policy in [Policy.debounce(for: .nanoseconds(1)), .throttle(for: .nanoseconds(1))] {
            let lane = Lane(policy)
            let works = Guarded<[WorkItem]>([])
            onThreads(4) { thread in
                for number in 0..<500 {
                    let work = lane.submit { work, lane in
                        lane.deliver(work) {}
                        lane.finish(work)
                    }
                    if (number + thread) % 5 == 0 { work.cancel() }
                    works.withLock { $0.append(work) }
                }
            }
            for work in works.withLock({ $0 }) { await work.finished() }
        }
    }
}

/// The number that was shown last, and how often a shown number was not newer than the one before.
///
/// Unchecked and without a lock: the lane prevents two works from showing a number at once. Otherwise the thread
/// sanitizer reports a race.
private final class Screen: @unchecked Sendable {
    private(set) var last = 0
    private(set) var shown = 0
    private(set) var regressions = 0

    func show(_ number: Int) {
        if number <= last { regressions += 1 }
        last = number
        shown += 1
    }
}
