public import Dispatch
public import FunctionalCore
public import Optics

/// A route of an ``EffectRouter`` that matches certain effects and does not have a handler yet.
///
/// Each `to…` method gives the route a handler and returns the router with that route. Use the simplest kind of handler
/// that suffices:
/// 1. `to { }` does work, and sends no event.
/// 2. `toEvent { }` sends one event or none.
/// 3. Both also take `async` closures, which run in tasks that are cancelled with the loop. These closures may throw:
///    `onError` turns an error into an event.
/// 4. `to(handler)`, or `to` with a closure that takes a callback, sends events until the callback ends.
/// 5. `toHandling { }` takes an ``EffectHandling``. With `.toEvents { }`, it sends the events of an
///    `AsyncSequence`, or those that a closure sends. With `.toEvent(in:)`, it runs a program.
/// 6. `to(connectable)` suits a handler whose work has no known end, for example one that sends events for as long as
///    the loop runs.
/// 7. `toCancel { }` cancels other effects of the router, by the ids of their policies.
///
/// Handlers run on the thread that processes the event. Under a controller, events are processed on the loop's queue.
/// In a ``MobiusLoop``, the thread that dispatches an event processes it, unless another thread is processing events.
/// ``on(queue:)`` moves a handler elsewhere. An `async` closure awaits functions of the main actor and other actors.
/// ``policy(_:)`` decides what happens to an effect that arrives while an earlier effect of the same route is still being
/// handled. Handlers may send events from any thread.
public struct EffectRoute<Effect: Sendable, Parameters: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let router: EffectRouter<Effect, Event>
    @usableFromInline let extract: @Sendable (Effect) -> Parameters?
    @usableFromInline let routing: CaseRouting<Effect>?
    @usableFromInline var place = ConnectionPlace.caller
    @usableFromInline var policy: RoutePolicy<Parameters>?
    /// The name of the method whose handler needs ids of other routes, or `nil`.
    @usableFromInline var userOfIDs: String?

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

/// The policy of a route.
@usableFromInline
struct RoutePolicy<Parameters: Sendable>: Sendable {
    let policy: Policy
    @usableFromInline let hasIDs: Bool
    /// Returns the id for the parameters of an effect, or an empty array if the policy has no ids.
    let key: @Sendable (Parameters) -> [AnyKey]
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

    /// Returns the route with a policy for effects that arrive while an earlier effect is still being handled.
    ///
    /// ```swift
    /// .routeCase(MyEffect.search).policy(.latest).toEvent { text in .found(await results(for: text)) }
    /// ```
    ///
    /// An effect is being handled until its closure returns, its sequence ends, or its callback ends. A cancelled
    /// effect sends no more events. An effect that a newer one replaces is cancelled. If the router is the effect
    /// handler of a loop without a transformer, the events that a cancelled or replaced effect has sent before, and that
    /// wait for their turn in the loop, are dropped, too, even if the effect has ended.
    ///
    /// An effect that had to wait for an earlier effect starts on the thread that ended the earlier effect. If an
    /// effect had to wait for the interval of `.debounce` or `.throttle`, it starts on the router's executor. With
    /// ``on(queue:)``, both start on the queue. If the loop is disposed while a policy holds an effect back, the effect
    /// is not handled. Under `.throttle`, an effect may be due while another thread is starting an earlier effect. In
    /// that case, the other thread starts both effects, so that effects start in order. A newer effect may replace the
    /// due effect until it starts.
    ///
    /// For a synchronous closure without a queue, only `.latest`, `.debounce` and `.throttle` make a difference. The
    /// closure returns before the loop passes on the next effect, but under `.latest`, its event is dropped if a newer
    /// effect arrives before the turn of the event. A policy has no effect on a route to a connectable.
    ///
    /// A second call replaces the policy. It traps if this would drop the ids of ``policy(_:id:)``. The order of this and
    /// ``on(queue:)`` does not matter.
    public func policy(_ policy: Policy) -> EffectRoute {
        if self.policy?.hasIDs == true {
            programmerError(
                """
                policy(_:) would replace the policy of a route of \(EffectRouter<Effect, Event>.self), and drop its ids. \
                To fix, call only policy(_:id:), since a route has one policy.
                """)
        }
        var route = self
        route.policy = RoutePolicy(policy: policy, hasIDs: false) { _ in [] }
        return route
    }

    /// Returns the route with a policy for effects of the same id.
    ///
    /// ```swift
    /// .routeCase(UploadEffect.upload).policy(.latest, id: { file in file }).toEvent { file in … }
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
        route.policy = RoutePolicy(policy: policy, hasIDs: true) { parameters in [AnyKey(id(parameters))] }
        return route
    }
}
