import ArchitectureEngine
import TestSupport
import Testing

@Suite("Works", .timeLimit(.minutes(10)))
struct WorkTests {
    @Test func cancellingAFinishedWorkHasNoEffect() {
        let work = Work()
        work.finish()
        work.cancel()
        #expect(!work.isSet)
    }

    @Test func aSecondCancelReturnsAfterThePartsAreCancelled() {
        let (work, part) = (Work(), Work())
        let isPartSet = Record<Bool>()
        work.unite([part]) { $0.finish() }
        let isFirst = Guarded(true)
        work.onCancel { work in
            // Another thread cancels before this call has cancelled the part.
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst {
                onThreads(1) { _ in
                    work.cancel()
                    isPartSet.append(part.isSet)
                }
            }
            part.cancel()
        }
        work.cancel()
        #expect(isPartSet.values == [true])
        part.finish()
    }

    @Test func aFinishHandlerRunsOnce() {
        let (work, log) = (Work(), Log())
        work.onFinish { log.append("waited") }
        #expect(log.lines == [])
        work.finish()
        work.finish()
        #expect(log.lines == ["waited"])
        work.onFinish { log.append("came later") }
        #expect(log.lines == ["waited", "came later"])
    }

    @Test func aUnitedWorkEndsWithTheLastOfItsParts() {
        let (work, parts, log) = (Work(), [Work(), Work()], Log())
        work.unite(parts) { work in
            log.append("cancelled: \(work.isSet)")
            work.finish()
        }
        parts[1].finish()
        #expect(!work.isFinished)
        parts[0].finish()
        #expect(work.isFinished)
        #expect(log.lines == ["cancelled: false"])
    }

    @Test func aCancelledPartCancelsItsUnitedWorkButNotTheOtherParts() {
        let (work, parts) = (Work(), [Work(), Work()])
        work.unite(parts) { $0.finish() }
        parts[0].drop()
        #expect(!work.isSet)
        #expect(!parts[1].isSet)
        parts[1].finish()
        #expect(work.isSet)
        #expect(work.isFinished)
    }

    @Test func cancellingAUnitedWorkCancelsItsParts() {
        let (work, late, parts) = (Work(), Work(), [Work(), Work()])
        work.unite(parts) { $0.finish() }
        work.cancel()
        #expect(parts.filter(\.isSet).count == 2)
        late.cancel()
        let part = Work()
        late.unite([part]) { $0.finish() }
        #expect(part.isSet)
        for part in parts + [part] { part.finish() }
    }

    @Test func partsThatFinishOnManyThreadsEndTheWorkOnce() {
        for _ in 0..<200 {
            let (work, parts, log) = (Work(), (0..<4).map { _ in Work() }, Log())
            work.unite(parts) { _ in log.append("ended") }
            onThreads(4) { parts[$0].finish() }
            #expect(log.lines == ["ended"])
        }
    }
}
