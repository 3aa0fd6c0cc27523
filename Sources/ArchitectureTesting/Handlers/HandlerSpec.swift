import FunctionalCore
public import Loop
public import Testing

/// A test driver for an effect handler, which checks the events that the handler sends.
///
/// ```swift
/// HandlerSpec.given(UserFetcher(dataSource: dataSource))
///     .when(["ann", "bob"])
///     .expect(.usersFetched([ann, bob]))
///     .expectHandlings(.ended)
/// ```
///
/// The handler is connected as in a loop. It receives each effect with an `EffectCallback`, and ends the callback when
/// the effect has been handled. Events that it sends after it has ended the callback, or after ``dispose()``, are
/// dropped.
///
/// A spec never waits. If a handler works asynchronously, let its work end before the check. For example, call back
/// from a test double of its service, or drain the executor on which it runs. A spec may be used from any thread.
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
    /// Connects `handler` and returns a spec for it.
    public static func given(_ handler: some EffectHandler<Effect, Event>) -> HandlerSpec {
        given { effect, callback in handler.handle(effect, callback) }
    }

    /// Connects a handler that is a function, and returns a spec for it.
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

    /// Connects a router or another connectable, and returns a spec for it.
    ///
    /// A connectable does not report when an effect has been handled, so ``handlings`` is `nil`. The spec records all
    /// events that the connectable emits.
    public static func given(_ connectable: some Connectable<Effect, Event>) -> HandlerSpec {
        HandlerSpec(connectable, Trial(isOfHandler: false))
    }
}

// MARK: - When

extension HandlerSpec {
    /// Passes an effect to the handler.
    @discardableResult
    public func when(_ effect: Effect) -> HandlerSpec {
        connection.accept(effect)
        return self
    }

    /// Disposes the connection, as a loop does when it is disposed.
    ///
    /// For each effect whose callback has not ended, this method disposes the disposable that the handler returned.
    @discardableResult
    public func dispose() -> HandlerSpec {
        connection.dispose()
        return self
    }
}

// MARK: - Then

extension HandlerSpec {
    /// All events that have been sent so far.
    public var events: [Event] {
        trial.events
    }

    /// The progress of each effect, in the order of the effects. `nil` for a connectable, which does not report it.
    public var handlings: [Handling]? {
        trial.handlings
    }

    /// Expects that exactly these events, in this order, were sent since the last call of this method.
    ///
    /// A difference is recorded as an issue at the call. To expect that no events were sent, call this method without
    /// events.
    @discardableResult
    public func expect(
        _ expected: Event..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> HandlerSpec where Event: Equatable {
        record([failure(expecting: expected)], sourceLocation)
        return self
    }

    /// Expects that the progress of the effects equals `expected`.
    ///
    /// Pass one value for each effect that was passed to the handler so far, in the order of the effects. A difference
    /// is recorded as an issue at the call. For a connectable, this method always records an issue, because a
    /// connectable reports no progress.
    @discardableResult
    public func expectHandlings(
        _ expected: Handling..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> HandlerSpec {
        record([failure(expecting: expected)], sourceLocation)
        return self
    }

    func failure(expecting expected: [Event]) -> String? where Event: Equatable {
        let events = trial.takeNewEvents()
        if ValueEquality.areEqual(events, expected) { return nil }
        return report("The events differ", orderedLines(expected, events))
    }

    func failure(expecting expected: [Handling]) -> String? {
        guard let handlings else {
            return "A connectable does not report progress. To fix, create the spec with an effect handler."
        }
        return handlings == expected
            ? nil : report("The progress of the effects differs", orderedLines(expected, handlings))
    }
}
