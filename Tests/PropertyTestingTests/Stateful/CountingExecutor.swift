import Dispatch
import TestSupport

/// An executor that counts the jobs that are enqueued on it.
final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "CountingExecutor")
    private let jobs = Guarded(0)

    var count: Int { jobs.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.withLock { $0 += 1 }
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
