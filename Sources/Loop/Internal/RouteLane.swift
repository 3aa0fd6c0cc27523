import ArchitectureEngine
import FunctionalCore

/// The works of a route that has a policy, for one session.
final class RouteLane: Disposable {
    let lane: PolicyQueue

    init(_ policy: Policy, _ executor: (any TaskExecutor)?) {
        lane = PolicyQueue(policy, executor: executor)
    }

    func dispose() {
        lane.close()
    }
}
