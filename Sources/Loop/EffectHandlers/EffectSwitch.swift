/// An effect handler written as one exhaustive `switch`: the compiler sees to it that each effect is handled once.
///
/// ```swift
/// let effectHandler = EffectSwitch<MyEffect, MyEvent> { effect in
///     switch effect {
///     case .closeApplication: .to { closeApplication() }
///     case .stopPlayback: .toEvent { player.stopPlayback(); return .playbackStopped }
///     case .fetchUsers(let ids): .toEvent { .usersFetched(await users(ids)) }
///     }
/// }
/// ```
///
/// The closure is called on the thread that handles the event, and only says what is to be done. For routes that are
/// added from several places, or run on queues or with policies, see ``EffectRouter``.
public struct EffectSwitch<Effect: Sendable, Event: Sendable>: Connectable, Sendable {
    private let executor: (any TaskExecutor)?
    private let handling: @Sendable (Effect) -> EffectHandling<Event>

    /// A handler that does what `handling` says for each effect.
    ///
    /// - Parameters:
    ///   - executor: Where `async` functions run that name no isolation; `nil` is the global executor.
    ///   - handling: Says what is to be done for an effect.
    public init(
        executor: (any TaskExecutor)? = nil,
        _ handling: @escaping @Sendable (Effect) -> EffectHandling<Event>
    ) {
        self.executor = executor
        self.handling = handling
    }

    /// Connects it. Connections are independent of one another; each ends when it is disposed, or when nobody holds it any
    /// more.
    public func connect(_ consumer: @escaping Consumer<Event>) -> Connection<Effect> {
        let owner = SessionOwner(HandlerSession(executor: executor, output: consumer))
        return Connection(
            acceptClosure: { [handling] effect in
                if !owner.session.hasEnded { owner.session.perform(handling(effect).target, ()) }
            },
            disposeClosure: { owner.session.end() }
        )
    }
}
