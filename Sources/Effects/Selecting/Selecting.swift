public import ArchitectureEngine

/// An observer of a part of each state, which is notified when the part differs from the one before.
///
/// It is one object instead of a closure with variables, because a store may have many of these. Unchecked exclusivity:
/// only the draining thread accesses `last`.
@usableFromInline
final class Selecting<State, Value> {
    @usableFromInline let cancellation: Cancellation
    @usableFromInline let accept: (UnsafePointer<Value>) -> Void
    @usableFromInline let select: (State) -> Value
    @usableFromInline let isSame: @Sendable (Value, Value) -> Bool
    @exclusivity(unchecked)
    @usableFromInline var last: Value?

    @inlinable
    init(
        _ observer: Observer<Value>, _ select: @escaping (State) -> Value,
        _ isSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        cancellation = observer.cancellation
        accept = observer.accept
        self.select = select
        self.isSame = isSame
    }

    @inlinable
    func take(_ state: UnsafePointer<State>) {
        let value = select(state.pointee)
        // `select`, `isSame` or another thread may have cancelled the observer.
        if cancellation.isCancelled { return }
        if let last, isSame(last, value) || cancellation.isCancelled { return }
        last = value
        withUnsafePointer(to: value) { accept($0) }
    }
}
