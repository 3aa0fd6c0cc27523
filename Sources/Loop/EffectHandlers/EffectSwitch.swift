/// An effect handler that is written as one exhaustive `switch`: the compiler checks that each effect is handled.
///
/// ```swift
/// var effectHandler: EffectSwitch<MyEffect, MyEvent> {
///     EffectSwitch { effect in
///         switch effect {
///         case .closeApplication: .to { closeApplication() }
///         case .stopPlayback:
///             .toEvent {
///                 player.stopPlayback()
///                 return .playbackStopped
///             }
///         case .fetchUsers(let ids): .toEvent { .usersFetched(await users(ids)) }
///         }
///     }
/// }
/// ```
///
/// The closure is called on the thread that processes the event. It only returns how to handle the effect. For routes
/// that are added in several places, or that have queues or policies, use an ``EffectRouter``.
public struct EffectSwitch<Effect: Sendable, Event: Sendable>: Connectable, EffectRecording, Sendable {
    /// A router with one route, which matches every effect.
    private let router: EffectRouter<Effect, Event>

    /// Creates an effect handler from a function that returns how to handle each effect.
    ///
    /// - Parameters:
    ///   - executor: The executor for `async` closures that have no isolation. `nil` is the executor of the loop; see
    ///     ``Mobius/Builder/withExecutor(_:)``.
    ///   - handling: A function that returns how to handle an effect.
    public init(
        executor: (any TaskExecutor)? = nil,
        _ handling: @escaping @Sendable (Effect) -> EffectHandling<Event>
    ) {
        router = EffectRouter(executor: executor).routeEffects(withParameters: { $0 }).toHandling(handling)
    }

    /// Connects the handler.
    ///
    /// Connections are independent of one another. A connection ends when it is disposed, or when its last copy is
    /// released.
    public func connect(_ consumer: @escaping Consumer<Event>) -> Connection<Effect> {
        router.connect(consumer)
    }

    func connect(sendingTo consumer: @escaping EventConsumer<Event>) -> Connection<Effect> {
        router.connect(sendingTo: consumer)
    }
}
