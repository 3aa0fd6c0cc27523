/// What a dispatch follows from that is made outside of the store's handling: in a task of an effect, or on an actor
/// that a handler or an observer had to wait for.
@usableFromInline
struct Cause: Sendable {
    let context: CauseContext
    /// The effect that acts; `nil` for an observer or a middleware.
    let effect: EffectRun?
    /// The store that it happens in, whose limits count: for comparison alone.
    let store: ObjectIdentifier

    /// That of the task that is running. Tasks that it starts have it, too, unless they are detached.
    @TaskLocal static var bound: Cause?
}
