/// An environment at an address that stays, for as long as a machine runs a program that has one of its own.
@usableFromInline
final class EnvironmentBox<Environment>: ManagedBuffer<Void, Environment> {
    @inlinable
    static func make(_ environment: Environment) -> ManagedBuffer<Void, Environment> {
        let box = EnvironmentBox.create(minimumCapacity: 1) { _ in }
        box.withUnsafeMutablePointerToElements { $0.initialize(to: environment) }
        return box
    }

    @inlinable
    deinit {
        _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) }
    }
}
