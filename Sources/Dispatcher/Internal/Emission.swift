public import FunctionalCore

/// What a dispatcher has to do for an input: a change, an action that ends in one, or a stream of them.
@usableFromInline
enum Emission<Environment, S> {
    case change(State<S, Void>)
    case action(EnvIO<Environment, any Error, State<S, Void>>)
    case stream(EnvIO<Environment, any Error, ChangeStream<S>>)

    /// The same as one action. A stream's changes are made as one, when the last has come.
    @inlinable
    var asAction: EnvIO<Environment, any Error, State<S, Void>> {
        switch self {
        case .change(let change): .pure(change)
        case .action(let action): action
        case .stream(let stream): stream.flatMap { changes in changes.all() }
        }
    }

    /// The same for a larger environment.
    @inlinable
    func contramap<Larger>(_ extract: @escaping @Sendable (Larger) -> Environment) -> Emission<Larger, S> {
        switch self {
        case .change(let change): .change(change)
        case .action(let action): .action(action.contramap(extract))
        case .stream(let stream): .stream(stream.contramap(extract))
        }
    }

    /// Both at once, which for a change is only one of them.
    @inlinable
    @inline(__always)
    func widened<Larger, Whole>(
        _ extract: @escaping @Sendable (Larger) -> Environment,
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>
    ) -> Emission<Larger, Whole> {
        guard case .change(let change) = self else { return contramap(extract).mapChange(widen) }
        return .change(widen(change))
    }

    /// The same with a change in the place of a failure.
    @inlinable
    func handleError(_ handler: @escaping @Sendable (any Error) -> State<S, Void>) -> Emission<Environment, S> {
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
        }
    }

    /// The same with each change made into one of a larger state.
    @inlinable
    func mapChange<Whole>(
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>
    ) -> Emission<Environment, Whole> {
        switch self {
        case .change(let change): .change(widen(change))
        case .action(let action): .action(action.mapDescription(widen))
        case .stream(let stream): .stream(stream.map { changes in changes.map(widen) })
        }
    }
}
