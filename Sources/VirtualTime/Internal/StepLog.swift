import FunctionalCore

/// The numbers of possible steps at each choice of the programs that run in an order. Thread-safe.
package final class StepLog: Sendable {
    /// Whether the log contains the choices after the last one of the order.
    let isComplete: Bool
    private let counts = Locked<[Int]>([])

    package init(isComplete: Bool = true) {
        self.isComplete = isComplete
    }

    /// The number of possible steps at each choice. If several programs have run, it is the greatest one.
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
