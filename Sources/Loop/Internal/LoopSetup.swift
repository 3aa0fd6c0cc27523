public import ArchitectureEngine
public import FunctionalCore

/// The common setup of the loops of one builder, or of one controller.
@usableFromInline
struct LoopSetup<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    @usableFromInline let update: Update<Model, Event, Effect>
    @usableFromInline var logger: AnyMobiusLogger<Model, Event, Effect>?
    /// The queue on which events are handled. If it is `nil`, the threads that dispatch events handle them.
    @usableFromInline var queue: LoopQueue?
    /// The maximum number of events of one chain that repeat a sender, as `withMaximumChain(_:)` defines it.
    @usableFromInline var maximumChain = defaultMaximumChain
    /// The closure that receives the report of a chain that was stopped. If it is `nil`, the report is written to
    /// standard error.
    @usableFromInline var stopObserver: (@Sendable (String) -> Void)?
    /// The closure that receives errors that no handler has turned into an event. If it is `nil`, these errors are
    /// written to standard error.
    @usableFromInline var errorObserver: Mobius.ErrorObserver?
    /// The executor of the tasks of handlers and event sources; `nil` is the global executor.
    @usableFromInline var executor: (any TaskExecutor)?
    /// The task-local values that work takes from the sender of its event, or `nil` if there are none.
    @usableFromInline var carrying: CarriedValues?
    /// The trace of the loops, or `nil` if they have no trace.
    @usableFromInline var trace: Trace?
    /// The recorder of one loop, or of all loops of one controller. `asOwner()` sets it if there is a trace.
    @usableFromInline fileprivate(set) var tracer: Tracer?
    /// The bridge that notifies code that tracks the model of a controller. A loop without a controller creates its own
    /// bridge.
    @usableFromInline var observation: ObservationBridge?

    @inlinable
    init(update: Update<Model, Event, Effect>) {
        self.update = update
    }

    @usableFromInline
    var scheduler: Scheduler {
        queue.map { queue in .queue { queue.async($0) } } ?? .inline(executor)
    }

    /// The type that messages to the user name as the owner: the controller if the loop has one, and otherwise the
    /// loop.
    @usableFromInline
    var owner: Any.Type {
        queue == nil ? MobiusLoop<Model, Event, Effect>.self : MobiusController<Model, Event, Effect>.self
    }

    /// Tells the logger and the trace that an event is dropped.
    func drop(_ event: Event) {
        logger?.didDrop(event: event)
        tracer?.recordDrop(of: event, because: .ended)
    }
}

/// An object with a setup, which a builder shares with its loops, so that no loop stores a copy of the setup.
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
    /// Returns the setup for one loop or for one controller. If there is a trace, the returned setup has a new tracer,
    /// so that the loop or the controller is an owner of its own in the trace.
    @usableFromInline
    func asOwner() -> SharedLoopSetup {
        guard let trace = value.trace else { return self }
        var setup = value
        setup.tracer = Tracer(trace, owner: setup.owner, effect: Effect.self)
        // A loop with a logger records its models.
        if setup.logger == nil { setup.logger = AnyMobiusLogger(all: []) }
        return SharedLoopSetup(setup)
    }
}
