/// What the loops of one builder, or of one controller, have in common.
@usableFromInline
final class LoopSetup<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    @usableFromInline let update: Update<Model, Event, Effect>
    @usableFromInline let logger: AnyMobiusLogger<Model, Event, Effect>?
    /// Where events are handled; `nil` is the thread that dispatches them.
    @usableFromInline let queue: LoopQueue?

    @inlinable
    init(
        update: Update<Model, Event, Effect>,
        logger: AnyMobiusLogger<Model, Event, Effect>? = nil,
        queue: LoopQueue? = nil
    ) {
        self.update = update
        self.logger = logger
        self.queue = queue
    }

    /// The type that the user knows the loop by, for messages.
    @usableFromInline
    var owner: Any.Type {
        queue == nil ? MobiusLoop<Model, Event, Effect>.self : MobiusController<Model, Event, Effect>.self
    }
}
