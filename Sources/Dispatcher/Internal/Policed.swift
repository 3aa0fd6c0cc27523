public import FunctionalCore

/// What a dispatcher with a policy has to do for an input: a workflow of its own, with a key that says which others are
/// of its kind.
@usableFromInline
struct Policed<Environment, S>: Sendable {
    @usableFromInline let policy: Policy
    /// Where the policy was given: which works it is about is decided there.
    @usableFromInline let origin: Place
    /// Of those, the ones with the same key are of one kind: the id, and then the places the dispatcher was put to.
    @usableFromInline let key: [AnyKey]
    @usableFromInline let emissions: [Emission<Environment, S>]

    @usableFromInline
    init(policy: Policy, origin: Place, key: [AnyKey], emissions: [Emission<Environment, S>]) {
        self.policy = policy
        self.origin = origin
        self.key = key
        self.emissions = emissions
    }

    /// The same at a place of its own; `transform` sees to the policies within, and is handed the place for that. It is
    /// not to ask for it anew: a closure in a closure at every depth keeps the 6.3 optimiser at work without end.
    @usableFromInline
    func map<NewEnvironment, NewState>(
        at place: [AnyKey],
        _ transform: (Emission<Environment, S>, _ place: [AnyKey]) -> Emission<NewEnvironment, NewState>
    ) -> Policed<NewEnvironment, NewState> {
        .init(policy: policy, origin: origin, key: key + place, emissions: emissions.map { transform($0, place) })
    }
}
