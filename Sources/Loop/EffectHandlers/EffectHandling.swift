public import FunctionalCore

/// How one effect is to be handled: what an ``EffectSwitch`` answers for it.
///
/// In the order of their complexity; use the least complicated one that does:
/// - `to { }`: something is done, and no event comes of it;
/// - `toEvent { }`: one event comes of it, or none;
/// - the same with `async` functions, whose tasks are cancelled with the loop;
/// - ``toEvents(_:)``: the events of an `AsyncSequence`;
/// - `to(handler, parameters)` and `to { callback in }`: a handler with a callback.
public struct EffectHandling<Event: Sendable>: Sendable {
    let target: Target<Void, Event>
}

// MARK: - At once

extension EffectHandling {
    /// Nothing is done.
    public static var nothing: EffectHandling {
        to {}
    }

    /// Calls `body`, there and then. No event comes of it.
    public static func to(_ body: @escaping @Sendable () -> Void) -> EffectHandling {
        EffectHandling(target: .to(body))
    }

    /// Calls `body`, there and then, and sends the event that it returns, if any.
    public static func toEvent(_ body: @escaping @Sendable () -> Event?) -> EffectHandling {
        EffectHandling(target: .toEvent(body))
    }
}

// MARK: - In a task

extension EffectHandling {
    /// Calls `body` in a task, which is cancelled with the loop. No event comes of it.
    public static func to(_ body: @escaping @Sendable () async -> Void) -> EffectHandling {
        EffectHandling(target: .to(body))
    }

    /// Calls `body` in a task, which is cancelled with the loop, and sends the event that it returns, if any.
    public static func toEvent(_ body: @escaping @Sendable () async -> Event?) -> EffectHandling {
        EffectHandling(target: .toEvent(body))
    }

    /// Sends the events of the sequence that `body` returns as they come, from a task that is cancelled with the loop.
    public static func toEvents<Events: AsyncSequence & SendableMetatype>(
        _ body: @escaping @Sendable () async -> Events
    ) -> EffectHandling where Events.Element == Event, Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
        EffectHandling(target: .toEvents(body))
    }
}

// MARK: - With a callback

extension EffectHandling {
    /// Gives `parameters` to `handler`, there and then.
    public static func to<Handler: EffectHandler>(
        _ handler: Handler,
        _ parameters: Handler.EffectParameters
    ) -> EffectHandling where Handler.Event == Event, Handler.EffectParameters: Sendable {
        to { callback in handler.handle(parameters, callback) }
    }

    /// Calls `handle`, there and then, with a callback. What it returns is disposed with the loop, unless the callback
    /// has ended by then.
    public static func to(
        _ handle: @escaping @Sendable (EffectCallback<Event>) -> any Disposable
    ) -> EffectHandling {
        EffectHandling(target: .to { _, callback in handle(callback) })
    }
}

// MARK: - Programs

extension EffectHandling {
    /// Runs `program`: there and then as far as it need not wait, and in a task from there on, which is cancelled with
    /// the loop. Sends the event that it ends in, if any.
    ///
    /// A program that can fail has to say first which event that is: `handleError`.
    public static func toEvent<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ program: EnvIO<Environment, Never, Event?>
    ) -> EffectHandling {
        EffectHandling(target: .toEvent(in: environment) { program })
    }

    /// Runs `program`, as ``toEvent(in:_:)`` does. No event comes of it.
    public static func to<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ program: EnvIO<Environment, Never, Void>
    ) -> EffectHandling {
        toEvent(in: environment(), program.map { nil })
    }
}
