import Testing
import VirtualTime

extension DriverCore {
    /// Calls a statement again after each arrival, until the statement lacks nothing. Then waits until the owner is
    /// idle. Another thread that has sent a message may still drain the queue, and the test could not send a message.
    nonisolated(nonsending) func eventually<Result>(
        _ location: SourceLocation, _ statement: () -> Result
    ) async -> Result {
        while true {
            let isLast = Task.isCancelled
            // Read before the statement, so that no arrival is lost between the statement and the wait.
            let count = time.executor.arrivalCount
            attempt = Attempt(isLast: isLast)
            let result = statement()
            let made = attempt
            attempt = nil
            if made?.hasStatement == false { fail([DriverText.noStatement], location) }
            if isLast { return result }
            if made?.isLacking != true {
                await ownerIsIdle()
                return result
            }
            await time.executor.arrival(after: count)
        }
    }

    /// Waits until no thread processes messages of the owner. Runs jobs meanwhile, because a thread that has processed
    /// many messages leaves the rest to a job.
    private nonisolated(nonsending) func ownerIsIdle() async {
        while canSee, !Task.isCancelled {
            // A job that arrives after the drain ends the wait.
            let count = time.executor.arrivalCount
            _ = time.drain(atMost: patience)
            if isIdle(noteArrivalLater) { return }
            await time.executor.arrival(after: count)
        }
    }

    /// The closure that an owner calls in turn if it is not idle.
    var noteArrivalLater: @Sendable () -> Void {
        { [executor = time.executor] in executor.noteArrival() }
    }

    /// Returns whether `eventually` repeats the statement later. A statement calls this method if it fails only because
    /// something has not happened, and fails if the result is `false`.
    func waits() -> Bool {
        guard let attempt, canSee, !isEndless, !reportStoppedChains() else { return false }
        self.attempt?.isLacking = true
        return !attempt.isLast
    }
}
