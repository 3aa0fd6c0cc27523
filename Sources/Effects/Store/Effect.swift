import FunctionalCore

/// A description of work that a store does in response to actions, such as a request, a log entry or a timer.
///
/// ```swift
/// static let getPostEffect = Effect(dispatch: true) { actions in
///     actions
///         .ofType(GetPost.self)
///         .flatMap { get in await post(get.id) }
/// }
/// ```
///
/// The closure receives the stream of all actions of the store. The store delivers an action to its effects after the
/// reducer has changed the state. If `dispatch` is `true`, the store dispatches each action that the stream emits. If
/// `dispatch` is `false`, the emitted actions are dropped, and only the side effects of the operators remain.
///
/// An effect may answer itself without end if it listens to the actions that it emits. If it emits them synchronously,
/// the store stops this chain of actions. It reports a ``RunawayEffect`` with the place where the effect was created.
/// The store does not stop an effect that emits such actions from a task. An effect made by `run(on:)` or `map` never
/// answers itself, but two effects made by `map` can answer each other without end.
///
/// An effect is a value and does nothing by itself. Any number of stores can run it, any number of times. The type is
/// modelled on ReCombine's type of the same name.
public struct Effect<Environment>: Sendable {
    let dispatches: Bool
    let failure: FailurePolicy
    package let name: String
    let describe: @Sendable (Environment) -> ActionStream<any Action>

    init(
        dispatch: Bool,
        onFailure failure: FailurePolicy,
        name: String,
        _ describe: @escaping @Sendable (Environment) -> ActionStream<any Action>
    ) {
        checkCount(failure.count, of: "restart(atMost:) of the effect at \(name)")
        dispatches = dispatch
        self.failure = failure
        self.name = name
        self.describe = describe
    }

    /// Creates an effect that uses the environment of its store.
    ///
    /// - Parameters:
    ///   - dispatch: Whether the store dispatches the actions that the stream emits.
    ///   - onFailure: What the store does with the effect if the stream fails.
    ///   - file: The file that appears in error reports as the place of the effect. The default is the file of the
    ///     caller.
    ///   - line: The line that appears in error reports. The default is the line of the caller.
    ///   - describe: Returns the stream. The store calls it each time the effect starts or restarts, so it must be
    ///     pure. It has no isolation, even in a main-actor class. To run a closure on the main actor, write
    ///     `handleEvents { @MainActor action in … }`.
    public init(
        dispatch: Bool = true,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ describe: @escaping @Sendable (ActionStream<any Action>, Environment) -> ActionStream<any Action>
    ) {
        self.init(dispatch: dispatch, onFailure: onFailure, name: "\(file):\(line)") { describe(.actions, $0) }
    }

    /// Returns this effect for a larger environment.
    ///
    /// Use this method if the parts of an app have environments of their own, but one store runs all their effects. An
    /// effect that needs no environment fits any store: `logging.contramap { _ in }`.
    ///
    /// - Parameter extract: Returns the environment of this effect from the larger environment. It is called each time
    ///   the effect starts or restarts.
    public func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment
    ) -> Effect<Larger> {
        Effect<Larger>(dispatch: dispatches, onFailure: failure, name: name) { describe(extract($0)) }
    }

    /// Returns this effect with its environment supplied, so that the returned effect needs no environment.
    ///
    /// - Parameter environment: The environment. It is evaluated each time the effect starts or restarts.
    public func provide(_ environment: @escaping @Sendable @autoclosure () -> Environment) -> Effect<Void> {
        Effect<Void>(dispatch: dispatches, onFailure: failure, name: name) { describe(environment()) }
    }
}

extension Effect where Environment == Void {
    /// Creates an effect that needs no environment.
    ///
    /// - Parameters:
    ///   - dispatch: Whether the store dispatches the actions that the stream emits.
    ///   - onFailure: What the store does with the effect if the stream fails.
    ///   - file: The file that appears in error reports as the place of the effect. The default is the file of the
    ///     caller.
    ///   - line: The line that appears in error reports. The default is the line of the caller.
    ///   - describe: Returns the stream. It is called once, before this initializer returns. It runs in the isolation
    ///     of the caller. In a method of a main-actor class, the closures that it passes to `handleEvents` are
    ///     therefore isolated to the main actor.
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
        ActionStream(origin: .store) { run, subscriber in run.listen(to: .all, subscriber.receive) }
    }
}
