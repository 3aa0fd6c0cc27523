public import FunctionalCore

// Effects that cannot answer themselves: they dispatch nothing, or a type that they do not listen to.

extension Effect where Environment == Void {
    /// Calls `body` with each action of a type. Nothing is dispatched.
    ///
    /// `policy` says what becomes of an action that comes while an earlier one is still being handled.
    public static func run<Kind: Action>(
        on type: Kind.Type,
        _ policy: Policy = .concurrent,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Kind) async throws -> Void
    ) -> Effect {
        Effect(dispatch: false, onFailure: onFailure, file: file, line: line) { actions in
            actions.ofType(type).flatMap(policy) { action -> any Action in
                try await body(action)
                return action
            }
        }
    }

    /// Answers each action of one type with one of another, which `transform` makes.
    public static func map<Kind: Action, Answer: Action>(
        _ type: Kind.Type,
        _ policy: Policy = .concurrent,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ transform: @escaping @Sendable (Kind) async throws -> Answer
    ) -> Effect {
        refuseToAnswer(type, with: Answer.self)
        return Effect(onFailure: onFailure, file: file, line: line) { actions in
            actions.ofType(type).flatMap(policy, transform).eraseActionType()
        }
    }

    /// Answers each action of one type with those of another, as the sequence that `transform` makes brings them.
    public static func stream<Kind: Action, Answers: AsyncSequence & SendableMetatype>(
        _ type: Kind.Type,
        _ policy: Policy = .concurrent,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ transform: @escaping @Sendable (Kind) async throws -> Answers
    ) -> Effect where Answers.Element: Action, Answers.AsyncIterator: SendableMetatype {
        refuseToAnswer(type, with: Answers.Element.self)
        return Effect(onFailure: onFailure, file: file, line: line) { actions in
            actions.ofType(type).flatMap(policy, transform).eraseActionType()
        }
    }

    private static func refuseToAnswer<Kind: Action, Answer: Action>(_ type: Kind.Type, with _: Answer.Type) {
        if Answer.self is Kind.Type {
            fault(
                """
                An effect was to answer \(Kind.self) with \(Answer.self), which it listens to itself, for ever. \
                To fix, answer with an action of another type.
                """
            )
        }
    }
}
