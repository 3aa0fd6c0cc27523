import ArchitectureEngine
import Foundation
import FunctionalCore
import TestSupport
import Testing

@Suite("Policy queue: concurrency", .serialized, .timeLimit(.minutes(10)))
struct PolicyQueueConcurrencyTests {
    @Test func latestNeverDeliversAnOlderResultAfterANewerOne() {
        let queue = PolicyQueue(.latest)
        let screen = Screen()
        let started = Guarded(0)
        let undelivered = Guarded<(Work, Int)?>(nil)
        onThreads(8) { _ in
            for _ in 0..<2_000 {
                queue.submit { work, _, _ in
                    let number = started.increment()
                    undelivered.withLock { $0 = (work, number) }
                }
                let taken = undelivered.withLock { undelivered in
                    defer { undelivered = nil }
                    return undelivered
                }
                guard let (work, number) = taken else { continue }
                queue.deliver(work) { _ in
                    // Gives other threads the chance to overtake.
                    sched_yield()
                    screen.show(number)
                }
                work.end(in: queue)
            }
        }
        #expect(screen.shown > 0)
        #expect(screen.regressions == 0)
    }

    @Test(arguments: [PolicyKind.queued, .queuedLatest, .first])
    func worksNeverOverlapAndAllQueuedOnesRun(kind: PolicyKind) async {
        let queue = PolicyQueue(kind.policy(ContinuousClock()))  // No time: only the order counts.
        let screen = Screen()
        onThreads(8) { _ in
            for _ in 0..<2_000 {
                queue.submit { work, queue, _ in
                    screen.show(screen.last + 1)
                    work.end(in: queue)
                }
            }
        }
        // Starts after all works that were submitted before it.
        await queue.submit { work, queue, _ in work.end(in: queue) }.finished()
        #expect(kind == .queued ? screen.shown == 16_000 : screen.shown > 0)
        #expect(screen.last == screen.shown && screen.regressions == 0)
    }

    @Test(arguments: PolicyKind.allCases, [false, true])
    func everyWorkFinishesDespiteConcurrentCancellationAndClosing(kind: PolicyKind, closes: Bool) async {
        let policy = kind.policy(ContinuousClock(), for: .nanoseconds(1))  // No time: only the order counts.
        for _ in 0..<(policy.isTimed ? 5 : 50) {
            let queue = PolicyQueue(policy)
            let works = Guarded<[Work]>([])
            onThreads(8) { thread in
                for number in 0..<100 {
                    let work = queue.submit { work, queue, _ in
                        queue.deliver(work) { _ in
                            if number % 10 == 0 { queue.submit { work, queue, _ in work.end(in: queue) } }
                        }
                        work.end(in: queue)
                    }
                    works.withLock { $0.append(work) }
                    if closes, thread == 0, number == 50 { queue.close() }
                    if thread % 2 == 1, number % 3 == 0 { work.cancel() }
                }
            }
            for work in works.withLock({ $0 }) { await work.finished() }
            // A deallocated queue would drop its waiting works, and so hide a lost timer.
            withExtendedLifetime(queue) {}
        }
    }

    @Test func nothingStartsAfterClosing() {
        for _ in 0..<200 {
            let queue = PolicyQueue(.queued)
            let closed = Guarded(false)
            onThreads(4) { thread in
                for number in 0..<50 {
                    let isClosed = closed.withLock { $0 }
                    queue.submit { work, queue, _ in
                        if isClosed { Issue.record("A closed queue started a work.") }
                        work.end(in: queue)
                    }
                    if thread == 0, number == 25 {
                        queue.close()
                        closed.withLock { $0 = true }
                    }
                }
            }
        }
    }
}

/// The number that was shown last, and how often a shown number was not newer than the one before.
///
/// Unchecked and without a lock: the queue prevents two works from showing a number at once. Otherwise the thread
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
