public import FunctionalCore

/// One unit of a dispatcher's answer to an input: a change, an action that ends in a change, a stream of changes, or a
/// workflow with a policy.
///
/// The place of the child that an emission belongs to is an argument beside the emission, and not a part of it: most
/// emissions have none, and the larger type would make each `widen` more expensive.
@usableFromInline
enum Emission<Environment, S>: Sendable {
    case change(State<S, Void>)
    case action(EnvIO<Environment, any Error, State<S, Void>>)
    case stream(EnvIO<Environment, any Error, ChangeStream<S>>)
    case scoped(PolicyScoped<Environment, S>)

    /// Whether the emission is a workflow some of whose emissions belong to a child of their own.
    var isMixed: Bool { if case .scoped(let scoped) = self { scoped.children != nil } else { false } }

    /// Appends the actions of the emission to `actions`. A stream becomes one action, which ends in one change after
    /// the stream has ended. A policy is ignored.
    @inlinable
    func append(to actions: inout [EnvIO<Environment, any Error, State<S, Void>>]) {
        switch self {
        case .change(let change): actions.append(.pure(change))
        case .action(let action): actions.append(action)
        case .stream(let stream): actions.append(stream.flatMap { changes in changes.all() })
        case .scoped(let scoped): for emission in scoped.emissions { emission.append(to: &actions) }
        }
    }

    /// Returns the emission in the scope `place`: if the emission is `scoped`, `place` is appended to its key and to
    /// the keys within it. Workflows with different keys do not affect each other.
    @inlinable
    func at(_ place: @autoclosure () -> [AnyKey]) -> Emission {
        guard case .scoped(let scoped) = self else { return self }
        return .scoped(scoped.map(at: place(), in: SamePlace()) { $0.at($1) })
    }

    /// Returns the emission for a larger environment, in the scope `place`; see `at(_:)`.
    @inlinable
    func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment,
        at place: @autoclosure () -> [AnyKey] = []
    ) -> Emission<Larger, S> {
        switch self {
        case .change(let change): .change(change)
        case .action(let action): .action(action.contramap(extract))
        case .stream(let stream): .stream(stream.contramap(extract))
        case .scoped(let scoped): .scoped(scoped.map(at: place(), in: SamePlace()) { $0.contramap(extract, at: $1) })
        }
    }

    /// Returns the emission for a larger environment and a larger state, in the scope `place`; see `at(_:)`. A change
    /// uses no environment, so only its state is widened.
    @inlinable
    @inline(__always)
    func widened<Larger, Whole>(
        _ extract: @escaping @Sendable (Larger) -> Environment,
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>,
        _ part: EnclosingPlace<S, Whole>,
        at place: @autoclosure () -> [AnyKey]
    ) -> Emission<Larger, Whole> {
        guard case .change(let change) = self else { return contramap(extract).mapChange(widen, part, at: place()) }
        return .change(widen(change))
    }

    /// Returns the emission with each failure replaced by the change that `handler` returns, in the scope `place`; see
    /// `at(_:)`.
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
            .scoped(scoped.map(at: place(), in: OpenPlace()) { $0.handleError(handler, at: $1) })
        }
    }

    /// Returns the emission with each change transformed by `widen`, in the scope `place`; see `at(_:)`.
    @inlinable
    func mapChange<Whole>(
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>,
        _ part: EnclosingPlace<S, Whole>,
        at place: @autoclosure () -> [AnyKey]
    ) -> Emission<Environment, Whole> {
        switch self {
        case .change(let change): .change(widen(change))
        case .action(let action): .action(action.mapDescription(widen))
        case .stream(let stream): .stream(stream.map { changes in changes.map(widen) })
        case .scoped(let scoped): .scoped(scoped.map(at: place(), in: part) { $0.mapChange(widen, part, at: $1) })
        }
    }
}
