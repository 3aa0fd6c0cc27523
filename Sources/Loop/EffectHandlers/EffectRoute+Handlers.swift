import FunctionalCore

// MARK: - At once

// The synchronous functions are declared first in the module, because the compiler tries functions of the same name in
// the order of their declarations.

extension EffectRoute {
    /// Returns the router with this route, whose handler calls `body` and sends no event.
    @inlinable
    public func to(_ body: @escaping @Sendable (Parameters) -> Void) -> EffectRouter<Effect, Event> {
        handled(by: { parameters, context in
            body(parameters)
            context.finish()
        })
    }

    /// Returns the router with this route, whose handler calls `body` and sends the event that it returns, if any.
    @inlinable
    public func toEvent(_ body: @escaping @Sendable (Parameters) -> Event?) -> EffectRouter<Effect, Event> {
        handled(by: { parameters, context in
            if let event = body(parameters) { context.send(event) }
            context.finish()
        })
    }
}

// MARK: - In a task

extension EffectRoute {
    /// Returns the router with this route, whose handler calls `body` in a task and sends no event.
    ///
    /// The task is cancelled with the loop.
    ///
    /// ```swift
    /// .routeCase(MyEffect.showAlert).to { text in await screen.show(text) }
    /// ```
    ///
    /// A function of an actor is called even if the effect is cancelled while the task waits for the actor. If that
    /// matters, let the function call `try Task.checkCancellation()` first.
    ///
    /// - Parameters:
    ///   - body: A function that does the work. A closure that throws runs in a task, too, even if it does not suspend. So the
    ///     next effect of the event may be handled before it. If the order counts, catch the error in the closure.
    ///   - onError: Returns the event to send if `body` throws, or `nil` to send none. It is called by the task with
    ///     the error and the parameters of the effect. Without it, the error is reported as
    ///     ``Mobius/Builder/onError(_:)`` documents.
    // Disfavored, so that the compiler does not try it for a closure that is not `async`. The compiler checks the
    // closures of a chain together, and each closure that may be of either kind doubles the work.
    @_disfavoredOverload
    public func to(
        _ body: @escaping @Sendable (Parameters) async throws -> Void,
        onError: (@Sendable (any Error, Parameters) -> Event?)? = nil
    ) -> EffectRouter<Effect, Event> {
        toHandling { parameters in .to({ try await body(parameters) }, onError: bind(onError, parameters)) }
    }

    /// Returns the router with this route, whose handler calls `body` in a task and sends the event that it returns, if
    /// any.
    ///
    /// The task is cancelled with the loop.
    ///
    /// ```swift
    /// .routeCase(MyEffect.fetch).toEvent { id in
    ///     .fetched(try await server.user(id))
    /// } onError: { error, id in
    ///     .failed(id, "\(error)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - body: A function that returns the event. A closure that throws runs in a task, too, even if it does not
    ///     suspend; see ``to(_:onError:)``.
    ///   - onError: Returns the event to send if `body` throws, or `nil` to send none. It is called by the task with
    ///     the error and the parameters of the effect. Without it, the error is reported as
    ///     ``Mobius/Builder/onError(_:)`` documents.
    // Disfavored for the reason given at `to(_:onError:)`.
    @_disfavoredOverload
    public func toEvent(
        _ body: @escaping @Sendable (Parameters) async throws -> Event?,
        onError: (@Sendable (any Error, Parameters) -> Event?)? = nil
    ) -> EffectRouter<Effect, Event> {
        toHandling { parameters in
            .toEvent({ try await body(parameters) }, onError: bind(onError, parameters))
        }
    }
}

private func bind<Parameters: Sendable, Event>(
    _ onError: (@Sendable (any Error, Parameters) -> Event?)?, _ parameters: Parameters
) -> (@Sendable (any Error) -> Event?)? {
    guard let onError else { return nil }
    return { error in onError(error, parameters) }
}

// MARK: - As described

extension EffectRoute {
    /// Returns the router with this route, which handles an effect as `handling` describes for its parameters.
    ///
    /// The form is for several events, and for programs:
    ///
    /// ```swift
    /// .routeCase(UploadEffect.upload).toHandling { file in
    ///     .toEvents { send in
    ///         try await server.upload(file) { percent in send(.progressed(file, percent)) }
    ///         send(.uploaded(file))
    ///     } onError: { _ in
    ///         .failed(file)
    ///     }
    /// }
    /// .routeCase(PlayerEffect.followTitle).toHandling { .toEvents { player.titles.map { title in .titled(title) } } }
    /// ```
    ///
    /// - Parameter handling: A function that returns how to handle an effect. It is called where a synchronous handler
    ///   of the route would be called.
    public func toHandling(
        _ handling: @escaping @Sendable (Parameters) -> EffectHandling<Event>
    ) -> EffectRouter<Effect, Event> {
        handled(by: { parameters, context in handling(parameters).start(context, parameters) })
    }
}

// MARK: - With a callback, and cancelling

extension EffectRoute {
    /// Returns the router with this route, whose handler is `handler`.
    public func to(_ handler: any EffectHandler<Parameters, Event>) -> EffectRouter<Effect, Event> {
        // The parameter is an existential, since the compiler would try a generic parameter for each closure, too.
        to { parameters, callback in handler.handle(parameters, callback) }
    }

