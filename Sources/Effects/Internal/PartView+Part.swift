public import ArchitectureEngine
import FunctionalCore
import Optics

extension Store {
    /// A view of the whole state, which counts as changed after each action.
    @inlinable
    var view: PartView<S> { selection({ _, _ in false }, memory: { { $0 } }).view }
}

extension PartView {
    /// Returns a view of a value that is computed from this part. `memory` creates the function that computes the
    /// value. `memory` is called once for all reads, and once for each observer.
    ///
    /// For each observer, the value is computed after each action, even if this part has not changed. To detect a
    /// change, the observer would have to retain the previous part. A reducer that changes an array in place would then
    /// copy the array.
    @inlinable
    func part<Value: Sendable>(
        _ isSame: @escaping @Sendable (Value, Value) -> Bool,
        memory: @escaping @Sendable () -> @Sendable (Part) -> Value
    ) -> PartView<Value> {
        let select = memory()
        return PartView<Value>(
            queue: queue, observation: observation, read: { [read] in select(read()) }, isSame: isSame,
            attach: { [attach] in attach($0.on(memory())) })
    }

    /// Returns a view of a part of this part, or `nil` if the inner part is absent. `withObservationTracking` tracks
    /// whether the inner part is present.
    ///
    /// While the inner part is absent later, the view does not notify observers, and a read returns the value that the
    /// inner part had when this method was called.
    func part<Value: Equatable & Sendable>(_ part: Affine<Part, Value>) -> PartView<Value>? {
        let isPresent = observation.read(part: { [read] in part.matches(read()) }, by: ==)
        guard isPresent, let first = part.extract(read()) else { return nil }
        return PartView<Value>(
            queue: queue, observation: observation, read: { [read] in part.extract(read()) ?? first }, isSame: ==,
            attach: { [attach] observer in
                attach(
                    Observer(observer.cancellation) { [accept = observer.accept] whole in
                        if let part = part.extract(whole.value) { Borrowed.with(part, accept) }
                    })
            })
    }
}
