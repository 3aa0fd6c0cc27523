/// The connection of a loop to its event source, which may accept models.
@usableFromInline
final class EventSourceConnection<Model>: Sendable {
    @usableFromInline let accept: (@Sendable (Model) -> Void)?
    @usableFromInline let dispose: @Sendable () -> Void

    @usableFromInline
    init(accept: (@Sendable (Model) -> Void)?, dispose: @escaping @Sendable () -> Void) {
        self.accept = accept
        self.dispose = dispose
    }
}
