import ArchitectureEngine
import FunctionalCore

/// The policy of a route: how a connection opens its queues, and how an effect is submitted to them.
@usableFromInline
struct RoutePolicy<Parameters: Sendable>: Sendable {
    /// The id of all effects of a route whose policy has no ids.
    struct AllEffects: Hashable, Sendable {}

    let isTimed: Bool
    let open: @Sendable ((any TaskExecutor)?) -> any Attachment
    /// Submits an effect to the attachment that `open` has returned. It is passed the type of the effect.
    let submit: @Sendable (any Attachment, Parameters, Any.Type, Tracer?, @escaping PolicyQueue.Start) -> Void

    init<ID: Hashable & Sendable>(_ policy: Policy, id: @escaping @Sendable (Parameters) -> ID) {
        isTimed = policy.isTimed
        open = { PolicyQueues<ID>(policy, executor: $0) }
        submit = { queues, parameters, effect, tracer, start in
            (queues as! PolicyQueues<ID>).submit(
                for: id(parameters),
                traced: tracer.flatMap { $0.submission(of: $0.part(parameters, of: effect), to: policy) }, start)
        }
    }
}
