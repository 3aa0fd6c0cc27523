import ArchitectureEngine
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

    private func wait() -> Task<Void, Never> {
        Task(executorPreference: executor) { [settling, checks, log] in
            await log.append("settled") { try await settling.wait { _ in checks.append(()) } }
        }
    }

    @Test("A caller waits for a check, even if no work is under way")
    func queueOnly() {
        _ = wait()
        executor.drain()
        #expect(checks.values.count == 1)
        #expect(log.lines == [])
        #expect(settling.resumeIfSettled(isQueueEmpty: false))
        #expect(log.lines == [])
        #expect(!settling.resumeIfSettled(isQueueEmpty: true))
        executor.drain()
        #expect(log.lines == ["settled"])
    }

    @Test("A caller waits until all work has ended; several callers need one check")
    func work() {
        let (first, second) = (settling.begin(), settling.begin())
        _ = wait()
        _ = wait()
        executor.drain()
        #expect(checks.values.isEmpty)
        first.end()
        first.end()
        #expect(checks.values.isEmpty)
        second.end()
        #expect(checks.values.count == 1)
        #expect(!settling.resumeIfSettled(isQueueEmpty: true))
        executor.drain()
        #expect(log.lines == ["settled", "settled"])
    }

    @Test("A caller also waits for work that begins before the check")
    func workBeforeTheCheck() {
        _ = wait()
        executor.drain()
        let work = settling.begin()
        #expect(!settling.resumeIfSettled(isQueueEmpty: true))
        executor.drain()
        #expect(log.lines == [])
        work.end()
        #expect(checks.values.count == 2)
        #expect(!settling.resumeIfSettled(isQueueEmpty: true))
        executor.drain()
        #expect(log.lines == ["settled"])
    }

    @Test("Paused work does not count, resumed work does, deallocated work has ended")
    func pausing() {
        var work: FiniteWork? = settling.begin()
        _ = wait()
        executor.drain()
        work?.pause()
        #expect(checks.values.count == 1)
        work?.resume()
        #expect(!settling.resumeIfSettled(isQueueEmpty: true))
        executor.drain()
        #expect(log.lines == [])
        work = nil
        #expect(checks.values.count == 2)
    }

    @Test("Resuming work that has ended does nothing")
    func resumingEndedWork() {
        let work = settling.begin()
        work.end()
        work.resume()
        _ = wait()
        executor.drain()
        #expect(checks.values.count == 1)
    }

    @Test("A caller that is cancelled before or during its wait throws; others keep waiting")
    func cancellation() {
        let work = settling.begin()
        let waiting = [wait(), wait()]
        executor.drain()
        waiting[0].cancel()
        let late = wait()
        late.cancel()
        executor.drain()
        #expect(log.lines == ["CancellationError()", "CancellationError()"])
        work.end()
        #expect(!settling.resumeIfSettled(isQueueEmpty: true))
        executor.drain()
        #expect(log.lines.last == "settled")
    }

    @Test("Closing resumes the waiting callers; later callers do not wait, and throw if they are cancelled")
    func closing() {
        let work = settling.begin()
        _ = wait()
        executor.drain()
        settling.close()
        _ = wait()
        executor.drain()
        #expect(log.lines == ["settled", "settled"])
        wait().cancel()
        executor.drain()
        #expect(log.lines.last == "CancellationError()")
        work.end()
        #expect(checks.values.isEmpty)
    }
}
