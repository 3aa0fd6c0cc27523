/// An environment behind a reference, so that a machine can carry one of any type and swap it.
@usableFromInline
final class EnvironmentBox<Environment> {
    @usableFromInline
    let value: Environment

    @inlinable
    init(_ value: Environment) {
        self.value = value
    }
}
