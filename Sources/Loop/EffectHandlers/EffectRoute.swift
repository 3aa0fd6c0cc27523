import ArchitectureEngine
public import Dispatch
public import FunctionalCore
public import Optics

/// A route of an ``EffectRouter`` that matches certain effects and does not have a handler yet.
///
/// Each `to…` method gives the route a handler and returns the router with that route. Use the simplest kind of handler
/// that suffices:
/// 1. `to { }` does work, and sends no event.
/// 2. `toEvent { }` sends one event or none.
/// 3. Both also take `async` closures, which run in tasks that are cancelled with the loop. `toEvents { }` sends the
///    events of an `AsyncSequence`, or those that its closure sends. These closures may throw: `onError` turns an error
///    into an event.
/// 4. `to(handler)`, or `to` with a closure that takes a callback, sends events until the callback ends.
/// 5. `to(connectable)` suits a handler whose work has no known end, for example one that sends events for as long as
///    the loop runs.
///
/// Handlers run on the thread that processes the event. Under a controller, events are processed on the loop's queue.
/// In a ``MobiusLoop``, the thread that dispatches an event processes it, unless another thread is processing events.
/// ``on(queue:)`` and ``onMainActor`` move a handler elsewhere. ``policy(_:)`` decides what happens to an effect that
/// arrives while an earlier effect of the same route is still being handled. Handlers may send events from any thread.
public struct EffectRoute<Effect: Sendable, Parameters: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let router: EffectRouter<Effect, Event>
    @usableFromInline let extract: @Sendable (Effect) -> Parameters?
    @usableFromInline let routing: CaseRouting<Effect>?
    @usableFromInline var place = ConnectionPlace.caller
    @usableFromInline var policy: RoutePolicy<Parameters>?

    @inlinable
    init(
        router: EffectRouter<Effect, Event>,
        extract: @escaping @Sendable (Effect) -> Parameters?,
        routing: CaseRouting<Effect>?
    ) {
        self.router = router
        self.extract = extract
        self.routing = routing
    }
}

// MARK: - Where, and when

extension EffectRoute {
    /// Returns this route with a handler that will run on `queue`, asynchronously.
    ///
    /// If the loop is disposed before an effect has started on the queue, the effect is not handled. For an `async`
    /// closure, only its task is created on the queue. The closure runs in its own isolation, or on the router's
    /// executor if it has none.
    public func on(queue: DispatchQueue) -> EffectRoute {
        var route = self
        route.place = .queue(queue)
        return route
    }

    /// This route with a handler that will run on the main actor.
    ///
    /// A synchronous handler is called synchronously if the event is processed on the main thread and no earlier effect
    /// of the route is pending. Otherwise it is called asynchronously, in order. An `async` handler runs in a task on
    /// the main actor. A policy of the route is set before this, as in `.policy(.latest).onMainActor`.
    public var onMainActor: MainActorRoute<Effect, Parameters, Event> {
        MainActorRoute(route: self)
    }

    /// Returns the route with a policy for effects that arrive while an earlier effect is still being handled.
    ///
    /// ```swift
    /// .routeCase(MyEffect.search).policy(.latest).toEvent { text in .found(await results(for: text)) }
    /// ```
    ///
    /// An effect is being handled until its closure returns, its sequence ends, or its callback ends. A cancelled
    /// effect sends no more events. So after a newer effect has replaced it, only the newer effect sends events.
    ///
    /// An effect that had to wait for an earlier effect starts on the thread that ended the earlier effect. If an
    /// effect had to wait for the interval of `.debounce` or `.throttle`, it starts on the router's executor. With
    /// ``on(queue:)``, both start on the queue. If the loop is disposed while a policy holds an effect back, the effect
    /// is not handled. Under `.throttle`, an effect may be due while another thread is starting an earlier effect. In
    /// that case, the other thread starts both effects, so that effects start in order. A newer effect may replace the
    /// due effect until it starts.
    ///
    /// For a synchronous closure without a queue, only `.debounce` and `.throttle` make a difference. Under any other
    /// policy, the closure returns before the loop passes on the next effect. A policy has no effect on a route to a
    /// connectable.
    ///
    /// A second call replaces the policy. The order of this and ``on(queue:)`` does not matter.
    public func policy(_ policy: Policy) -> EffectRoute {
        var route = self
        route.policy = RoutePolicy(policy: policy) { _ in [] }
        return route
    }

