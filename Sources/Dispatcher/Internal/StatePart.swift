public import ArchitectureEngine
public import Optics

/// The key path to a part of a state. The part is read in place if it is a stored property.
@usableFromInline
typealias StatePart<S, Part> = DirectKeyPath<S, Part, KeyPath<S, Part>>

extension RuntimeCore {
    /// Reads the current value of a part of the state.
    ///
    /// A computed part is evaluated on a copy of the state, outside of the lock, because its getter may read the state
    /// of the component.
    @usableFromInline
    func read<Part>(_ part: StatePart<StateValue, Part>) -> Part {
        part.offset != nil ? read { state in state[keyPath: part.path] } : read { state in state }[keyPath: part.path]
    }

    /// The function that reads the state, for the environment of a component.
    @usableFromInline
    var reader: @Sendable () -> StateValue { reader(within: "`update`") }
}

extension Observer {
    /// Returns an observer of a whole value that notifies this observer of the part at `part`.
    @inlinable
    func on<Whole>(_ part: StatePart<Whole, Value>) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in part.withPart(of: whole, accept) }
    }
}
