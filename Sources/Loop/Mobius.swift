/// Where loops are made; see ``loop(update:effectHandler:)-(Update<Model,Event,Effect>,_)``.
///
/// A mistake in the program, such as two routes for one effect, stops the process with one message: it names the type
/// and the value, and says how to mend it. Mobius lets a global hook take the message's place. Here nothing does: a
/// hook must not return either, so that nobody could do more with it than write the message elsewhere, it would be one
/// for all loops of a process, and whoever sets it races with whoever reads it. A test sees the message by an exit
/// test.
public enum Mobius {}

extension Mobius {
    /// A builder for loops of an update function and an effect handler.
    ///
    /// ```swift
    /// let loop = Mobius.loop(update: update, effectHandler: effectHandler)
    ///     .withLogger(SimpleLogger(tag: "my loop"))
    ///     .start(from: 2)
    /// ```
    @inlinable
    public static func loop<Model, Event, Effect>(
        update: Update<Model, Event, Effect>,
        effectHandler: some Connectable<Effect, Event> & Sendable
    ) -> Builder<Model, Event, Effect> {
        Builder(update: update, effectHandler: AnyConnectable(effectHandler))
    }

    /// A builder for loops of an update function and an effect handler.
    @inlinable
    public static func loop<Model, Event, Effect>(
        update: @escaping @Sendable (Model, Event) -> Next<Model, Effect>,
        effectHandler: some Connectable<Effect, Event> & Sendable
    ) -> Builder<Model, Event, Effect> {
        loop(update: Update(update), effectHandler: effectHandler)
    }

    /// A builder for loops without effects: each event makes a model of a model.
    ///
    /// ```swift
    /// let loop = Mobius.beginnerLoop { (count: Int, step: Int) in count + step }.start(from: 0)
    /// ```
    @inlinable
    public static func beginnerLoop<Model, Event>(
        update: @escaping @Sendable (Model, Event) -> Model
    ) -> Builder<Model, Event, Never> {
        loop(
            update: { model, event in .next(update(model, event)) },
            effectHandler: AnyConnectable { _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) }
        )
    }
}
