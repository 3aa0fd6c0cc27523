import ArchitectureEngine
import TestSupport
import Testing

@Suite("Works", .timeLimit(.minutes(10)))
struct WorkTests {
    @Test func cancellingAFinishedWorkHasNoEffect() {
        let work = Work()
        work.end()
        work.cancel()
        #expect(!work.isCancelled)
    }

    @Test func aSecondCancelReturnsAfterThePartsAreCancelled() {
        let (work, part) = (Work(), Work())
        let isPartSet = Record<Bool>()
        work.unite([part])
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
        part.end()
    }

    @Test func aFinishHandlerRunsOnce() {
        let (work, log) = (Work(), Log())
        work.onFinish { log.append("waited") }
        #expect(log.lines == [])
        work.end()
        work.end()
        #expect(log.lines == ["waited"])
        work.onFinish { log.append("came later") }
        #expect(log.lines == ["waited", "came later"])
    }

    @Test func aUnitedWorkEndsWithTheLastOfItsParts() {
        let (work, parts, log) = (Work(), [Work(), Work()], Log())
        work.unite(parts)
        work.onFinish { log.append("cancelled: \(work.isCancelled)") }
        parts[1].end()
        #expect(!work.isFinished)
        parts[0].end()
        #expect(work.isFinished)
        #expect(log.lines == ["cancelled: false"])
    }

    @Test func aCancelledPartCancelsItsUnitedWorkButNotTheOtherParts() {
        let (work, parts) = (Work(), [Work(), Work()])
        work.unite(parts)
        parts[0].drop()
        #expect(!work.isCancelled)
        #expect(!parts[1].isCancelled)
        parts[1].end()
        #expect(work.isCancelled)
        #expect(work.isFinished)
    }

    @Test func cancellingAUnitedWorkCancelsItsParts() {
        let (work, late, parts) = (Work(), Work(), [Work(), Work()])
        work.unite(parts)
        work.cancel()
        #expect(parts.filter(\.isCancelled).count == 2)
        late.cancel()
        let part = Work()
        late.unite([part])
        #expect(part.isCancelled)
        for part in parts + [part] { part.end() }
    }

    @Test func partsThatFinishOnManyThreadsEndTheWorkOnce() {
        for _ in 0..<200 {
            let (work, parts, log) = (Work(), (0..<4).map { _ in Work() }, Log())
            work.unite(parts)
            work.onFinish { log.append("ended") }
            onThreads(4) { parts[$0].end() }
            #expect(log.lines == ["ended"])
        }
    }
}
