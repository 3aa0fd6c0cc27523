import FunctionalCore

/// The sleepers of a clock, earliest deadline first and, among equal deadlines, in the order in which they began.
///
/// A binary heap of deadlines beside a table of sleepers. A cancelled sleeper leaves the table at once and the heap
/// when it comes to the top, or when more than half of the heap is such leftovers.
package struct SleeperQueue: Sendable {
    package typealias Instant = VirtualClock.Instant
    package typealias Continuation = CheckedContinuation<Void, any Error>

    /// What becomes of a task that was announced.
    package enum Suspension {
        /// It sleeps. The queue has its continuation.
        case asleep
        /// Its deadline has passed in the meantime.
        case due
        /// It was cancelled in the meantime.
        case cancelled
    }

    private enum Sleeper {
        /// Its task is about to suspend.
        case announced
        /// Cancelled before its task suspended.
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

    /// How many tasks sleep.
    package var count: Int { asleep }

    /// The deadlines of the tasks that sleep, and what has caused their sleeps, in the order of waking.
    ///
    /// - Complexity: O(n log n) in the number of sleepers.
    package var all: [(deadline: Instant, cause: TraceCause?)] {
        heap.sorted().compactMap { entry in
            guard case .asleep(_, let cause) = sleepers[entry.sequence] else { return nil }
            return (entry.deadline, cause)
        }
    }

    /// Reserves the next place in the order; `suspend` and `cancel` name it.
    package mutating func announce() -> UInt64 {
        lastSequence += 1
        sleepers[lastSequence] = .announced
        return lastSequence
    }

    /// Puts an announced task to sleep, unless another thread has advanced the clock or cancelled the task since it was
    /// announced. Then the caller resumes the continuation.
    ///
    /// - Parameter cause: What has caused the sleep. The queue never drops the last reference to it, because the task
    ///   keeps it while it sleeps.
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

    /// Cancels a sleeper; the continuation, when there is one, is for the caller to resume. After it has woken:
    /// nothing.
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

    /// The deadline of the sleeper that wakes next.
    package mutating func nextDeadline() -> Instant? {
        while let first = heap.first {
            if sleepers[first.sequence] != nil { return first.deadline }
            popFirst()
        }
        return nil
    }

    /// Removes the sleeper that wakes next, if it is due at `instant`.
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
