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
/// Two dispatchers are equal if their traces are equal. A trace contains the number of actions, the states after each
/// action, the failure, and the lines that the effects wrote. For dispatchers of your own, use ``CombineLaw`` and
/// ``WidenLaw``.
public enum DispatcherLaw: String, CaseIterable, Sendable {
    case combineIsAssociative = "(a <> b) <> c == a <> (b <> c)"
    case emptyIsALeftIdentity = "empty <> d == d"
    case emptyIsARightIdentity = "d <> empty == d"
    case combineAppendsActions = "(a <> b).on(i) == a.on(i) ++ b.on(i)"
    case pureIsEffectful = "pure f == effectful(const . f)"
    case effectfulIsAWorkflowOfOne = "effectful f == workflow [f]"
    case workflowReturnsItsActions = "workflow f .on == f"
    case emptyIsAWorkflowOfNone = "empty == workflow(const [])"
    case workflowsCombineByAppending = "workflow f <> workflow g == workflow(f ++ g)"
    case wideningByIdentitiesChangesNothing = "widen(id, id, id) d == d"
    case wideningTwiceIsWideningOnce = "widen twice == widen by the compositions"
    case wideningDistributesOverCombine = "widen(a <> b) == widen a <> widen b"
    case wideningEmptyIsEmpty = "widen empty == empty"
    case anUnmatchedInputHasNoActions = "an input that the prism does not match has no actions"
    case aMatchedInputHasTheChildsActions = "an input that matches has as many actions as the child"
    case onlyThePartChanges = "frame: what is outside of the focus never changes"
    case thePartChangesAsTheChildDoes = "focus: the part changes as the child's state does alone"
    case wideningPureIsPure = "widen(pure f) == pure of the lifted f"
    case askingRunsNothing = "on(i) runs no effect and reads no environment"
    case pureIgnoresTheEnvironment = "pure is the same in every environment"
    case pureAndEffectfulHaveOneAction = "pure and effectful have exactly one action"
    case disjointWidensCommute = "widened by disjoint prisms, two commute"
    case partialWidensComposeInAnyOrder = "partial widens make up the whole, in any order"
    case aFailureEndsItsOwnWorkflow = "a failing action ends its own workflow, and no other"
    case eachArgumentOfWidenComposes = "contramap by widen: identity and composition of each argument"
    case eachActionSeesTheStateOfItsTime = "a component applies each action to the state as it is then"
}

extension DispatcherLaw {
    /// Returns a property that checks this law for the library's operations.
    public func property() -> Property {
        property(of: LibraryDispatchers())
    }

    /// Returns a property that checks this law for other operations, with which the tests break one at a time.
    package func property(of algebra: some DispatcherAlgebra) -> Property {
        Property(DispatcherSample.gen(for: self)) { sample in try await hold(sample, algebra) }
    }
}
