public import ArchitectureEngine
public import FunctionalCore

/// The subscriptions that a component runs, as its state determines.
///
/// Unchecked: only the draining thread uses the fields.
@usableFromInline
final class ActiveSubscriptions<Environment, S: Sendable, Input: Sendable>: @unchecked Sendable {
    // Weak, because an observer of the runtime retains this object.
    private weak var runtime: ComponentRuntime<S, Input>?
    private let environment: @Sendable () -> Environment
    // In the order in which they were started. Subscriptions that have ended stay, so that they are not started again.
    private var active: [(id: SubscriptionID, work: Work)] = []
    private var reportedIDs: Set<SubscriptionID> = []

    @usableFromInline
    init(_ runtime: ComponentRuntime<S, Input>, _ environment: @escaping @Sendable () -> Environment) {
        self.runtime = runtime
        self.environment = environment
    }

    /// Returns an observer that updates the running subscriptions to those that `subscriptions` returns for each value.
    @inlinable
    func observer<Value>(
        _ subscriptions: @escaping @Sendable (Value) -> [Subscription<Environment, Input>]
    ) -> Observer<Value> {
        Observer { [self] value in update(to: subscriptions(value.value)) }
    }

    /// Cancels the running subscriptions that are not in `wanted`, and starts the subscriptions of `wanted` that are
    /// new.
    @usableFromInline
    func update(to wanted: [Subscription<Environment, Input>]) {
        // Most changes want the same subscriptions.
        if wanted.count == active.count, zip(wanted, active).allSatisfy({ $0.id == $1.id }) { return }
        let ids = Set(wanted.map(\.id))
        if ids.count < wanted.count { reportDuplicates(of: wanted) }
        let unwanted = active.filter { !ids.contains($0.id) }
        active.removeAll { !ids.contains($0.id) }
        for (_, work) in unwanted { work.cancel() }

        var known = Set(active.map(\.id))
        for subscription in wanted where known.insert(subscription.id).inserted {
            guard let work = runtime?.start(subscription, in: environment) else { return }
            active.append((subscription.id, work))
        }
    }

    /// Reports each id that several subscriptions have, once.
    private func reportDuplicates(of wanted: [Subscription<Environment, Input>]) {
        var known: Set<SubscriptionID> = []
        for id in wanted.map(\.id) where !known.insert(id).inserted && reportedIDs.insert(id).inserted {
            report(
                """
                Several subscriptions have the id \(id) at the same time, and only the first of them runs. To fix, \
                give each an id of its own, or widen them with the ids of their children.
                """)
        }
    }
}
