import FunctionalCore

/// The tasks that sleep on a clock, in the order of their deadlines. Tasks with the same deadline are in the order in
/// which they began to sleep.
///
/// The queue consists of a binary heap of deadlines and a table of sleepers. A cancelled sleeper is removed from the
/// table at once. Its entry in the heap is removed when it reaches the top, or when more than half of the entries
/// belong to such sleepers.
package struct SleeperQueue: Sendable {
    package typealias Instant = VirtualClock.Instant
    package typealias Continuation = CheckedContinuation<Void, any Error>

    /// The result of `suspend` for a task that was announced.
    package enum Suspension {
        /// The task sleeps, and the queue has its continuation.
        case asleep
        /// The clock has reached the deadline since the task was announced.
        case due
        /// The task was cancelled after it was announced.
        case cancelled
    }

    private enum Sleeper {
        /// The task is about to suspend.
        case announced
        /// The task was cancelled before it suspended.
        case cancelled
        case asleep(Continuation, cause: TraceCause?)
    }

    private struct Entry: Comparable {
        let deadline: Instant
        let sequence: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.sequence) < (right.deadline, right.sequence)
        }
    }

    private var sleepers: [UInt64: Sleeper] = [:]
    private var heap: [Entry] = []
    private var asleep = 0
    private var lastSequence: UInt64 = 0

    package init() {}

    /// The number of tasks that sleep.
    package var count: Int { asleep }

    /// The deadlines of the tasks that sleep, and the causes of their sleeps, in the order of waking.
    ///
    /// - Complexity: O(n log n) in the number of sleepers.
    package var all: [(deadline: Instant, cause: TraceCause?)] {
        heap.sorted().compactMap { entry in
            guard case .asleep(_, let cause) = sleepers[entry.sequence] else { return nil }
            return (entry.deadline, cause)
        }
    }

    /// Announces a task that is about to sleep. Returns a number that identifies the task in calls of `suspend` and
    /// `cancel`.
    package mutating func announce() -> UInt64 {
        lastSequence += 1
        sleepers[lastSequence] = .announced
        return lastSequence
    }

    /// Puts an announced task to sleep. If the clock has reached `deadline` or the task was cancelled since it was
    /// announced, the task does not sleep, and the caller must resume the continuation.
    ///
    /// - Parameter cause: The cause of the sleep. The sleeping task retains the cause, too, so the queue never releases
    ///   the last reference to it.
    package mutating func suspend(
        _ sequence: UInt64, until deadline: Instant, now: Instant, causedBy cause: TraceCause? = nil,
        _ continuation: Continuation
    ) -> Suspension {
        if deadline <= now {
            sleepers[sequence] = nil
            return .due
        }
        if case .cancelled = sleepers[sequence] {
            sleepers[sequence] = nil
            return .cancelled
        }
        sleepers[sequence] = .asleep(continuation, cause: cause)
        asleep += 1
        push(Entry(deadline: deadline, sequence: sequence))
        return .asleep
    }

    /// Cancels a task. If the task sleeps, returns its continuation, which the caller must resume. If the task has
    /// woken, does nothing.
    package mutating func cancel(_ sequence: UInt64) -> Continuation? {
        switch sleepers[sequence] {
        case .announced:
            sleepers[sequence] = .cancelled
            return nil
        case .asleep(let continuation, _):
            sleepers[sequence] = nil
            asleep -= 1
            dropLeftovers()
            return continuation
        case .cancelled, nil:
            return nil
        }
    }

    /// Returns the deadline of the task that wakes next, or `nil` if no task sleeps.
    package mutating func nextDeadline() -> Instant? {
        while let first = heap.first {
            if sleepers[first.sequence] != nil { return first.deadline }
            popFirst()
        }
        return nil
    }

    /// Removes and returns the task that wakes next, if it is due at `instant`.
    package mutating func next(dueAt instant: Instant) -> (deadline: Instant, continuation: Continuation)? {
        guard let deadline = nextDeadline(), deadline <= instant else { return nil }
        let sequence = popFirst().sequence
        guard case .asleep(let continuation, _) = sleepers.removeValue(forKey: sequence) else { return nil }
        asleep -= 1
        return (deadline, continuation)
    }

    private mutating func dropLeftovers() {
        guard heap.count > 2 * asleep + 64 else { return }
        // A sorted array is a heap.
        heap = heap.filter { sleepers[$0.sequence] != nil }.sorted()
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    @discardableResult
    private mutating func popFirst() -> Entry {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == parent { return first }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
