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
    /// Handles the effect. Every kind of handling is such a function.
    let start: @Sendable (HandlerContext<Event>) -> Void
}

// MARK: - At once

extension EffectHandling {
    /// The handling that does nothing and sends no event.
    public static var nothing: EffectHandling {
        to {}
    }

    /// Returns a handling that calls `body` synchronously and sends no event.
    public static func to(_ body: @escaping @Sendable () -> Void) -> EffectHandling {
        EffectHandling { context in
            body()
            context.finish()
        }
    }

    /// Returns a handling that calls `body` synchronously and sends the event that it returns, if any.
    public static func toEvent(_ body: @escaping @Sendable () -> Event?) -> EffectHandling {
        EffectHandling { context in
            if let event = body() { context.send(event) }
            context.finish()
        }
    }
}

// MARK: - In a task

extension EffectHandling {
    /// Returns a handling that calls `body` in a task and sends no event.
    ///
    /// The task is cancelled with the loop.
    public static func to(_ body: @escaping @Sendable () async -> Void) -> EffectHandling {
        task { _ in await body() }
    }

    /// Returns a handling that calls `body` in a task and sends the event that `body` returns, if any.
    ///
    /// The task is cancelled with the loop.
    public static func toEvent(_ body: @escaping @Sendable () async -> Event?) -> EffectHandling {
        task { callback in if let event = await body() { callback.send(event) } }
    }

    /// Returns a handling that sends the events of the sequence that `body` returns.
    ///
    /// A task consumes the sequence, and is cancelled with the loop.
    public static func toEvents<Events: AsyncSequence & SendableMetatype>(
        _ body: @escaping @Sendable () async -> Events
    ) -> EffectHandling where Events.Element == Event, Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
        task(isFinite: false) { callback in
            for await event in await body() {
                // A sequence may ignore the cancellation of its task. Its further events are not consumed.
                if callback.ended { break }
                callback.send(event)
            }
        }
    }

    /// Returns a handling that calls `body` in a task and ends the callback afterwards.
    private static func task(
        isFinite: Bool = true, _ body: @escaping @Sendable (EffectCallback<Event>) async -> Void
    ) -> EffectHandling {
        EffectHandling { context in
            context.start(isFinite: isFinite) { callback in
                let task = Task(executorPreference: context.connection.executor) {
                    await body(callback)
                    callback.end()
                }
                return task.asDisposable
            }
        }
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
        EffectHandling { context in context.start(handle) }
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
        toEvent(in: environment, by: { program })
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

    /// Returns a handling that runs the program that `makeProgram` returns.
    static func toEvent<Environment>(
        in environment: @escaping @Sendable () -> Environment,
        by makeProgram: @escaping @Sendable () -> EnvIO<Environment, Never, Event?>
    ) -> EffectHandling {
        EffectHandling { context in
            context.start { callback in
                switch makeProgram().begin(environment, stop: nil) {
                case .finished(let outcome):
                    callback.end(with: outcome)
                    return EmptyDisposable()
                case .waiting(let suspended):
                    let task = Task(executorPreference: context.connection.executor) {
                        callback.end(with: await suspended.finish())
                    }
                    return task.asDisposable
                }
            }
        }
    }
}

extension EffectCallback {
    /// Sends the event of a program, if there is one, and ends.
    fileprivate func end(with outcome: Outcome<Event?, Never>) {
        if case .value(let event) = outcome { end(sending: event) } else { end() }
    }
}
