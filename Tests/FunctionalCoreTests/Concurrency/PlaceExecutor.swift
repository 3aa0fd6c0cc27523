import Dispatch

/// Runs jobs on a queue of its own, and knows whether one of them is running.
final class PlaceExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "place")
    private let key = DispatchSpecificKey<Bool>()

    init() {
        queue.setSpecific(key: key, value: true)
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
