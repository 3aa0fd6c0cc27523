import FunctionalCore

/// A log of the choices that programs make in an order: how many steps were possible at each choice. Thread-safe.
package final class StepLog: Sendable {
    /// Whether the log also contains the choices that programs make after the last choice of the order.
    let isComplete: Bool
    private let counts = Locked<[Int]>([])

    package init(isComplete: Bool = true) {
        self.isComplete = isComplete
    }

    /// The number of possible steps at each choice. If several programs have run, each number is the greatest of
    /// theirs.
    package var stepCounts: [Int] { counts.withLock { $0 } }

    func note(_ count: Int, at position: Int) {
        counts.withLock { counts in
            if position < counts.count {
                counts[position] = max(counts[position], count)
            } else {
                counts.append(count)
            }
        }
    }
}
