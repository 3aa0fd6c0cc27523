/// Where the environment of a program lies, and what keeps it there; nothing, where it is the machine's first one.
///
/// Unchecked: it belongs to a run, which one thread at a time uses.
@usableFromInline
struct EnvironmentPlace: @unchecked Sendable {
    let address: UnsafeMutableRawPointer?
    let owner: AnyObject?

    @usableFromInline
    init(_ address: UnsafeMutableRawPointer?, keptBy owner: AnyObject?) {
        self.address = address
        self.owner = owner
    }

    /// A place of its own.
    @inlinable
    init<Environment>(_ environment: Environment) {
        let box = EnvironmentBox<Environment>.create(minimumCapacity: 1) { _ in }
        let address = box.withUnsafeMutablePointerToElements { elements in
            elements.initialize(to: environment)
            return elements
        }
        self.init(address, keptBy: box)
    }
}

extension Machine {
    /// Where the environment of the program that is running lies.
    var environmentPlace: EnvironmentPlace {
        EnvironmentPlace(core.pointee.context, keptBy: core.pointee.contextOwner)
    }

    /// Gives the program that is entered next an environment of its own, and the rest of the run its old one back.
    @usableFromInline
    mutating func swapEnvironment(for inner: EnvironmentPlace) {
        // A loop through `contramap` would add a frame each time round; where the next frame restores an older
        // environment anyway, one more would be overwritten at once.
        if !nextRestoresEnvironment {
            let outer = environmentPlace
            push(
                Node(accepting: .anyEndRestoringEnvironment) { machine in
                    machine.settle(in: outer)
                    return machine.arrived
                }
            )
        }
        settle(in: inner)
    }

    private func settle(in place: EnvironmentPlace) {
        core.pointee.context = place.address
        core.pointee.contextOwner = place.owner
    }
}

/// An environment at an address that stays.
@usableFromInline
final class EnvironmentBox<Environment>: ManagedBuffer<Void, Environment> {
    @inlinable
    deinit {
        _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) }
    }
}
