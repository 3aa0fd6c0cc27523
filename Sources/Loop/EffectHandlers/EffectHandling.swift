public import FunctionalCore

/// A description of how to handle one effect. The closures of an ``EffectSwitch`` and of ``EffectRoute/toHandling(_:)``
/// return it.
///
/// Use the simplest kind that suffices:
/// - `to { }` does work, and sends no event.
/// - `toEvent { }` sends one event or none.
/// - Both also take `async` closures, which run in tasks that are cancelled with the loop, and which may throw.
/// - `toEvents { }` sends the events of an `AsyncSequence`, or those that its closure sends.
/// - `to { callback in }` starts work that sends events with a callback, such as ``EffectHandler/handle(_:_:)``.
/// - `toEvent(in:)` runs an `EnvIO` program.
///
/// The closures are called on the thread that processes the event, or where the route's handlers are called. Those that
/// are `async` run in a task.
public struct EffectHandling<Event: Sendable>: Sendable {
    /// The function that starts to handle an effect in a context. Its second argument is the effect or the effect's
    /// parameters, for the report of an error. `EffectRoute.toHandling(_:)` calls it.
    let start: @Sendable (HandlerContext<Event>, any Sendable) -> Void
}

// MARK: - At once

extension EffectHandling {
    /// The handling that does nothing and sends no event.
    public static var nothing: EffectHandling {
        to {}
    }

    /// Returns a handling that calls `body` synchronously and sends no event.
    public static func to(_ body: @escaping @Sendable () -> Void) -> EffectHandling {
        EffectHandling { context, _ in
            body()
            context.finish()
        }
    }

    /// Returns a handling that calls `body` synchronously and sends the event that it returns, if any.
    public static func toEvent(_ body: @escaping @Sendable () -> Event?) -> EffectHandling {
        EffectHandling { context, _ in
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
    ///
    /// - Parameters:
    ///   - body: A function that does the work.
    ///   - onError: Returns the event to send if `body` throws, or `nil` to send none. Without it, the error is
    ///     reported as ``Mobius/Builder/onError(_:)`` documents.
    public static func to(
        _ body: @escaping @Sendable () async throws -> Void, onError: (@Sendable (any Error) -> Event?)? = nil
    ) -> EffectHandling {
        task(onError: onError) { _ in try await body() }
    }

    /// Returns a handling that calls `body` in a task and sends the event that `body` returns, if any.
    ///
    /// The task is cancelled with the loop.
    ///
    /// - Parameters:
    ///   - body: A function that returns the event.
    ///   - onError: Returns the event to send if `body` throws; see ``to(_:onError:)``.
    public static func toEvent(
        _ body: @escaping @Sendable () async throws -> Event?, onError: (@Sendable (any Error) -> Event?)? = nil
    ) -> EffectHandling {
        task(onError: onError) { callback in if let event = try await body() { callback.send(event) } }
    }

    /// Returns a handling that sends the events of the sequence that `body` returns.
    ///
    /// A task consumes the sequence, and is cancelled with the loop. Events that the sequence has sent before it fails
    /// stay sent.
    ///
    /// - Parameters:
    ///   - body: A function that returns the sequence.
    ///   - onError: Returns the event to send if `body` or the sequence throws; see ``to(_:onError:)``.
    public static func toEvents<Events: AsyncSequence & SendableMetatype>(
        _ body: @escaping @Sendable () async throws -> Events, onError: (@Sendable (any Error) -> Event?)? = nil
    ) -> EffectHandling where Events.Element == Event, Events.AsyncIterator: SendableMetatype {
        task(isFinite: false, onError: onError) { callback in
            for try await event in try await body() {
                // A sequence may ignore the cancellation of its task. In that case, its further events are not
                // consumed.
                if callback.ended { break }
                callback.send(event)
            }
        }
    }

    /// Returns a handling that calls `body` in a task and sends the events that `body` passes to `send`.
    ///
    /// The task is cancelled with the loop. Unlike a sequence, `body` is finite work that `settled()` waits for. The
    /// idea comes from `run` of the Composable Architecture.
    ///
    /// ```swift
    /// .toEvents { send in
    ///     try await server.upload(file) { percent in send(.progressed(file, percent)) }
    ///     send(.uploaded(file))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - body: A function that sends events with its argument, from any thread. Events that are sent after it has
    ///     returned are dropped.
    ///   - onError: Returns the event to send if `body` throws; see ``to(_:onError:)``.
    // Disfavored, so that the compiler reports a closure without parameters that returns no sequence as just that.
    @_disfavoredOverload
    public static func toEvents(
        _ body: @escaping @Sendable (_ send: @escaping Consumer<Event>) async throws -> Void,
        onError: (@Sendable (any Error) -> Event?)? = nil
    ) -> EffectHandling {
        task(onError: onError) { callback in try await body { callback.send($0) } }
    }

    /// Returns a handling that calls `body` in a task with a callback, and ends the callback afterwards. If `body`
    /// throws, sends the event that `onError` returns, or reports the error if there is no `onError`. Ignores the error
    /// of an effect whose context is stopped.
    private static func task(
        isFinite: Bool = true, onError: (@Sendable (any Error) -> Event?)?,
        _ body: @escaping @Sendable (EffectCallback<Event>) async throws -> Void
    ) -> EffectHandling {
        EffectHandling { context, effect in
            context.startWithCallback(isFinite: isFinite) { callback in
                context.startTask {
                    do {
                        if !Task.isCancelled { try await body(callback) }
                    } catch {
                        if onError == nil, !context.isStopped { context.report(error, of: effect) }
                        if let onError, !context.isStopped { callback.end(sending: event(for: error, by: onError)) }
                    }
                    callback.end()
                }
            }
        }
    }
}

/// Returns the event that `onError` returns for an error. A trace records that the error has become this event.
func event<Event: Sendable>(for error: any Error, by onError: (any Error) -> Event?) -> Event? {
    Tracer.recovered(from: error, to: onError(error)) { .value($0.map { TraceValue($0) }) }
}

// MARK: - With a callback

extension EffectHandling {
    /// Returns a handling that calls `handle` with a callback synchronously.
    ///
    /// The disposable that `handle` returns is disposed with the loop, unless the callback has ended by then.
    public static func to(
        _ handle: @escaping @Sendable (EffectCallback<Event>) -> any Disposable
    ) -> EffectHandling {
        EffectHandling { context, _ in context.startWithCallback(handle) }
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
        EffectHandling { context, _ in
            context.startWithCallback { callback in
                switch program.begin(environment, stop: nil) {
                case .finished(let outcome):
                    callback.end(with: outcome)
                    return EmptyDisposable()
                case .waiting(let suspended):
                    return context.startTask { callback.end(with: await suspended.finish()) }
                }
            }
        }
    }
}

extension EffectCallback {
    /// Sends the event that a program has returned, if any, and ends the callback.
    fileprivate func end(with outcome: Outcome<Event?, Never>) {
        if case .value(let event) = outcome { end(sending: event) } else { end() }
    }
}
