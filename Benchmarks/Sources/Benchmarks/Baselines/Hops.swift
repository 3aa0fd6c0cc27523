import Dispatch
import Synchronization

/// Counts how often `body` leaves the executor that it runs on and comes back to it.
func hops(in body: nonisolated(nonsending) @escaping @Sendable () async -> Void) async -> Int {
    await Counted().run(body)
}

private actor Counted {
    private nonisolated let executor = CountingExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // Used before and after the body. Otherwise the optimizer would leave out the way back to the actor.
    private var state = 0

    func run(_ body: nonisolated(nonsending) @Sendable () async -> Void) async -> Int {
        change(&state)
        let before = executor.count
        await body()
        change(&state)
        return executor.count - before
    }
}

/// Counts the jobs that it is given. A call that returns to it after running elsewhere is one.
private final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "hops")
    private let jobs = Atomic<Int>(0)

    var count: Int { jobs.load(ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(1, ordering: .relaxed)
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
