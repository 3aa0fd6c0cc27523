public import FunctionalCore

// Effects that cannot answer themselves: they dispatch nothing, or a type that they do not listen to. Several of them can
// answer each other.

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
    ///
    /// Stops the process with a message where the effect would listen to its answers: at once where the types tell, as
    /// with a subclass or a base class; otherwise with the first such answer.
    public static func map<Kind: Action, Answer: Action>(
        _ type: Kind.Type,
        _ policy: Policy = .concurrent,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ transform: @escaping @Sendable (Kind) async throws -> Answer
    ) -> Effect {
        answering(type, onFailure, file, line) { $0.flatMap(policy, transform) }
    }

    /// Answers each action of one type with those of another, as the sequence that `transform` makes brings them.
    ///
    /// Stops the process with a message where the effect would listen to its answers; see
    /// ``map(_:_:onFailure:file:line:_:)``.
    public static func stream<Kind: Action, Answers: AsyncSequence & SendableMetatype>(
        _ type: Kind.Type,
        _ policy: Policy = .concurrent,
        onFailure: FailurePolicy = .restart(atMost: 10),
        file: StaticString = #fileID,
        line: UInt = #line,
        _ transform: @escaping @Sendable (Kind) async throws -> Answers
    ) -> Effect where Answers.Element: Action, Answers.AsyncIterator: SendableMetatype {
        answering(type, onFailure, file, line) { $0.flatMap(policy, transform) }
    }

    /// An effect of which no answer is one that it listens to. Most often the types tell. Where they do not, as where
    /// one is an optional of the other, each answer is looked at.
    private static func answering<Kind: Action, Answer: Action>(
        _ type: Kind.Type, _ onFailure: FailurePolicy, _ file: StaticString, _ line: UInt,
        _ answers: (ActionStream<Kind>) -> ActionStream<Answer>
    ) -> Effect {
        if Answer.self is Kind.Type || Kind.self is Answer.Type { refuse(Kind.self, Answer.self, "") }
        return Effect(onFailure: onFailure, file: file, line: line) { actions in
            answers(actions.ofType(type)).map { answer in
                let answer: any Action = answer
                if answer is Kind { refuse(Kind.self, Answer.self, "the value \(answer), ") }
                return answer
            }
        }
    }

    private static func refuse(_ kind: Any.Type, _ answer: Any.Type, _ value: String) -> Never {
        fault(
            """
            An effect was to answer \(kind) with \(answer), \(value)which it listens to itself, for ever. \
            To fix, answer with an action of another type, neither a subclass nor a base class of it.
            """
        )
    }
}
