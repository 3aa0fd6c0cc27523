public import FunctionalCore

/// What a dispatcher has to do for an input: a change, an action that ends in one, a stream of them, or a workflow of
/// its own.
@usableFromInline
enum Emission<Environment, S>: Sendable {
    case change(State<S, Void>)
    case action(EnvIO<Environment, any Error, State<S, Void>>)
    case stream(EnvIO<Environment, any Error, ChangeStream<S>>)
    // Boxed, so that it makes the others no larger.
    indirect case policed(Policed<Environment, S>)

    /// Adds the same as actions. A stream's changes are made as one, when the last has come; a policy is left out.
    @inlinable
    func append(to actions: inout [EnvIO<Environment, any Error, State<S, Void>>]) {
        switch self {
        case .change(let change): actions.append(.pure(change))
        case .action(let action): actions.append(action)
        case .stream(let stream): actions.append(stream.flatMap { changes in changes.all() })
        case .policed(let policed): for emission in policed.emissions { emission.append(to: &actions) }
        }
    }

    /// The same at a place of its own, whose policies know nothing of what is going on elsewhere.
    @inlinable
    func at(_ place: @autoclosure () -> [AnyKey]) -> Emission {
        guard case .policed(let policed) = self else { return self }
        return .policed(policed.map(at: place()) { $0.at($1) })
    }

    /// The same for a larger environment, at a place of its own.
    @inlinable
    func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment,
        at place: @autoclosure () -> [AnyKey] = []
    ) -> Emission<Larger, S> {
        switch self {
        case .change(let change): .change(change)
        case .action(let action): .action(action.contramap(extract))
        case .stream(let stream): .stream(stream.contramap(extract))
        case .policed(let policed): .policed(policed.map(at: place()) { $0.contramap(extract, at: $1) })
        }
    }

    /// Both at once, which for a change is only one of them.
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

    /// The same with a change in the place of a failure, at a place of its own.
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
        case .policed(let policed):
            .policed(policed.map(at: place()) { $0.handleError(handler, at: $1) })
        }
    }

    /// The same with each change made into one of a larger state, at a place of its own.
    @inlinable
    func mapChange<Whole>(
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>,
        at place: @autoclosure () -> [AnyKey]
    ) -> Emission<Environment, Whole> {
        switch self {
        case .change(let change): .change(widen(change))
        case .action(let action): .action(action.mapDescription(widen))
        case .stream(let stream): .stream(stream.map { changes in changes.map(widen) })
        case .policed(let policed): .policed(policed.map(at: place()) { $0.mapChange(widen, at: $1) })
        }
    }
}
