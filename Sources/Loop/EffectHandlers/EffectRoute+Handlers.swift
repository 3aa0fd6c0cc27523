public import FunctionalCore

// MARK: - In a task

extension EffectRoute {
    /// Returns the router with this route, whose handler calls `body` in a task and sends no event.
    ///
    /// The task is cancelled with the loop.
    public func to(_ body: @escaping @Sendable (Parameters) async -> Void) -> EffectRouter<Effect, Event> {
        to(handling: { parameters in .to { await body(parameters) } })
    }

    /// Returns the router with this route, whose handler calls `body` in a task and sends the event that it returns, if
    /// any.
    ///
    /// The task is cancelled with the loop.
    public func toEvent(_ body: @escaping @Sendable (Parameters) async -> Event?) -> EffectRouter<Effect, Event> {
        to(handling: { parameters in .toEvent { await body(parameters) } })
    }

    /// Returns the router with this route, whose handler sends the events of the sequence that `body` returns.
    ///
    /// A task consumes the sequence, and is cancelled with the loop.
    ///
    /// ```swift
    /// .routeCase(MyEffect.follow).toEvents { id in AsyncStream { … } }
    /// ```
    public func toEvents<Events: AsyncSequence & SendableMetatype>(
        _ body: @escaping @Sendable (Parameters) async -> Events
    ) -> EffectRouter<Effect, Event>
    where Events.Element == Event, Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
        to(handling: { parameters in .toEvents { await body(parameters) } })
    }
}

// MARK: - With a callback

extension EffectRoute {
    /// Returns the router with this route, whose handler is `handler`.
    public func to<Handler: EffectHandler>(_ handler: Handler) -> EffectRouter<Effect, Event>
    where Handler.EffectParameters == Parameters, Handler.Event == Event {
        to { parameters, callback in handler.handle(parameters, callback) }
    }

    /// Returns the router with this route, whose handler calls `handle` with a callback.
    ///
    /// The disposable that `handle` returns is disposed with the loop, unless the callback has ended by then.
    public func to(
        _ handle: @escaping @Sendable (Parameters, EffectCallback<Event>) -> any Disposable
    ) -> EffectRouter<Effect, Event> {
        to(handling: { parameters in .to { callback in handle(parameters, callback) } })
    }
}

// MARK: - Programs

extension EffectRoute {
    /// Returns the router with this route, whose handler runs the program that `body` returns and sends the program's
    /// event, if any.
    ///
    /// The program runs synchronously until it suspends, and from there on in a task, which is cancelled with the loop.
    /// A program that can fail has to turn its failures into events first, with `handleError` or `handleErrorWith`.
    ///
    /// - Parameters:
    ///   - environment: The environment of the program, evaluated at most once for each effect.
    ///   - body: A function that returns the program for the parameters of an effect.
    public func toEvent<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ body: @escaping @Sendable (Parameters) -> EnvIO<Environment, Never, Event?>
    ) -> EffectRouter<Effect, Event> {
        to(handling: { parameters in .toEvent(in: environment, by: { body(parameters) }) })
    }

    /// Returns the router with this route, whose handler runs the program that `body` returns and sends no event.
    ///
    /// For where the program runs, see ``toEvent(in:_:)``.
    ///
    /// - Parameters:
    ///   - environment: The environment of the program, evaluated at most once for each effect.
    ///   - body: A function that returns the program for the parameters of an effect.
    public func to<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ body: @escaping @Sendable (Parameters) -> EnvIO<Environment, Never, Void>
    ) -> EffectRouter<Effect, Event> {
        toEvent(in: environment()) { parameters in body(parameters).map { nil } }
    }
}

// MARK: - For as long as the loop lives

extension EffectRoute {
    /// Returns the router with this route, which passes its effects to `target`.
    ///
    /// `target` is connected for as long as the loop runs.
    ///
    /// The values that the connectable emits are sent to the loop as events. A policy has no effect here, since it is
    /// not known when an effect has been handled.
    ///
    /// With ``on(queue:)``, the connectable accepts effects on the queue. If the connectable is accepting an effect
    /// when the loop is disposed, the connection is disposed on the queue, right after the effect has been accepted.
    /// If a new loop with this connectable is started before that disposal, the new loop connects the connectable as
    /// soon as the old connection has been disposed. Until then, the effects of the new loop wait.
    public func to<Handler: Connectable & Sendable>(_ target: Handler) -> EffectRouter<Effect, Event>
    where Handler.Input == Parameters, Handler.Output == Event {
        let index = Route.index(after: router.last)
        let connectable = LateConnectable(of: target.connectedObject, at: .caller) { consumer in
            target.connect(consumer)
        }
        let accept: @Sendable (Parameters, HandlerContext<Event>) -> Void = { parameters, context in
            context.connection.attachment(at: index, as: LateConnection<Parameters, Event>.self)?.accept(parameters)
        }
        return adding(
            open: { connection in
                let attachment = LateConnection(connectable)
                attachment.open { [weak connection] event in connection?.send(event) }
                return attachment
            },
            handle: queue == nil ? accept : onQueue(accept)
        )
    }
}
