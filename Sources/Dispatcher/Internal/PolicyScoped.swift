public import FunctionalCore

/// The workflow for one input of a dispatcher that has a policy: the emissions of the dispatcher, and the key by which
/// the policy compares this workflow with others.
@usableFromInline
final class PolicyScoped<Environment, S>: Sendable {
    @usableFromInline let policy: Policy
    /// The identity of the call of `policy`. Only workflows with the same origin affect each other.
    @usableFromInline let origin: ScopeID
    /// The id of the input, if the user gave a function that returns it, and the scopes of the dispatcher. Only
    /// workflows with the same key affect each other.
    @usableFromInline let key: [AnyKey]
    @usableFromInline let emissions: [Emission<Environment, S>]
    /// The place of the child of each emission, or `nil` if all emissions belong to the same child as the whole workflow,
    /// or none does. Not an empty array, for which unspecialized code would look up metadata.
    @usableFromInline let children: [ChildPlace<S>?]?
    /// The changes for the case that the workflow is cancelled, or `nil` if there are none.
    @usableFromInline let cancelling: [OnCancel<Environment, S>]?

    @usableFromInline
    init(
        policy: Policy, origin: ScopeID, key: [AnyKey], emissions: [Emission<Environment, S>],
        children: [ChildPlace<S>?]?, cancelling: [OnCancel<Environment, S>]? = nil
    ) {
        self.policy = policy
        self.origin = origin
        self.key = key
        self.emissions = emissions
        self.children = children
        self.cancelling = cancelling
    }
    /// Returns this workflow in a larger state, with `place` appended to its key, and with transformed emissions.
    /// `transform` receives `place` for the policies within the emissions. It must not capture `place`, because the
    /// optimizer of Swift 6.3 does not terminate for closures that are nested at every depth.
    @usableFromInline
    func map<NewEnvironment, NewState>(
        at place: [AnyKey], in whole: EnclosingPlace<S, NewState>,
        _ transform: (Emission<Environment, S>, _ place: [AnyKey]) -> Emission<NewEnvironment, NewState>
    ) -> PolicyScoped<NewEnvironment, NewState> {
        .init(
            policy: policy, origin: origin, key: key + place, emissions: emissions.map { transform($0, place) },
            children: children.map { $0.map { whole.lift($0) } },
            cancelling: cancelling.map { $0.map { .init(group: $0.group, change: transform($0.change, place)) } })
    }
}
