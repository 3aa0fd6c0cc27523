/// Listens to the actions of a store and does something about them: a request, a log, a timer.
///
/// ```swift
/// static let getPostEffect = Effect(dispatch: true) { actions in
///     actions
///         .ofType(GetPost.self)
///         .flatMap { get in await post(get.id) }
///         .eraseActionType()
/// }
/// ```
///
/// The closure describes a stream of actions, of a store's: all that are dispatched, each after the state was changed
/// by it. What the stream emits is dispatched, unless `dispatch` is false: then it is dropped, and only what was done
/// on the way remains. An effect that answers an action with one that it listens to itself answers for ever: the store
/// stops and names it. An effect made by `run(on:)`, `map` or `stream` never answers itself, but two of them can answer
/// each other; the store stops these, too.
///
/// A value, which does nothing by itself and may be run by any number of stores, any number of times. After ReCombine's
/// type of this name.
public struct Effect<Environment>: Sendable {
    let dispatches: Bool
    let failure: FailurePolicy
    let name: String
    let describe: @Sendable (Environment) -> ActionStream<any Action>

    init(
        dispatch: Bool,
        onFailure failure: FailurePolicy,
        name: String,
        _ describe: @escaping @Sendable (Environment) -> ActionStream<any Action>
    ) {
        dispatches = dispatch
        self.failure = failure
        self.name = name
        self.describe = describe
    }

    /// An effect that uses the environment of its store.
    ///
    /// - Parameters:
    ///   - dispatch: Whether what the stream emits is dispatched.
    ///   - onFailure: What becomes of the effect when its stream fails.
    ///   - file: The file that reports name the effect by: this one.
    ///   - line: The line that they do.
    ///   - describe: Makes the stream, each time the effect is registered. Must be pure.
    public init(
        dispatch: Bool = true,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ describe: @escaping @Sendable (ActionStream<any Action>, Environment) -> ActionStream<any Action>
    ) {
        self.init(dispatch: dispatch, onFailure: onFailure, name: "\(file):\(line)") { describe(.actions, $0) }
    }

    /// This effect for a larger environment, of which `extract` makes its own. So effects of several parts of an app,
    /// each with an environment of its own, are given to one store; one that needs none fits anywhere:
    /// `logging.contramap { _ in }`.
    public func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment
    ) -> Effect<Larger> {
        Effect<Larger>(dispatch: dispatches, onFailure: failure, name: name) { describe(extract($0)) }
    }

    /// This effect with its environment, which is evaluated as often as the effect begins.
    public func provide(_ environment: @escaping @Sendable @autoclosure () -> Environment) -> Effect<Void> {
        Effect<Void>(dispatch: dispatches, onFailure: failure, name: name) { describe(environment()) }
    }
}

extension Effect where Environment == Void {
    /// An effect that needs no environment.
    ///
    /// `describe` is called at once, and once: where it is formed in a class of the main actor's, so are the closures
    /// of `handleEvents` in it.
    ///
    /// - Parameters:
    ///   - dispatch: Whether what the stream emits is dispatched.
    ///   - onFailure: What becomes of the effect when its stream fails.
    ///   - file: The file that reports name the effect by: this one.
    ///   - line: The line that they do.
    ///   - describe: Makes the stream.
    public init(
        dispatch: Bool = true,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ describe: (ActionStream<any Action>) -> ActionStream<any Action>
    ) {
        let stream = describe(.actions)
        self.init(dispatch: dispatch, onFailure: onFailure, name: "\(file):\(line)") { _ in stream }
    }
}

extension ActionStream where Output == any Action {
    /// All actions of the store that runs the stream.
    static var actions: ActionStream {
        ActionStream(origin: .store) { run, subscriber in run.listen(to: nil, subscriber.receive) }
    }
}
