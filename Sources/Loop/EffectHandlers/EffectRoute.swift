import ArchitectureEngine
public import Dispatch
public import FunctionalCore
import Optics

/// A route of an ``EffectRouter`` that matches certain effects and does not have a handler yet.
///
/// Each `to…` method gives the route a handler and returns the router with that route. Use the simplest kind of handler
/// that suffices:
/// 1. `to { }` does work, and sends no event.
/// 2. `toEvent { }` sends one event or none.
/// 3. Both also take `async` closures, which run in tasks that are cancelled with the loop. ``toEvents(_:)`` sends the
///    events of an `AsyncSequence`.
/// 4. `to(handler)`, or `to` with a closure that takes a callback, sends events until the callback ends.
/// 5. `to(connectable)` suits a handler whose work has no known end, for example one that sends events for as long as
///    the loop runs.
///
/// Handlers run on the thread that processes the event. Under a controller, events are processed on the loop's queue.
/// In a ``MobiusLoop``, the thread that dispatches an event processes it, unless another thread is processing events.
/// ``on(queue:)`` and ``onMainActor`` move a handler elsewhere. ``policy(_:)`` decides what happens to an effect that
/// arrives while an earlier one of the same route is still being handled. Handlers may send events from any thread.
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
    /// Returns a route like this one whose handler will run on `queue`, asynchronously.
    ///
    /// If the loop is disposed before an effect has started on the queue, the effect is not handled. For an `async`
    /// closure, only its task is created on the queue. The closure runs in its own isolation, or on the router's
    /// executor if it has none.
    public func on(queue: DispatchQueue) -> EffectRoute {
        var route = self
        route.queue = queue
        return route
    }

    /// A route like this one whose handler will run on the main actor.
    ///
    /// The handler is called synchronously if the event is processed on the main thread and no earlier effect of the
    /// route is pending. Otherwise it is called asynchronously, in order. A policy of the route is set before this, as
    /// in `.policy(.latest).onMainActor`.
    ///
    /// The handler is synchronous. To run an `async` handler on the main actor, isolate its closure instead, as in
    /// `.toEvent { @MainActor ids in .loaded(await screen.load(ids)) }`.
    public var onMainActor: MainActorRoute<Effect, Parameters, Event> {
        MainActorRoute(route: self)
    }

    /// Returns the route with a policy for effects that arrive while an earlier one is still being handled.
    ///
    /// ```swift
    /// .routeCase(MyEffect.search).policy(.latest).toEvent { text in .found(await results(for: text)) }
    /// ```
    ///
    /// An effect is being handled until its closure returns, its sequence ends, or its callback ends. A cancelled
    /// effect sends no more events. So after a newer effect has replaced it, only the newer effect sends events.
    ///
    /// An effect that had to wait for an earlier one starts on the thread that ended the earlier one. If an effect had
    /// to wait for the interval of `.debounce` or `.throttle`, it starts on the router's executor. With ``on(queue:)``,
    /// both start on the queue. If the loop is disposed while a policy holds an effect back, the effect is not handled.
    ///
    /// For a synchronous closure without a queue, only `.debounce` and `.throttle` make a difference. Under any other
    /// policy, the closure returns before the loop passes on the next effect. A policy has no effect on a route to a
    /// connectable.
    ///
    /// A second call replaces the policy. The order of this and ``on(queue:)`` does not matter.
    public func policy(_ policy: Policy) -> EffectRoute {
        var route = self
        route.policy = policy
        return route
    }
}

// MARK: - At once

extension EffectRoute {
    /// Returns the router with this route, whose handler calls `body` and sends no event.
    @inlinable
    public func to(_ body: @escaping @Sendable (Parameters) -> Void) -> EffectRouter<Effect, Event> {
        to(handle: { parameters, run in
            body(parameters)
            run.finish()
        })
    }

    /// Returns the router with this route, whose handler calls `body` and sends the event that it returns, if any.
    @inlinable
    public func toEvent(_ body: @escaping @Sendable (Parameters) -> Event?) -> EffectRouter<Effect, Event> {
        to(handle: { parameters, run in
            if let event = body(parameters) { run.send(event) }
            run.finish()
        })
    }
}

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
        let connectable = LateConnectable(of: target, at: .caller) { consumer in target.connect(consumer) }
        let accept: @Sendable (Parameters, EffectRun<Event>) -> Void = { parameters, run in
            run.connection.attachment(at: index, as: LateConnection<Parameters, Event>.self)?.accept(parameters)
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

// MARK: - The primitive

extension EffectRoute {
    /// Returns the router with this route, whose handler is `handle`. Every kind of handler is derived from this one.
    @inlinable
    func to(
        handle: @escaping @Sendable (Parameters, EffectRun<Event>) -> Void
    ) -> EffectRouter<Effect, Event> {
        if let policy { return adding(handle, by: policy) }
        return adding(handle: queue == nil ? handle : onQueue(handle))
    }

    /// Returns the router with this route, which handles an effect as `handling` returns.
    func to(
        handling: @escaping @Sendable (Parameters) -> EffectHandling<Event>
    ) -> EffectRouter<Effect, Event> {
        to(handle: { parameters, run in handling(parameters).start(run) })
    }

    /// Returns a function that calls `handle` on the route's queue, unless the connection has ended by then.
    @usableFromInline
    func onQueue(
        _ handle: @escaping @Sendable (Parameters, EffectRun<Event>) -> Void
    ) -> @Sendable (Parameters, EffectRun<Event>) -> Void {
        { [queue] parameters, run in
            let wait = run.connection.beginWork()
            queue?.async {
                if !run.isStopped { handle(parameters, run) }
                wait?.end()
            }
        }
    }

    /// Returns the router with this route, whose handler is called when `policy` starts the effect.
    @usableFromInline
    func adding(
        _ handle: @escaping @Sendable (Parameters, EffectRun<Event>) -> Void, by policy: Policy
    ) -> EffectRouter<Effect, Event> {
        let (index, queue, isAwaited) = (Route.index(after: router.last), queue, policy.isTimed || queue != nil)
        return adding(
            open: { connection in Lane(policy, executor: connection.executor) },
            handle: { parameters, run in
                let connection = run.connection
                // Ends when the handler has started, or when the policy drops the effect and releases this closure.
                let wait = isAwaited ? connection.beginWork() : nil
                connection.attachment(at: index, as: Lane.self)?.submit { item, lane in
                    let perform: @Sendable () -> Void = {
                        let run = EffectRun(connection: connection, work: PolicyWork(item: item, lane: lane))
                        if run.isStopped { run.finish() } else { handle(parameters, run) }
                        wait?.end()
                    }
                    if let queue { queue.async(execute: perform) } else { perform() }
                }
            }
        )
    }

    /// Returns the router with this route.
    @inlinable
    func adding(
        open: (@Sendable (HandlerConnection<Event>) -> any Attachment)? = nil,
        handle: @escaping @Sendable (Parameters, EffectRun<Event>) -> Void
    ) -> EffectRouter<Effect, Event> {
        let extract = extract
        let route = Route<Effect, Event>(
            after: router.last,
            routing: routing,
            handle: { effect, connection in
                if let parameters = extract(effect) { handle(parameters, EffectRun(connection: connection)) }
            },
            bind: { effect in
                guard let parameters = extract(effect) else { return nil }
                return { connection in handle(parameters, EffectRun(connection: connection)) }
            },
            open: open
        )
        return EffectRouter(router.executor, route)
    }
}
