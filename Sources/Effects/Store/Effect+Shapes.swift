public import FunctionalCore

// Effects that do not answer themselves: they dispatch nothing, or actions of a type that they do not listen to. Two
// such effects can still answer each other without end. Their answers pass through tasks, so the store does not detect
// such a chain.

extension Effect where Environment == Void {
    /// Returns an effect that calls `body` with each action of one type and dispatches nothing.
    ///
    /// `body` runs in a task that is cancelled when the effect ends. If `body` throws, ``Store/onError(_:)`` receives an
    /// ``EffectFailure`` with the action, and the effect continues. The error of a call that the policy has cancelled is
    /// ignored.
    ///
    /// - Parameters:
    ///   - type: The type of the actions.
    ///   - policy: What happens to an action that is dispatched while `body` still handles an earlier action.
    ///   - file: The file that appears in error reports as the place of the effect. The default is the file of the
    ///     caller.
    ///   - line: The line that appears in error reports. The default is the line of the caller.
    ///   - body: Handles an action.
    public static func run<Kind: Action>(
        on type: Kind.Type,
        _ policy: Policy = .concurrent,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Kind) async throws -> Void
    ) -> Effect {
        run(on: type, policy, file: file, line: line) { action, _ in try await body(action) }
    }

    /// Returns an effect that answers each action of one type with an action of another type.
    ///
    /// `transform` runs in a task that is cancelled when the effect ends. If `transform` throws, the action has no
    /// answer. ``Store/onError(_:)`` receives an ``EffectFailure`` with the action, and the effect continues. The error
    /// of a call that the policy has cancelled is ignored.
    ///
    /// The effect must not listen to its own answers. If `Kind` and `Answer` are the same type, or one is a subclass of
    /// the other, this method traps with a message.
    ///
    /// - Parameters:
    ///   - type: The type of the actions to answer.
    ///   - policy: What happens to an action that is dispatched while `transform` still handles an earlier action.
    ///   - file: The file that appears in error reports as the place of the effect. The default is the file of the
    ///     caller.
    ///   - line: The line that appears in error reports. The default is the line of the caller.
    ///   - transform: Returns the answer to an action.
    public static func map<Kind: Action, Answer: Action>(
        _ type: Kind.Type,
        _ policy: Policy = .concurrent,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ transform: @escaping @Sendable (Kind) async throws -> Answer
    ) -> Effect {
        map(type, policy, file: file, line: line) { action, _ in try await transform(action) }
    }
}

extension Effect where Environment: Sendable {
    /// Returns an effect that calls `body` with each action of one type and the environment, and dispatches nothing.
    ///
    /// It behaves as ``run(on:_:file:line:_:)-(_,_,_,_,(Kind)->Void)``. The environment is evaluated each time the effect
    /// starts or restarts.
    ///
    /// ```swift
    /// var warming: Effect<Shop> {
    ///     .run(on: AskPrice.self) { ask, shop in _ = try await shop.price(ask.name) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the actions.
    ///   - policy: What happens to an action that is dispatched while `body` still handles an earlier action.
    ///   - file: The file that appears in error reports as the place of the effect. The default is the file of the
    ///     caller.
    ///   - line: The line that appears in error reports. The default is the line of the caller.
    ///   - body: Handles an action.
    public static func run<Kind: Action>(
        on type: Kind.Type,
        _ policy: Policy = .concurrent,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Kind, Environment) async throws -> Void
    ) -> Effect {
        Effect(dispatch: false, file: file, line: line) { actions, environment in
            actions.ofType(type).flatMap(policy) { action in
                ActionStream<any Action> {
                    try await body(action, environment)
                    return action
                }.reportingFailure(for: action)
            }
        }
    }

    /// Returns an effect that answers each action of one type with an action of another type, which `transform` makes
    /// with the environment.
    ///
    /// It behaves and traps as ``map(_:_:file:line:_:)-(_,_,_,_,(Kind)->Answer)``. The environment is evaluated each time
    /// the effect starts or restarts.
    ///
    /// ```swift
    /// var asking: Effect<Shop> {
    ///     .map(AskPrice.self, .latest) { ask, shop in
    ///         PriceCame(price: try await shop.price(ask.name))
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the actions to answer.
    ///   - policy: What happens to an action that is dispatched while `transform` still handles an earlier action.
    ///   - file: The file that appears in error reports as the place of the effect. The default is the file of the
    ///     caller.
    ///   - line: The line that appears in error reports. The default is the line of the caller.
    ///   - transform: Returns the answer to an action.
    public static func map<Kind: Action, Answer: Action>(
        _ type: Kind.Type,
        _ policy: Policy = .concurrent,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ transform: @escaping @Sendable (Kind, Environment) async throws -> Answer
    ) -> Effect {
        if Answer.self is Kind.Type || Kind.self is Answer.Type {
            programmerError(
                """
                An effect that listens to \(Kind.self) answers with \(Answer.self), which it listens to as well. It \
                would answer itself without end. To fix, answer with an action of another type, neither a subclass nor \
                a base class of \(Kind.self).
                """
            )
        }
        return Effect(file: file, line: line) { actions, environment in
            actions.ofType(type).flatMap(policy) { action in
                ActionStream<any Action> { try await transform(action, environment) }.reportingFailure(for: action)
            }
        }
    }
}
