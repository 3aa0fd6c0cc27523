public import FunctionalCore

/// What a dispatcher has to do for an input: a change, an action that ends in one, a stream of them, or a workflow of its own.
@usableFromInline
enum Emission<Environment, S>: Sendable {
    case change(State<S, Void>)
    case action(EnvIO<Environment, any Error, State<S, Void>>)
    case stream(EnvIO<Environment, any Error, ChangeStream<S>>)
    // Boxed, so that it makes the others no larger.
    indirect case policed(Policed<Environment, S>)

    // Where a policy is passed on, the place is asked for once: a closure of it in one of it, at every depth, would keep the
    // optimiser at work for ever.

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
        let place = place()
        return .policed(policed.map(at: place) { $0.at(place) })
    }

    /// The same for a larger environment, at a place of its own.
    @inlinable
    func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment,
        at place: @autoclosure () -> [AnyKey] = []
    ) -> Emission<Larger, S> {
        switch self {
        case .change(let change): return .change(change)
        case .action(let action): return .action(action.contramap(extract))
        case .stream(let stream): return .stream(stream.contramap(extract))
        case .policed(let policed):
            let place = place()
            return .policed(policed.map(at: place) { $0.contramap(extract, at: place) })
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
            return .change(change)
        case .action(let action):
            return .action(action.handleError(handler))
        case .stream(let stream):
            return .stream(
                stream.map { changes in changes.handleError(handler) }
                    .handleError { ChangeStream(one: handler($0)) }
            )
        case .policed(let policed):
            let place = place()
            return .policed(policed.map(at: place) { $0.handleError(handler, at: place) })
        }
    }

    /// The same with each change made into one of a larger state, at a place of its own.
    @inlinable
    func mapChange<Whole>(
        _ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>,
        at place: @autoclosure () -> [AnyKey]
    ) -> Emission<Environment, Whole> {
        switch self {
        case .change(let change): return .change(widen(change))
        case .action(let action): return .action(action.mapDescription(widen))
        case .stream(let stream): return .stream(stream.map { changes in changes.map(widen) })
        case .policed(let policed):
            let place = place()
            return .policed(policed.map(at: place) { $0.mapChange(widen, at: place) })
        }
    }
}
