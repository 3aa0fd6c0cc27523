public import ArchitectureEngine
public import Optics

/// The path to a part of a state, which is read in place if it is a stored property.
@usableFromInline
typealias StatePart<S, Part> = DirectKeyPath<S, Part, KeyPath<S, Part>>

extension RuntimeCore {
    /// Reads a part of the state as it is now.
    ///
    /// A computed part is evaluated outside of the lock, because the code of the state may read the state again.
    @usableFromInline
    func read<Part>(_ part: StatePart<State, Part>) -> Part {
        part.offset != nil ? read { state in state[keyPath: part.path] } : read { state in state }[keyPath: part.path]
    }

    /// Reads the state for the environment of a component.
    @usableFromInline
    var reader: @Sendable () -> State { reader(within: "`update`") }
}

extension Observer {
    /// An observer of a whole that notifies this one of a part.
    @inlinable
    func on<Whole>(_ part: StatePart<Whole, Value>) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in part.withPart(of: whole, accept) }
    }
}