    /// Returns the route with a policy for effects of the same id.
    ///
    /// ```swift
    /// .routeCase(UploadEffect.upload).policy(.latest, id: { file in file }).toEvents { … }
    /// ```
    ///
    /// Effects of different ids do not affect one another. ``toCancel(_:)`` cancels the effects of an id. See
    /// ``policy(_:)``.
    ///
    /// - Parameters:
    ///   - policy: Decides whether and when an effect is handled, and whether it cancels an earlier effect.
    ///   - id: Returns the id for the parameters of an effect.
    public func policy<ID: Hashable & Sendable>(
        _ policy: Policy, id: @escaping @Sendable (Parameters) -> ID
    ) -> EffectRoute {
        var route = self
        route.policy = RoutePolicy(policy: policy) { parameters in [AnyKey(id(parameters))] }
        return route
    }
}

// MARK: - The primitive

// These functions are not named `to`, because after an error in a chain of routes, the compiler also tries functions
// that a client cannot call.

extension EffectRoute {
    /// Returns the router with this route, whose handler is `handle`. All handlers except connectables are added with
    /// this function.
    @inlinable
    func handled(
        by handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void
    ) -> EffectRouter<Effect, Event> {
        let handle: @Sendable (Parameters, HandlerContext<Event>) -> Void = { parameters, context in
            context.handle(parameters, handle)
        }
        if let policy { return adding(atPlace(handle), by: policy) }
        return adding(handle: place.isCaller ? handle : atPlace(handle))
    }

    /// Returns the router with this route, which handles an effect with the `EffectHandling` that `handling` returns.
    func handled(
        as handling: @escaping @Sendable (Parameters) -> EffectHandling<Event>
    ) -> EffectRouter<Effect, Event> {
        handled(by: { parameters, context in handling(parameters).start(context, parameters) })
    }

    /// Returns a function that calls `handle` at the route's `place`, unless the context of the effect is stopped
    /// before the call.
    @usableFromInline
    func atPlace(
        _ handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void
    ) -> @Sendable (Parameters, HandlerContext<Event>) -> Void {
        { [place] parameters, context in
            let start: @Sendable () -> Void = {
                if context.isStopped { context.finish() } else { handle(parameters, context) }
            }
            if place.isOpenHere { return start() }
            let (wait, cause) = (context.connection.beginWork(), TraceCause.current)
            place.post {
                TraceCause.with(cause, start)
                wait?.end()
            }
        }
    }

    /// Returns the router with this route, which calls `handle` when `policy` starts the effect. If the clock of
    /// `policy` throws, the route reports the error instead.
    @usableFromInline
    func adding(
        _ handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void, by policy: RoutePolicy<Parameters>
    ) -> EffectRouter<Effect, Event> {
        let (number, isAwaited) = (nextRouteNumber(), policy.policy.isTimed || !place.isCaller)
        return adding(
            number: number,
            open: { connection in policy.open(on: connection.executor) },
            handle: { parameters, context in
                let connection = context.connection
                // This finite work ends when the effect starts. It also ends when the policy drops the effect, because
                // the policy then releases the closure below.
                let wait = isAwaited ? connection.beginWork() : nil
                guard let queues = connection.attachment(of: number) else { return }
                policy.submit(parameters, to: queues, connection.tracer) { item, queue, occasion in
                    if case .brokenClock(let error) = occasion { return connection.report(error, of: .policy) }
                    handle(
                        parameters, HandlerContext(connection: connection, work: PolicyWork(item: item, queue: queue)))
                    wait?.end()
                }
            }
        )
    }

    /// Returns the router with this route, which handles effects with `handle`.
    ///
    /// - Parameters:
    ///   - number: The number that identifies the route's `Attachment` in a connection.
    ///   - open: Creates the route's `Attachment` for a connection. `nil` if the route has none.
    ///   - handle: Handles an effect in its context.
    @inlinable
    func adding(
        number: Int = nextRouteNumber(),
        open: (@Sendable (HandlerConnection<Event>) -> any Attachment)? = nil,
        handle: @escaping @Sendable (Parameters, HandlerContext<Event>) -> Void
    ) -> EffectRouter<Effect, Event> {
        let extract = extract
        let route = Route<Effect, Event>(
            after: router.last,
            number: number,
            routing: routing,
            handle: { effect, connection in
                if let parameters = extract(effect) { handle(parameters, HandlerContext(connection: connection)) }
            },
            bind: { effect in
                guard let parameters = extract(effect) else { return nil }
                return { connection in handle(parameters, HandlerContext(connection: connection)) }
            },
            open: open
        )
        return EffectRouter(router.executor, route)
    }
}