    /// Returns the router with this route, whose handler calls `handle` with a callback.
    ///
    /// The disposable that `handle` returns is disposed when the loop is disposed or a policy cancels the effect,
    /// unless the callback has ended by then.
    public func to(
        _ handle: @escaping @Sendable (Parameters, EffectCallback<Event>) -> any Disposable
    ) -> EffectRouter<Effect, Event> {
        toHandling { parameters in .to { callback in handle(parameters, callback) } }
    }

    /// Returns the router with this route, whose handler cancels the effects that have an id.
    ///
    /// These are the effects of all routes of the router for which the `id` closure of ``policy(_:id:)`` returns an
    /// equal id of the same type. Effects that are being handled are cancelled, and so are effects that wait. The order
    /// is that of the routes, and for each route that of the starts. A cancelled effect sends no more events: its task
    /// is cancelled, and its disposable is disposed. Its events that wait for their turn in the loop are dropped, as
    /// ``policy(_:)`` describes. Effects that arrive later are handled, under `throttle` at once, since a cancellation
    /// also ends the interval. If no effect has the id, nothing happens: an id of another type cancels nothing. The router
    /// traps when it is connected if none of its routes has a policy with ids. The idea comes from `cancel(id:)` of the
    /// Composable Architecture.
    ///
    /// ```swift
    /// .routeCase(UploadEffect.upload).policy(.latest, id: { file in file }).toHandling { file in .toEvents { send in … } }
    /// .routeCase(UploadEffect.cancel).toCancel { file in file }
    /// ```
    ///
    /// - Parameter id: Returns the id for the parameters of an effect.
    /// - Complexity: O(n log n) in the number of routes that have connectables or policies.
    public func toCancel<ID: Hashable & Sendable>(
        _ id: @escaping @Sendable (Parameters) -> ID
    ) -> EffectRouter<Effect, Event> {
        using(idsFor: "toCancel").handled(by: { parameters, context in
            context.connection.cancel(id(parameters))
            context.finish()
        })
    }
}

extension EffectRoute {
    /// Returns the router with this route, whose handler starts the effects that policies hold until a time.
    ///
    /// These are the effects of all routes of the router that wait for the interval of `debounce` or `throttle`. They
    /// are handled at once, in the order of the routes. No effect that is being handled is cancelled: under `debounce`,
    /// the effect that waits is then handled when that has ended, unless a newer effect replaces it until then. Under
    /// `throttle`, another interval begins.
    ///
    /// ```swift
    /// .routeCase(EditorEffect.save).policy(.debounce(for: .seconds(1), clock: clock)).toEvent { note in … }
    /// .routeCase(EditorEffect.willClose).toFlush()
    /// ```
    ///
    /// - Complexity: O(n log n) in the number of routes and ids.
    public func toFlush() -> EffectRouter<Effect, Event> {
        handled(by: { _, context in
            context.connection.flush()
            context.finish()
        })
    }

    /// Returns the router with this route, whose handler starts the effects of an id that policies hold until a time.
    ///
    /// These are the effects of all routes of the router for which the `id` closure of ``policy(_:id:)`` returns an
    /// equal id of the same type. See ``toFlush()``. The router traps when it is connected if none of its routes has a
    /// policy with ids.
    ///
    /// - Parameter id: Returns the id for the parameters of an effect.
    /// - Complexity: O(n log n) in the number of routes and ids.
    public func toFlush<ID: Hashable & Sendable>(
        _ id: @escaping @Sendable (Parameters) -> ID
    ) -> EffectRouter<Effect, Event> {
        using(idsFor: "toFlush").handled(by: { parameters, context in
            context.connection.flush(AnyKey(id(parameters)))
            context.finish()
        })
    }

    private func using(idsFor method: String) -> EffectRoute {
        var route = self
        route.userOfIDs = method
        return route
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
    // Disfavored for the reason given at `to(_:onError:)`. Not an existential: that would accept a conformance that is
    // isolated to an actor.
    @_disfavoredOverload
    public func to<Target: Connectable & Sendable>(_ target: Target) -> EffectRouter<Effect, Event>
    where Target.Input == Parameters, Target.Output == Event {
        let number = nextRouteNumber()
        let connectable = LateConnectable(of: target.connectedObject, at: .caller) { target.connect($0) }
        let tracedConnectable = LateConnectable(as: connectable) { target.connect(routingTo: $0) }
        let accept: Handler = { parameters, context in
            let attachment = context.connection.attachment(of: number)
            if let effect = context.effect {
                (attachment as! LateConnection<RoutedInput<Parameters>, Event>?)?
                    .accept(RoutedInput(input: parameters, effect: effect))
            } else {
                (attachment as! LateConnection<Parameters, Event>?)?.accept(parameters)
            }
        }
        return adding(
            place.isCaller ? accept : atPlace(accept),
            number: number,
            open: { connection in
                connection.tracer == nil ? connection.open(connectable) : connection.open(tracedConnectable)
            }
        )
    }
}
