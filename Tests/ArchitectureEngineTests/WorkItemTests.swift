import ArchitectureEngine
import TestSupport
import Testing

@Suite("Works", .timeLimit(.minutes(10)))
struct WorkTests {
    @Test func cancellingAFinishedWorkHasNoEffect() {
        let work = WorkItem()
        work.finish()
        work.cancel()
        #expect(!work.isCancelled)
    }

    @Test func aSecondCancelReturnsAfterThePartsAreCancelled() {
        let (work, part) = (WorkItem(), WorkItem())
        let isPartSet = Record<Bool>()
        work.unite([part]) { $0.finish() }
        let calls = Guarded(0)
        work.onCancel { work in
            // Another thread cancels before this call has cancelled the part.
            if calls.increment() == 1 {
                onThreads(1) { _ in
                    work.cancel()
                    isPartSet.append(part.isCancelled)
                }
            }
            part.cancel()
        }
        work.cancel()
        #expect(isPartSet.values == [true])
        part.finish()
    }

    @Test func aFinishHandlerRunsOnce() {
        let (work, log) = (WorkItem(), Log())
        work.onFinish { log.append("waited") }
        #expect(log.lines == [])
        work.finish()
        work.finish()
        #expect(log.lines == ["waited"])
        work.onFinish { log.append("came later") }
        #expect(log.lines == ["waited", "came later"])
    }

    @Test func aUnitedWorkEndsWithTheLastOfItsParts() {
        let (work, parts, log) = (WorkItem(), [WorkItem(), WorkItem()], Log())
        work.unite(parts) { work in
            log.append("cancelled: \(work.isCancelled)")
            work.finish()
        }
        parts[1].finish()
        #expect(!work.isFinished)
        parts[0].finish()
        #expect(work.isFinished)
        #expect(log.lines == ["cancelled: false"])
    }

    @Test func aCancelledPartCancelsItsUnitedWorkButNotTheOtherParts() {
        let (work, parts) = (WorkItem(), [WorkItem(), WorkItem()])
        work.unite(parts) { $0.finish() }
        parts[0].drop()
        #expect(!work.isCancelled)
        #expect(!parts[1].isCancelled)
        parts[1].finish()
        #expect(work.isCancelled)
        #expect(work.isFinished)
    }

    @Test func cancellingAUnitedWorkCancelsItsParts() {
        let (work, late, parts) = (WorkItem(), WorkItem(), [WorkItem(), WorkItem()])
        work.unite(parts) { $0.finish() }
        work.cancel()
        #expect(parts.filter(\.isCancelled).count == 2)
        late.cancel()
        let part = WorkItem()
        late.unite([part]) { $0.finish() }
        #expect(part.isCancelled)
        for part in parts + [part] { part.finish() }
    }

    @Test func partsThatFinishOnManyThreadsEndTheWorkOnce() {
        for _ in 0..<200 {
            let (work, parts, log) = (WorkItem(), (0..<4).map { _ in WorkItem() }, Log())
            work.unite(parts) { _ in log.append("ended") }
            onThreads(4) { parts[$0].finish() }
            #expect(log.lines == ["ended"])
        }
    }
}
