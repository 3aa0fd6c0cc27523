import ArchitectureEngine
public import Dispatch
public import FunctionalCore
import Optics

/// A route of which it is known which effects it takes, and not yet where they go.
///
/// Effects can be handled in different ways, here in the order of their complexity; use the least complicated one that
/// does:
/// 1. `to { }`: something is done, and no event comes of it;
/// 2. `toEvent { }`: one event comes of it, or none;
/// 3. the same with `async` functions, whose tasks are cancelled with the loop, and ``toEvents(_:)`` for the events of
///    an `AsyncSequence`;
/// 4. `to(handler)` or a closure with a callback: it ends some day, and sends events until then;
/// 5. `to(connectable)`: nobody can say when it is done, as with something that goes on emitting for ever.
///
/// Handlers run on the thread that handles the event: the one that dispatched it to a raw loop, the loop's queue under
/// a controller. ``on(queue:)`` and ``onMainActor`` change that, ``policy(_:)`` what becomes of an effect that comes
/// while an earlier one of this route is still being handled. Events may be sent from any thread whatever the loop.
public struct EffectRoute<Effect: Sendable, Parameters: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let router: EffectRouter<Effect, Event>
    @usableFromInline let extract: @Sendable (Effect) -> Parameters?
    @usableFromInline let routing: CaseRouting<Effect>?
    @usableFromInline var queue: DispatchQueue?
    @usableFromInline var policy: Policy?

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
    /// The same route with its handler on `queue`, where it runs asynchronously.
    ///
    /// An effect that has not begun there when the loop is disposed does not begin. An `async` function is begun from
    /// the queue, and runs where it says itself.
    public func on(queue: DispatchQueue) -> EffectRoute {
        var route = self
        route.queue = queue
        return route
    }

    /// The same route with its handler on the main actor: at once where the event is handled there, and else as soon as
    /// may be, in order.
    public var onMainActor: MainActorRoute<Effect, Parameters, Event> {
        MainActorRoute(route: self)
    }

    /// The same route with a policy for effects that come while an earlier one is still being handled.
    ///
    /// ```swift
    /// .routeCase(MyEffect.search).policy(.latest).toEvent { text in .found(await results(for: text)) }
    /// ```
    ///
    /// An effect is being handled until its function returns, or its callback ends. One that is cancelled sends nothing
    /// from then on: an event of an older effect never comes after one of a newer that took its place. An effect that
    /// had to wait begins on the thread that ended the earlier one, or on the router's executor when its time has come;
    /// with ``on(queue:)`` it begins on the queue whatever it waited for.
    public func policy(_ policy: Policy) -> EffectRoute {
        var route = self
        route.policy = policy
        return route
    }
}

// MARK: - At once

extension EffectRoute {
    /// Calls `body`, and no event comes of it.
    @inlinable
    public func to(_ body: @escaping @Sendable (Parameters) -> Void) -> EffectRouter<Effect, Event> {
        finish(.to(body))
    }

    /// Calls `body`, and sends the event that it returns, if any.
    @inlinable
    public func toEvent(_ body: @escaping @Sendable (Parameters) -> Event?) -> EffectRouter<Effect, Event> {
        finish(.toEvent(body))
    }
}

// MARK: - In a task

extension EffectRoute {
    /// Calls `body` in a task, which is cancelled with the loop. No event comes of it.
    public func to(_ body: @escaping @Sendable (Parameters) async -> Void) -> EffectRouter<Effect, Event> {
        finish(.to(body))
    }

    /// Calls `body` in a task, which is cancelled with the loop, and sends the event that it returns, if any.
    public func toEvent(_ body: @escaping @Sendable (Parameters) async -> Event?) -> EffectRouter<Effect, Event> {
        finish(.toEvent(body))
    }

    /// Sends the events of the sequence that `body` returns as they come, from a task that is cancelled with the loop.
    ///
    /// ```swift
    /// .routeCase(MyEffect.follow).toEvents { id in AsyncStream { … } }
    /// ```
    public func toEvents<Events: AsyncSequence & SendableMetatype>(
        _ body: @escaping @Sendable (Parameters) async -> Events
    ) -> EffectRouter<Effect, Event>
    where Events.Element == Event, Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
        finish(.toEvents(body))
    }
}

// MARK: - With a callback

extension EffectRoute {
    /// Has `handler` handle the effects.
    public func to<Handler: EffectHandler>(_ handler: Handler) -> EffectRouter<Effect, Event>
    where Handler.EffectParameters == Parameters, Handler.Event == Event {
        to { parameters, callback in handler.handle(parameters, callback) }
    }

