import ArchitectureEngine

/// The subscriptions that the state of a component asks for.
///
/// Unchecked: touched by who drains alone.
@usableFromInline
final class ActiveSubscriptions<Environment, S: Sendable, Input: Sendable>: @unchecked Sendable {
    // The root's observer holds this.
    private weak var root: Root<S, Input>?
    private let environment: @Sendable () -> Environment
    // In the order in which they were started. Those that have ended stay: they are not to be started again.
    private var active: [(id: SubscriptionID, work: WorkItem)] = []

    @usableFromInline
    init(_ root: Root<S, Input>, _ environment: @escaping @Sendable () -> Environment) {
        self.root = root
        self.environment = environment
    }

    /// Cancels what is not wanted any more, and starts what was not wanted before.
    @usableFromInline
    func update(to wanted: [Subscription<Environment, Input>]) {
        // Most changes ask for what was asked for before.
        if wanted.count == active.count, zip(wanted, active).allSatisfy({ $0.id == $1.id }) { return }
        let ids = Set(wanted.map(\.id))
        let unwanted = active.filter { !ids.contains($0.id) }
        active.removeAll { !ids.contains($0.id) }
        for (_, work) in unwanted { work.cancel() }

        var known = Set(active.map(\.id))
        for subscription in wanted where known.insert(subscription.id).inserted {
            guard let work = root?.start(subscription, in: environment) else { return }
            active.append((subscription.id, work))
        }
    }
}
