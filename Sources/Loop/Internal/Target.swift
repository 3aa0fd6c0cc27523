import ArchitectureEngine
import FunctionalCore

/// What becomes of the effects of a route: something that is done when it returns, or something that lasts.
@usableFromInline
enum Target<Parameters: Sendable, Event: Sendable>: Sendable {
    case immediate(@Sendable (Parameters, (Event) -> Void) -> Void)
    /// `isFinite`: whether it ends by itself, so that a caller may wait for it.
    case lasting(
        isFinite: Bool = true, @Sendable (Parameters, EffectCallback<Event>, (any TaskExecutor)?) -> any Disposable)
}

extension Target {
    /// Calls `body` in a task, and ends the callback after it.
    private static func task(
        isFinite: Bool = true, _ body: @escaping @Sendable (Parameters, EffectCallback<Event>) async -> Void
    ) -> Target {
        .lasting(isFinite: isFinite) { parameters, callback, executor in
            let task = Task(executorPreference: executor) {
                await body(parameters, callback)
                callback.end()
            }
            return task.asDisposable
        }
    }

    @inlinable
    static func to(_ body: @escaping @Sendable (Parameters) -> Void) -> Target {
        .immediate { parameters, _ in body(parameters) }
    }

    @inlinable
    static func toEvent(_ body: @escaping @Sendable (Parameters) -> Event?) -> Target {
        .immediate { parameters, send in if let event = body(parameters) { send(event) } }
    }

    static func to(_ body: @escaping @Sendable (Parameters) async -> Void) -> Target {
        .task { parameters, _ in await body(parameters) }
    }

    static func toEvent(_ body: @escaping @Sendable (Parameters) async -> Event?) -> Target {
        .task { parameters, callback in if let event = await body(parameters) { callback.send(event) } }
    }

    static func toEvents<Events: AsyncSequence & SendableMetatype>(
        _ body: @escaping @Sendable (Parameters) async -> Events
    ) -> Target where Events.Element == Event, Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
        .task(isFinite: false) { parameters, callback in
            for await event in await body(parameters) {
                // A sequence need not heed its task: one that goes on is not taken any further.
                if callback.ended { break }
                callback.send(event)
            }
        }
    }

    static func to(
        _ handle: @escaping @Sendable (Parameters, EffectCallback<Event>) -> any Disposable
    ) -> Target {
        .lasting { parameters, callback, _ in handle(parameters, callback) }
    }

    static func toEvent<Environment>(
        in environment: @escaping @Sendable () -> Environment,
        _ program: @escaping @Sendable (Parameters) -> EnvIO<Environment, Never, Event?>
    ) -> Target {
        .lasting { parameters, callback, executor in
            switch program(parameters).begin(environment, stop: nil) {
            case .finished(let outcome):
                callback.end(with: outcome)
                return EmptyDisposable()
            case .waiting(let suspended):
                let task = Task(executorPreference: executor) { callback.end(with: await suspended.finish()) }
                return task.asDisposable
            }
        }
    }
}

extension EffectCallback {
    /// Ends, with the event that a program ended in.
    fileprivate func end(with outcome: Outcome<Event?, Never>) {
        if case .value(let event?) = outcome { end(with: [event]) } else { end() }
    }
}
