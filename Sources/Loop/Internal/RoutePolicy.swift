import ArchitectureEngine
import FunctionalCore

/// The policy of a route. It creates the policy queues for a connection, and submits effects to these queues.
@usableFromInline
struct RoutePolicy<Parameters: Sendable>: Sendable {
    let policy: Policy
    /// Returns the id for the parameters of an effect, or an empty array if the policy has no ids.
    let key: @Sendable (Parameters) -> [AnyKey]

    func open(on executor: (any TaskExecutor)?) -> any Attachment {
        PolicyQueues(policy, executor: executor)
    }

    /// Submits an effect with `parameters` to `queues`, which `open(on:)` has returned. Calls `start` when the policy
    /// starts the effect.
    func submit(
        _ parameters: Parameters, to queues: any Attachment, _ tracer: Tracer?,
        _ start: @escaping PolicyQueue.Start
    ) {
        (queues as! PolicyQueues).submit(
            for: key(parameters),
            traced: tracer.flatMap { $0.submission(of: $0.part(parameters), to: policy) }, start)
    }
}
