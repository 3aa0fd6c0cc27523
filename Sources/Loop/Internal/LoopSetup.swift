public import ArchitectureEngine
public import FunctionalCore

/// The common setup of the loops of one builder, or of one controller.
@usableFromInline
struct LoopSetup<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    @usableFromInline let update: Update<Model, Event, Effect>
    @usableFromInline var logger: AnyMobiusLogger<Model, Event, Effect>?
    /// Where events are handled; `nil` is the thread that dispatches them.
    @usableFromInline var queue: LoopQueue?
    /// How many events may follow synchronously from one event and repeat a sender among their causes.
    @usableFromInline var maximumChain = defaultMaximumChain
    /// Receives the report of a chain that was stopped; `nil` writes it to standard error.
    @usableFromInline var stopObserver: (@Sendable (String) -> Void)?
    /// Receives errors that no handler has turned into an event; `nil` writes them to standard error.
    @usableFromInline var errorObserver: Mobius.ErrorObserver?
    /// The executor of the tasks of handlers and event sources; `nil` is the global executor.
    @usableFromInline var executor: (any TaskExecutor)?
    /// Records what the loops do.
    @usableFromInline var trace: Trace?
    /// Records what one loop does, or the loops of one controller.
    @usableFromInline fileprivate(set) var tracer: Tracer?
    /// Notifies code that tracks the model of a controller. A loop without a controller has its own.
    @usableFromInline var observation: ObservationBridge?

    @inlinable
    init(update: Update<Model, Event, Effect>) {
        self.update = update
    }

    @usableFromInline
    var scheduler: Scheduler {
        queue.map { queue in .queue { queue.async($0) } } ?? .inline(executor)
    }

    /// The type that the user knows the loop by, for messages.
    @usableFromInline
    var owner: Any.Type {
        queue == nil ? MobiusLoop<Model, Event, Effect>.self : MobiusController<Model, Event, Effect>.self
    }
}

/// A setup in an object that a builder shares with its loops, so that no loop stores a copy of the setup.
@usableFromInline
final class SharedLoopSetup<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    @usableFromInline let value: LoopSetup<Model, Event, Effect>

    @usableFromInline
    init(_ value: LoopSetup<Model, Event, Effect>) {
        self.value = value
    }
}

// MARK: - Tracing

extension SharedLoopSetup {
    /// The setup of one loop, or of one controller, which is an owner in the trace if there is one.
    @usableFromInline
    func asOwner() -> SharedLoopSetup {
        guard let trace = value.trace else { return self }
        var setup = value
        let tracer = Tracer(trace, owner: setup.owner, effect: Effect.self)
        setup.tracer = tracer
        let logger = AnyMobiusLogger(TraceLogger<Model, Event, Effect>(tracer: tracer))
        setup.logger = setup.logger.map { AnyMobiusLogger(all: [$0, logger]) } ?? logger
        return SharedLoopSetup(setup)
    }
}

/// Records the events that a loop or a controller drops.
private struct TraceLogger<Model, Event: Sendable, Effect>: MobiusLogger {
    let tracer: Tracer

    func didDrop(event: Event) {
        tracer.record(.dropped(tracer.redacted(event)))
    }
}
