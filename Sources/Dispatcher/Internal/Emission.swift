public import FunctionalCore

/// One unit of a dispatcher's answer to an input: a change, an action that ends in a change, a stream of changes, or a
/// workflow with a policy.
@usableFromInline
enum Emission<Environment, S>: Sendable {
    case change(State<S, Void>)
    case action(EnvIO<Environment, any Error, State<S, Void>>)
    case stream(EnvIO<Environment, any Error, ChangeStream<S>>)
    // Boxed, so that the other cases stay small.
    indirect case scoped(PolicyScoped<Environment, S>)

    /// Appends the emission as actions. The changes of a stream become one change, which is made after the stream has
    /// ended. A policy is ignored.
    @inlinable
    func append(to actions: inout [EnvIO<Environment, any Error, State<S, Void>>]) {
        switch self {
        case .change(let change): actions.append(.pure(change))
        case .action(let action): actions.append(action)
        case .stream(let stream): actions.append(stream.flatMap { changes in changes.all() })
        case .scoped(let scoped): for emission in scoped.emissions { emission.append(to: &actions) }
        }
    }

    /// Returns the emission in a scope. Policies in different scopes are independent.
    @inlinable
    func at(_ place: @autoclosure () -> [AnyKey]) -> Emission {
        guard case .scoped(let scoped) = self else { return self }
        return .scoped(scoped.map(at: place()) { $0.at($1) })
    }

    /// Returns the emission for a larger environment, in a scope.
    @inlinable
    func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment,
        at place: @autoclosure () -> [AnyKey] = []
    ) -> Emission<Larger, S> {
        switch self {
        case .change(let change): .change(change)
        case .action(let action): .action(action.contramap(extract))
        case .stream(let stream): .stream(stream.contramap(extract))
        case .scoped(let scoped): .scoped(scoped.map(at: place()) { $0.contramap(extract, at: $1) })
        }
    }

    /// Returns the emission for a larger environment and a larger state, in a scope. A change has no environment.
    @inlinable
    @inline(__always)
    func widened<Larger, Whole>(
        _ extract: @escaping @Sendable (Larger) -> Environment,
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>,
        at place: @autoclosure () -> [AnyKey]
    ) -> Emission<Larger, Whole> {
        guard case .change(let change) = self else { return contramap(extract).mapChange(widen, at: place()) }
        return .change(widen(change))
    }

    /// Returns the emission with a change in place of a failure, in a scope.
    @inlinable
    func handleError(
        _ handler: @escaping @Sendable (any Error) -> State<S, Void>,
        at place: @autoclosure () -> [AnyKey]
    ) -> Emission<Environment, S> {
        switch self {
        case .change(let change):
            .change(change)
        case .action(let action):
            .action(action.handleError(handler))
        case .stream(let stream):
            .stream(
                stream.map { changes in changes.handleError(handler) }
                    .handleError { ChangeStream(one: handler($0)) }
            )
        case .scoped(let scoped):
            .scoped(scoped.map(at: place()) { $0.handleError(handler, at: $1) })
        }
    }

    /// Returns the emission with each change transformed, in a scope.
    @inlinable
    func mapChange<Whole>(
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>,
        at place: @autoclosure () -> [AnyKey]
    ) -> Emission<Environment, Whole> {
        switch self {
        case .change(let change): .change(widen(change))
        case .action(let action): .action(action.mapDescription(widen))
        case .stream(let stream): .stream(stream.map { changes in changes.map(widen) })
        case .scoped(let scoped): .scoped(scoped.map(at: place()) { $0.mapChange(widen, at: $1) })
        }
    }
}

/// The emissions of a dispatcher with a policy for one input. They are a workflow, and have the key by which the policy
/// compares works.
@usableFromInline
struct PolicyScoped<Environment, S>: Sendable {
    @usableFromInline let policy: Policy
    /// Identifies the call that made the policy. The policy applies to the work of this call only.
    @usableFromInline let origin: ScopeID
    /// The policy compares work with the same key: the id that the user gave, and the scopes of the dispatcher.
    @usableFromInline let key: [AnyKey]
    @usableFromInline let emissions: [Emission<Environment, S>]

    @usableFromInline
    init(policy: Policy, origin: ScopeID, key: [AnyKey], emissions: [Emission<Environment, S>]) {
        self.policy = policy
        self.origin = origin
        self.key = key
        self.emissions = emissions
    }

    /// Returns this workflow with `place` appended to its key, and with transformed emissions. `transform` receives
    /// `place` for the policies within the emissions. It must not capture `place`: nested closures at every depth make
    /// the 6.3 optimizer loop endlessly.
    @usableFromInline
    func map<NewEnvironment, NewState>(
        at place: [AnyKey],
        _ transform: (Emission<Environment, S>, _ place: [AnyKey]) -> Emission<NewEnvironment, NewState>
    ) -> PolicyScoped<NewEnvironment, NewState> {
        .init(policy: policy, origin: origin, key: key + place, emissions: emissions.map { transform($0, place) })
    }
}
