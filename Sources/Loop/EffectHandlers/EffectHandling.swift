public import FunctionalCore

/// A description of how to handle one effect, which the closure of an ``EffectSwitch`` returns.
///
/// Use the simplest kind that suffices:
/// - `to { }` does work, and sends no event.
/// - `toEvent { }` sends one event or none.
/// - Both also take `async` closures, which run in tasks that are cancelled with the loop.
/// - ``toEvents(_:)`` sends the events of an `AsyncSequence`.
/// - `to(handler, parameters)` and `to { callback in }` start a handler that sends events with a callback.
///
/// The closures are called on the thread that processes the event, except those that run in a task.
public struct EffectHandling<Event: Sendable>: Sendable {
    let target: Target<Void, Event>
}

// MARK: - At once

extension EffectHandling {
    /// The handling that does nothing and sends no event.
    public static var nothing: EffectHandling {
        to {}
    }

    /// Returns a handling that calls `body` synchronously and sends no event.
    public static func to(_ body: @escaping @Sendable () -> Void) -> EffectHandling {
        EffectHandling(target: .to(body))
    }

    /// Returns a handling that calls `body` synchronously and sends the event that it returns, if any.
    public static func toEvent(_ body: @escaping @Sendable () -> Event?) -> EffectHandling {
        EffectHandling(target: .toEvent(body))
    }
}

// MARK: - In a task

extension EffectHandling {
    /// Returns a handling that calls `body` in a task and sends no event.
    ///
    /// The task is cancelled with the loop.
    public static func to(_ body: @escaping @Sendable () async -> Void) -> EffectHandling {
        EffectHandling(target: .to(body))
    }

    /// Returns a handling that calls `body` in a task and sends the event that `body` returns, if any.
    ///
    /// The task is cancelled with the loop.
    public static func toEvent(_ body: @escaping @Sendable () async -> Event?) -> EffectHandling {
        EffectHandling(target: .toEvent(body))
    }

    /// Returns a handling that sends the events of the sequence that `body` returns.
    ///
    /// A task consumes the sequence, and is cancelled with the loop.
    public static func toEvents<Events: AsyncSequence & SendableMetatype>(
        _ body: @escaping @Sendable () async -> Events
    ) -> EffectHandling where Events.Element == Event, Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
        EffectHandling(target: .toEvents(body))
    }
}

// MARK: - With a callback

extension EffectHandling {
    /// Returns a handling that calls `handler` with `parameters` synchronously.
    public static func to<Handler: EffectHandler>(
        _ handler: Handler,
        _ parameters: Handler.EffectParameters
    ) -> EffectHandling where Handler.Event == Event, Handler.EffectParameters: Sendable {
        to { callback in handler.handle(parameters, callback) }
    }

    /// Returns a handling that calls `handle` with a callback synchronously.
    ///
    /// The disposable that `handle` returns is disposed with the loop, unless the callback has ended by then.
    public static func to(
        _ handle: @escaping @Sendable (EffectCallback<Event>) -> any Disposable
    ) -> EffectHandling {
        EffectHandling(target: .to { _, callback in handle(callback) })
    }
}

// MARK: - Programs

extension EffectHandling {
    /// Returns a handling that runs `program` and sends the event that it returns, if any.
    ///
    /// The program runs synchronously until it suspends, and from there on in a task, which is cancelled with the loop.
    /// A program that can fail has to turn its failures into events first, with `handleError` or `handleErrorWith`.
    ///
    /// - Parameters:
    ///   - environment: The environment of the program, evaluated at most once for each effect.
    ///   - program: The program.
    public static func toEvent<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ program: EnvIO<Environment, Never, Event?>
    ) -> EffectHandling {
        EffectHandling(target: .toEvent(in: environment) { program })
    }

    /// Returns a handling that runs `program` and sends no event.
    ///
    /// For where the program runs, see ``toEvent(in:_:)``.
    ///
    /// - Parameters:
    ///   - environment: The environment of the program, evaluated at most once for each effect.
    ///   - program: The program.
    public static func to<Environment>(
        in environment: @escaping @Sendable @autoclosure () -> Environment,
        _ program: EnvIO<Environment, Never, Void>
    ) -> EffectHandling {
        toEvent(in: environment(), program.map { nil })
    }
}