    /// Calls `handle` with a callback. What it returns is disposed with the loop, unless the callback has ended by
    /// then.
    public func to(
        _ handle: @escaping @Sendable (Parameters, EffectCallback<Event>) -> any Disposable
    ) -> EffectRouter<Effect, Event> {
        finish(.to(handle))
    }
}

// MARK: - Programs

extension EffectRoute {
    /// Runs the program that `body` returns: there and then as far as it need not wait, and in a task from there on,
    /// which is cancelled with the loop. Sends the event that it ends in, if any.
    ///
    /// A program that can fail has to say first which event that is: `handleError`.
    public func toEvent<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ body: @escaping @Sendable (Parameters) -> EnvIO<Environment, Never, Event?>
    ) -> EffectRouter<Effect, Event> {
        finish(.toEvent(in: environment, body))
    }

    /// Runs the program that `body` returns, as `toEvent(in:_:)` does. No event comes of it.
    public func to<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ body: @escaping @Sendable (Parameters) -> EnvIO<Environment, Never, Void>
    ) -> EffectRouter<Effect, Event> {
        finish(.toEvent(in: environment) { parameters in body(parameters).map { nil } })
    }
}

// MARK: - For as long as the loop lives

extension EffectRoute {
    /// Connects `target` with the loop, and gives it the effects. What it emits goes to the loop.
    ///
    /// With ``on(queue:)`` it accepts on the queue; if it does so when the loop is disposed, the connection is disposed
    /// after that, by the queue, and only then made again where another loop is started meanwhile. A policy says
    /// nothing here: nobody knows when an effect has been handled.
    public func to<Handler: Connectable & Sendable>(_ target: Handler) -> EffectRouter<Effect, Event>
    where Handler.Input == Parameters, Handler.Output == Event {
        let (key, disposals) = (AttachmentKey<RouteConnection<Parameters>>(), PendingDisposals(of: target))
        return finish(
            open: { session in
                let connection = RouteConnection<Parameters>(after: disposals)
                session.attach(connection, for: key)
                let consumer: Consumer<Event> = { [weak session] in session?.send($0) }
                connection.open { target.connect(consumer) }
            },
            moved { parameters, session in session.attachment(for: key)?.accept(parameters) }
        )
    }
}

// MARK: - The one implementation

extension EffectRoute {
    @inlinable
    func finish(_ target: Target<Parameters, Event>) -> EffectRouter<Effect, Event> {
        if let policy { return finish(target, by: policy) }
        let handle: @Sendable (Parameters, HandlerSession<Event>) -> Void = { $1.perform(target, $0) }
        return finish(open: nil, queue == nil ? handle : moved(handle))
    }

    @usableFromInline
    func finish(_ target: Target<Parameters, Event>, by policy: Policy) -> EffectRouter<Effect, Event> {
        let (key, queue, isAwaited) = (AttachmentKey<RouteLane>(), queue, policy.isTimed || queue != nil)
        let submit: @Sendable (Parameters, HandlerSession<Event>) -> Void = { parameters, session in
            // Until the handler begins, or the policy drops the effect and the closure with it.
            let wait = isAwaited ? session.beginWork() : nil
            session.attachment(for: key)?.lane.submit { work, lane in
                let perform: @Sendable () -> Void = {
                    session.perform(target, parameters, as: work, of: lane)
                    wait?.end()
                }
                if let queue { queue.async(execute: perform) } else { perform() }
            }
        }
        return finish(open: { $0.attach(RouteLane(policy, $0.executor), for: key) }, submit)
    }

    @inlinable
    func finish(
        open: (@Sendable (HandlerSession<Event>) -> Void)?,
        _ handle: @escaping @Sendable (Parameters, HandlerSession<Event>) -> Void
    ) -> EffectRouter<Effect, Event> {
        let extract = extract
        return router.adding(
            Route(
                routing: routing,
                handle: { effect, session in if let parameters = extract(effect) { handle(parameters, session) } },
                claim: { effect in
                    guard let parameters = extract(effect) else { return nil }
                    return { session in handle(parameters, session) }
                },
                open: open
            )
        )
    }

    /// `handle` where the route wants it.
    @usableFromInline
    func moved(
        _ handle: @escaping @Sendable (Parameters, HandlerSession<Event>) -> Void
    ) -> @Sendable (Parameters, HandlerSession<Event>) -> Void {
        guard let queue else { return handle }
        return { parameters, session in
            let wait = session.beginWork()
            queue.async {
                if !session.hasEnded { handle(parameters, session) }
                wait?.end()
            }
        }
    }
}
