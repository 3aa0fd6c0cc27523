import VirtualTime

/// Runs, when a test is over, what was cancelled with its component: jobs that nobody drains keep their tasks for ever.
final class DrainAtEnd: Sendable {
    private let scheduler: VirtualScheduler

    init(of scheduler: VirtualScheduler) {
        self.scheduler = scheduler
    }

    deinit { scheduler.drain() }
}
