/// A namespace for functions that create loops; see ``loop(update:effectHandler:)-(Update<Model,Event,Effect>,_)``.
///
/// A programmer error, such as two routes for one effect, traps with a message. The message names the type and the
/// value, and says how to fix the error. A test can check the message with an exit test.
///
/// Mobius has a global hook for such errors. This library has none. A hook must not return, so it could only write the
/// message elsewhere. It would also apply to all loops of a process, and setting it would race with reading it.
public enum Mobius {}

extension Mobius {
    /// Returns a builder for loops with the given update and effect handler.
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

    /// Returns a builder for loops with the given update function and effect handler.
    @inlinable
    public static func loop<Model, Event, Effect>(
        update: @escaping @Sendable (Model, Event) -> Next<Model, Effect>,
        effectHandler: some Connectable<Effect, Event> & Sendable
    ) -> Builder<Model, Event, Effect> {
        loop(update: Update(update), effectHandler: effectHandler)
    }

    /// Returns a builder for loops without effects, whose update function returns the new model.
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
            effectHandler: AnyConnectable.ignoring
        )
    }
}
