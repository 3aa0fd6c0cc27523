package import FunctionalCore

/// A lane for each key, made when first asked for.
///
/// Lanes in which nothing is going on are let go of whenever the number of lanes has doubled: there are never many more
/// than were busy at one time.
///
/// Unchecked: what changes is touched under the lock alone.
package final class Lanes<Key: Hashable & Sendable>: @unchecked Sendable {
    private let policy: Policy
    private let executor: (any TaskExecutor)?
    private let onBrokenClock: @Sendable (any Error) -> Void

    private let lock = Locked()
    private var lanes: [Key: Lane] = [:]
    private var limit = 16
    private var isClosed = false

    /// No lanes yet; each will have this policy, and wait for its clock on `executor`; see `Lane`.
    package init(
        _ policy: Policy,
        executor: (any TaskExecutor)? = nil,
        onBrokenClock: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.policy = policy
        self.executor = executor
        self.onBrokenClock = onBrokenClock
    }

    deinit {
        close()
    }

    /// How many lanes there are.
    package var count: Int { lock.withLock { lanes.count } }

    /// Has `start` called with a work and the lane of `key`, when the policy says so; see `Lane.submit(_:)`.
    @discardableResult
    package func submit(for key: Key, _ start: @escaping @Sendable (WorkItem, Lane) -> Void) -> WorkItem {
        while true {
            // A lane that was let go of between the two is no longer found the next time.
            if let work = lane(for: key).accept(start) { return work }
        }
    }

    /// Closes all lanes. Nothing that is asked for later starts, whatever its key.
    package func close() {
        let closed = lock.withLock {
            isClosed = true
            defer { lanes = [:] }
            return lanes
        }
        for lane in closed.values { lane.close() }
    }

    private func lane(for key: Key) -> Lane {
        let now = policy.kind.elapsed
        return lock.withLock {
            if let lane = lanes[key] { return lane }
            let lane = Lane(policy, executor: executor, onBrokenClock: onBrokenClock)
            if isClosed {
                lane.close()
                return lane
            }
            if lanes.count >= limit {
                lanes = lanes.filter { !$0.value.retire(at: now) }
                limit = max(16, 2 * lanes.count)
            }
            lanes[key] = lane
            return lane
        }
    }
}
