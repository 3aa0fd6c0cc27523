import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting

/// The laws that say what dispatchers mean, over generated dispatchers, inputs, states and environments.
///
/// ```swift
/// @Test(arguments: DispatcherLaw.allCases) func holds(_ law: DispatcherLaw) async {
///     await law.property().check()
/// }
/// ```
///
/// Dispatchers are the same when their traces are: the states after every action, the failure, and what the effects
/// did. For a dispatcher of your own see ``CombineLaw`` and ``WidenLaw``.
public enum DispatcherLaw: String, CaseIterable, Sendable {
    /// `(a <> b) <> c == a <> (b <> c)`
    case d1 = "(a <> b) <> c == a <> (b <> c)"
    /// `empty <> d == d`
    case d2 = "empty <> d == d"
    /// `d <> empty == d`
    case d3 = "d <> empty == d"
    /// `(a <> b).on(i) == a.on(i) ++ b.on(i)`
    case d4 = "(a <> b).on(i) == a.on(i) ++ b.on(i)"
    /// `pure f == effectful(const . f)`
    case d5 = "pure f == effectful(const . f)"
    /// `effectful f == workflow [f]`
    case d6 = "effectful f == workflow [f]"
    /// `workflow f .on == f`
    case d7 = "workflow f .on == f"
    /// `empty == workflow(const [])`
    case d8 = "empty == workflow(const [])"
    /// `workflow f <> workflow g == workflow(f ++ g)`
    case d9 = "workflow f <> workflow g == workflow(f ++ g)"
    /// `widen(id, id, id) d == d`
    case d10 = "widen(id, id, id) d == d"
    /// `widen twice == widen by the compositions`
    case d11 = "widen twice == widen by the compositions"
    /// `widen(a <> b) == widen a <> widen b`
    case d12 = "widen(a <> b) == widen a <> widen b"
    /// `widen empty == empty`
    case d13 = "widen empty == empty"
    /// An input that the prism does not match has no actions.
    case d14 = "an input that the prism does not match has no actions"
    /// An input that matches has as many actions as the child.
    case d15 = "an input that matches has as many actions as the child"
    /// Frame: what is outside of the focus never changes.
    case d16 = "frame: what is outside of the focus never changes"
    /// Focus: the part changes as the child's state does alone.
    case d17 = "focus: the part changes as the child's state does alone"
    /// `widen(pure f) == pure of the lifted f`
    case d18 = "widen(pure f) == pure of the lifted f"
    /// On(i) runs no effect and reads no environment.
    case d19 = "on(i) runs no effect and reads no environment"
    /// Pure is the same in every environment.
    case d20 = "pure is the same in every environment"
    /// Pure and effectful have exactly one action.
    case d21 = "pure and effectful have exactly one action"
    /// Widened by disjoint prisms, two commute.
    case d22 = "widened by disjoint prisms, two commute"
    /// Partial widens make up the whole, in any order.
    case d23 = "partial widens make up the whole, in any order"
    /// A failing action ends its own workflow, and no other.
    case d24 = "a failing action ends its own workflow, and no other"
    /// Contramap by widen: identity and composition of each argument.
    case d25 = "contramap by widen: identity and composition of each argument"
    /// A component applies each action to the state as it is then.
    case d26 = "a component applies each action to the state as it is then"
}

extension DispatcherLaw {
    /// The law, for the library's operations or for others.
    public func property(of algebra: some DispatcherAlgebra = LibraryDispatchers()) -> Property {
        Property(DispatcherSample.gen(for: self)) { sample in try await hold(sample, algebra) }
    }
}
