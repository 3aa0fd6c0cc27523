import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting

/// The laws of the library's operations on dispatchers, for generated dispatchers, inputs, states and environments.
///
/// ```swift
/// @Test(arguments: DispatcherLaw.allCases) func holds(_ law: DispatcherLaw) async {
///     await law.property().check()
/// }
/// ```
///
/// Two dispatchers are equal if their traces are: the states after each action, the failure, and the lines that the
/// effects wrote. For dispatchers of your own, use ``CombineLaw`` and ``WidenLaw``.
public enum DispatcherLaw: String, CaseIterable, Sendable {
    case d1 = "(a <> b) <> c == a <> (b <> c)"
    case d2 = "empty <> d == d"
    case d3 = "d <> empty == d"
    case d4 = "(a <> b).on(i) == a.on(i) ++ b.on(i)"
    case d5 = "pure f == effectful(const . f)"
    case d6 = "effectful f == workflow [f]"
    case d7 = "workflow f .on == f"
    case d8 = "empty == workflow(const [])"
    case d9 = "workflow f <> workflow g == workflow(f ++ g)"
    case d10 = "widen(id, id, id) d == d"
    case d11 = "widen twice == widen by the compositions"
    case d12 = "widen(a <> b) == widen a <> widen b"
    case d13 = "widen empty == empty"
    case d14 = "an input that the prism does not match has no actions"
    case d15 = "an input that matches has as many actions as the child"
    case d16 = "frame: what is outside of the focus never changes"
    case d17 = "focus: the part changes as the child's state does alone"
    case d18 = "widen(pure f) == pure of the lifted f"
    case d19 = "on(i) runs no effect and reads no environment"
    case d20 = "pure is the same in every environment"
    case d21 = "pure and effectful have exactly one action"
    case d22 = "widened by disjoint prisms, two commute"
    case d23 = "partial widens make up the whole, in any order"
    case d24 = "a failing action ends its own workflow, and no other"
    case d25 = "contramap by widen: identity and composition of each argument"
    case d26 = "a component applies each action to the state as it is then"
}

extension DispatcherLaw {
    /// Returns a property that checks this law for the library's operations, or for yours.
    ///
    /// - Parameter algebra: The operations to check.
    public func property(of algebra: some DispatcherAlgebra = LibraryDispatchers()) -> Property {
        Property(DispatcherSample.gen(for: self)) { sample in try await hold(sample, algebra) }
    }
}
