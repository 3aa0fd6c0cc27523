public import ArchitectureEngine
public import Optics

/// The path to a part of a state, which is read in place if it is a stored property.
@usableFromInline
typealias StatePart<S, Part> = DirectKeyPath<S, Part, KeyPath<S, Part>>

extension RuntimeCore {
    /// Reads the current value of a part of the state.
    ///
    /// A computed part is evaluated outside of the lock, because the code of the state may read the state again.
    @usableFromInline
    func read<Part>(_ part: StatePart<State, Part>) -> Part {
        part.offset != nil ? read { state in state[keyPath: part.path] } : read { state in state }[keyPath: part.path]
    }

    /// A function that reads the state, for the environment of a component.
    @usableFromInline
    var reader: @Sendable () -> State { reader(within: "`update`") }
}

extension Observer {
    /// Returns an observer of a whole value that notifies this observer of a part.
    @inlinable
    func on<Whole>(_ part: StatePart<Whole, Value>) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in part.withPart(of: whole, accept) }
    }
}
