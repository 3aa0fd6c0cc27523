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
    /// Receives errors that no handler has turned into an event; `nil` writes them to standard error.
    @usableFromInline var errorObserver: Mobius.ErrorObserver?
    /// Records what the loops do.
    @usableFromInline var trace: Trace?
    /// Notifies code that tracks the model of a controller. A loop without a controller has its own.
    @usableFromInline var observation: ObservationBridge?

    @inlinable
    init(update: Update<Model, Event, Effect>) {
        self.update = update
    }

    @usableFromInline
    var scheduler: Scheduler {
        queue.map { queue in .queue { queue.async($0) } } ?? .inline(nil)
    }

    /// The type that the user knows the loop by, for messages.
    @usableFromInline
    var owner: Any.Type {
        queue == nil ? MobiusLoop<Model, Event, Effect>.self : MobiusController<Model, Event, Effect>.self
    }
}
