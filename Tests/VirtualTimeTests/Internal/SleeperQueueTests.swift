import Testing
import VirtualTime

/// Calls by other threads between the announcement of a task and its suspension.
@Suite(.timeLimit(.minutes(10))) struct SleeperQueueTests {
    private static let deadline = VirtualClock.Instant(offset: .seconds(1))

    /// Announces a task, calls `meanwhile`, and suspends the task. Returns the kind of suspension and the queue.
    private func suspending(
        now: VirtualClock.Instant = .zero, _ meanwhile: (inout SleeperQueue, UInt64) -> Void
    ) async throws -> (SleeperQueue.Suspension?, SleeperQueue) {
        var queue = SleeperQueue()
        var suspension: SleeperQueue.Suspension?
        let sequence = queue.announce()
        meanwhile(&queue, sequence)
        try await withCheckedThrowingContinuation { continuation in
            suspension = queue.suspend(sequence, until: Self.deadline, now: now, continuation)
            if suspension != .asleep { return continuation.resume() }
            queue.cancel(sequence)?.resume()
        }
        return (suspension, queue)
    }

    @Test func `a queue keeps a limited number of entries of tasks that were cancelled`() async throws {
        var queue = SleeperQueue()
        for _ in 0..<10_000 {
            let sequence = queue.announce()
            try await withCheckedThrowingContinuation { continuation in
                _ = queue.suspend(sequence, until: Self.deadline, now: .zero, continuation)
                queue.cancel(sequence)?.resume()
            }
        }
        #expect(queue.count == 0)
        // All collections of the queue, since no function returns the entries.
        let counts = Mirror(reflecting: queue).children.compactMap { ($0.value as? any Collection)?.count }
        #expect(counts.count == 2 && counts.allSatisfy { $0 < 100 })
    }

    @Test func `an undisturbed task sleeps`() async throws {
        let (suspension, _) = try await suspending { _, _ in }
        #expect(suspension == .asleep)
    }

    @Test func `a task that is cancelled before it is suspended does not sleep`() async throws {
        var (suspension, queue) = try await suspending { queue, sequence in
            #expect(queue.cancel(sequence) == nil)
            #expect(queue.cancel(sequence) == nil)
        }
        #expect(suspension == .cancelled)
        #expect(queue.count == 0)
        #expect(queue.nextDeadline() == nil)
    }

    @Test func `a task whose deadline passes before it is suspended does not sleep, even if it is cancelled`()
        async throws
    {
        for isCancelled in [false, true] {
            var (suspension, queue) = try await suspending(now: Self.deadline) { queue, sequence in
                if isCancelled { _ = queue.cancel(sequence) }
            }
            #expect(suspension == .due)
            #expect(queue.count == 0)
            #expect(queue.nextDeadline() == nil)
        }
    }
}
