import ArchitectureEngine
import TestSupport
import Testing
import VirtualTime

@Suite("Queues of actors", .timeLimit(.minutes(10)))
struct ActorQueueTests {
    /// An actor whose jobs wait until a test runs them.
    private actor Held {
        private let executor: HeldExecutor

        init(_ executor: HeldExecutor) {
            self.executor = executor
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    }

    /// Keeps jobs until a test runs them.
    private final class HeldExecutor: SerialExecutor {
        private let jobs: AsyncStream<UnownedJob>
        private let continuation: AsyncStream<UnownedJob>.Continuation

        init() {
            (jobs, continuation) = AsyncStream.makeStream()
        }

        func enqueue(_ job: consuming ExecutorJob) {
            continuation.yield(UnownedJob(job))
        }

        /// Waits for the next job and runs it.
        func runNext() async {
            for await job in jobs { return job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    @Test("A flush also waits for calls that were posted to the queues of other actors")
    func flush() async {
        let (here, there) = (HeldExecutor(), HeldExecutor())
        let actorQueue = ActorQueue(of: Held(here))
        let other = actorQueue.counterpart(on: Held(there))
        let (executor, log) = (ManualExecutor(), Log())
        other.post { log.append("called") }
        Task(executorPreference: executor) {
            var posts = -1
            log.append("flushed: \(try await actorQueue.flush(posts: &posts))")
            log.append("flushed: \(try await actorQueue.flush(posts: &posts))")
        }
        executor.drain()
        await here.runNext()
        executor.drain()
        #expect(log.lines == [])
        await there.runNext()
        executor.drain()
        #expect(log.lines == ["called", "flushed: false", "flushed: true"])
    }

    @Test("A caller that waits for the observers of a blocked actor throws at once when it is cancelled")
    func cancellation() async {
        let (held, settling) = (HeldExecutor(), Settling())
        let actorQueue = ActorQueue(of: Held(held))
        // Only the observers are left to wait for.
        settling.close()
        let (executor, log) = (ManualExecutor(), Log())
        let caller = Task(executorPreference: executor) {
            await log.append("settled") { try await settling.wait(flushing: actorQueue) { _ in } }
        }
        executor.drain()
        #expect(log.lines == [])
        caller.cancel()
        executor.drain()
        #expect(log.lines == ["CancellationError()"])
        await held.runNext()
    }
}
