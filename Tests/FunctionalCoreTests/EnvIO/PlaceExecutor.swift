import Dispatch

/// A task executor with its own queue. `isCurrent` is `true` in code that runs on that queue.
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
