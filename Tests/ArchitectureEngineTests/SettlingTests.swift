import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Waiting until nothing is left to do.
@Suite("Settling", .timeLimit(.minutes(10)))
struct SettlingTests {
    private let settling = Settling()
    private let checks = Record<Void>()
    private let executor: ManualExecutor
    private let end: Witness
    private let log = Log()

    init() {
        let executor = ManualExecutor()
        self.executor = executor
        end = Witness { [settling] in
            settling.close()
            executor.drain()
        }
    }

    /// Begins finite work.
    private func begin() -> Work {
        let work = Work()
        work.activate(in: settling)
        return work
    }

    /// Starts a caller that waits. It runs when the executor is drained.
    private func start() -> Task<Void, Never> {
        Task(executorPreference: executor) { [settling, checks, log] in
            await log.append("settled") { try await settling.wait { _ in checks.append(()) } }
        }
    }

    /// Lets callers wait.
    @discardableResult
    private func wait(_ count: Int = 1) -> [Task<Void, Never>] {
        defer { executor.drain() }
        return (0..<count).map { _ in start() }
    }

    /// Checks when the queue is empty, and lets the callers continue.
    private func check() {
        #expect(!settling.resumeIfSettled(isQueueEmpty: true))
        executor.drain()
    }

    @Test("A caller waits for a check, even if no work is under way")
    func queueOnly() {
        wait()
        #expect(checks.values.count == 1)
        #expect(log.lines == [])
        #expect(settling.resumeIfSettled(isQueueEmpty: false))
        #expect(log.lines == [])
        check()
        #expect(log.lines == ["settled"])
    }

    @Test("A caller waits until all work has ended; several callers need one check")
    func work() {
        let (first, second) = (begin(), begin())
        wait(2)
        #expect(checks.values.isEmpty)
        first.end()
        first.end()
        #expect(checks.values.isEmpty)
        second.end()
        #expect(checks.values.count == 1)
        check()
        #expect(log.lines == ["settled", "settled"])
    }

    @Test("A caller also waits for work that begins before the check")
    func workBeforeTheCheck() {
        wait()
        let work = begin()
        check()
        #expect(log.lines == [])
        work.end()
        #expect(checks.values.count == 2)
        check()
        #expect(log.lines == ["settled"])
    }

    @Test("Paused work does not count, resumed work does, deallocated work has ended")
    func pausing() {
        var work: Work? = begin()
        wait()
        work?.pause()
        #expect(checks.values.count == 1)
        work?.activate(in: settling)
        check()
        #expect(log.lines == [])
        work = nil
        #expect(checks.values.count == 2)
    }

    @Test("The works of a queue settle together: no check is made between the end of one and the start of the next")
    func queuedWork() {
        let queue = PolicyQueue(.queued)
        let works = Record<Work>()
        for _ in 0..<3 {
            queue.submit { [settling] work, _, _ in
                work.activate(in: settling)
                works.append(work)
            }
        }
        wait()
        for count in 1...3 {
            #expect(works.values.count == count)
            #expect(checks.values.isEmpty)
            works.values.last?.end(in: queue)
        }
        #expect(checks.values.count == 1)
    }

    @Test("Resuming work that has ended does nothing")
    func resumingEndedWork() {
        let work = begin()
        work.end()
        work.activate(in: settling)
        wait()
        #expect(checks.values.count == 1)
    }

    @Test("A caller that is cancelled before or during its wait throws; others keep waiting")
    func cancellation() {
        let work = begin()
        wait(2)[0].cancel()
        start().cancel()
        executor.drain()
        #expect(log.lines == ["CancellationError()", "CancellationError()"])
        work.end()
        check()
        #expect(log.lines.last == "settled")
    }

    @Test("Closing resumes the waiting callers; later callers do not wait, and throw if they are cancelled")
    func closing() {
        let work = begin()
        wait()
        settling.close()
        wait()
        #expect(log.lines == ["settled", "settled"])
        start().cancel()
        executor.drain()
        #expect(log.lines.last == "CancellationError()")
        work.end()
        #expect(checks.values.isEmpty)
    }
}
