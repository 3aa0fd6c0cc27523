public import FunctionalCore
public import Optics

/// The key path to a part of a state. The part is read in place if it is a stored property.
@usableFromInline
package typealias StatePart<S, Part> = DirectKeyPath<S, Part, KeyPath<S, Part>>

extension RuntimeCore {
    /// Reads the current value of a part of the state.
    ///
    /// A computed part is evaluated on a copy of the state, outside of the lock, because its getter may read the state
    /// of the component.
    @inlinable
    package func read<Part>(_ part: StatePart<StateValue, Part>) -> Part {
        if part.offset == nil { return read { $0.value }[keyPath: part.path] }
        return read { state in part.withPart(of: state) { $0.value } }
    }
}

extension Observer {
    /// Returns an observer of a whole value that notifies this observer of the part at `part`.
    @inlinable
    package func on<Whole>(_ part: StatePart<Whole, Value>) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in part.withPart(of: whole, accept) }
    }
}

extension ObservableRuntime {
    /// Returns a view of the part of the state at a key path. The view retains `owner`.
    @inlinable
    package func view<Part: Sendable>(
        of path: any KeyPath<StateValue, Part> & Sendable, by isSame: @escaping @Sendable (Part, Part) -> Bool,
        retaining owner: some AnyObject & Sendable
    ) -> PartView<Part> {
        let part = StatePart(path)
        return PartView(
            queue: core.mainActorQueue, observation: observation, read: { [core] in core.read(part) }, isSame: isSame,
            changeCount: { [core] in core.changeCount },
            attach: { [self] observer in withExtendedLifetime(owner) { attach(observer.on(part)) } })
    }
}
