public import Loop
public import Testing

/// Says what an effect handler should do: given a handler, when effects come, then these events, and this end.
///
/// ```swift
/// HandlerSpec.given(UserFetcher(dataSource: dataSource))
///     .when(["ann", "bob"])
///     .expect(.usersFetched([ann, bob]))
///     .expectHandlings(.ended)
/// ```
///
/// The handler is connected as a loop would connect it: what it sends after its end, or after ``dispose()``, is
/// dropped. Nothing waits. What a handler does later, a test has done before it asks: by calling what the handler was
/// given to be called back by, or by draining the executor that the router's `async` functions run on. Any thread.
public final class HandlerSpec<Effect: Sendable, Event: Sendable>: Sendable {
    private let connection: Connection<Effect>
    private let trial: Trial<Event>

    private init(_ connectable: some Connectable<Effect, Event>, _ trial: Trial<Event>) {
        self.trial = trial
        connection = connectable.connect { trial.append($0) }
    }
}

// MARK: - Given

extension HandlerSpec {
    /// A specification of `handler`, which is connected.
    public static func given(_ handler: some EffectHandler<Effect, Event>) -> HandlerSpec {
        given { effect, callback in handler.handle(effect, callback) }
    }

    /// A specification of a handler that is a function.
    public static func given(
        _ handle: @escaping @Sendable (Effect, EffectCallback<Event>) -> any Disposable
    ) -> HandlerSpec {
        let trial = Trial<Event>(isOfHandler: true)
        let router = EffectRouter<Effect, Event>().routeEffects(withParameters: { $0 })
            .to { (effect: Effect, callback: EffectCallback<Event>) in
                let index = trial.begin(callback)
                let disposable = handle(effect, callback)
                return AnonymousDisposable {
                    trial.noteDisposal(of: index)
                    disposable.dispose()
                }
            }
        return HandlerSpec(router, trial)
    }

    /// A specification of a router, or of another connectable, which is connected. It does not say when an effect has
    /// been handled.
    public static func given(_ connectable: some Connectable<Effect, Event>) -> HandlerSpec {
        HandlerSpec(connectable, Trial(isOfHandler: false))
    }
}

// MARK: - When

extension HandlerSpec {
    /// Gives the handler an effect.
    @discardableResult
    public func when(_ effect: Effect) -> HandlerSpec {
        connection.accept(effect)
        return self
    }

    /// Ends the connection, as a loop does that is disposed: the disposables of what has not ended are disposed.
    @discardableResult
    public func dispose() -> HandlerSpec {
        connection.dispose()
        return self
    }
}

// MARK: - Then

extension HandlerSpec {
    /// All events that were sent so far.
    public var events: [Event] {
        trial.events
    }

    /// What has become of each effect, in the order they came; `nil` where a connectable was given, which does not say.
    public var handlings: [Handling]? {
        trial.handlings
    }

    /// Expects that these events and no others were sent since the last time this was asked, in this order. What was
    /// not is an issue, reported at the call.
    @discardableResult
    public func expect(
        _ expected: Event..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> HandlerSpec where Event: Equatable {
        record([failure(expecting: expected)], sourceLocation)
        return self
    }

    /// Expects that this is what has become of the effects, one for each. What has not is an issue, reported at the
    /// call, as is that a connectable does not say.
    @discardableResult
    public func expectHandlings(
        _ expected: Handling..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> HandlerSpec {
        record([failure(expecting: expected)], sourceLocation)
        return self
    }

    func failure(expecting expected: [Event]) -> String? where Event: Equatable {
        let events = trial.takeNewEvents()
        return events == expected ? nil : report("The handler sent other events", orderedLines(expected, events))
    }

    func failure(expecting expected: [Handling]) -> String? {
        guard let handlings else {
            return "A connectable does not say what becomes of an effect. To fix, give the effect's own handler."
        }
        return handlings == expected
            ? nil : report("Something else became of the effects", orderedLines(expected, handlings))
    }
}
