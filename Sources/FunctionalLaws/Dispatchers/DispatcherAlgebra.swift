import Dispatcher
import FunctionalCore
import Optics

/// The operations on dispatchers that ``DispatcherLaw`` checks.
///
/// Each operation is the library's unless a conforming type implements it. The tests implement wrong ones and check
/// which laws notice them.
package protocol DispatcherAlgebra: Sendable {
    /// Stands for `StateDispatcher.pure(change)` in the laws.
    func pure<E, S, I>(_ change: @escaping @Sendable (I) -> State<S, Void>) -> StateDispatcher<E, S, I>
    /// Stands for `StateDispatcher.effectful(action)` in the laws.
    func effectful<E, S, I>(
        _ action: @escaping @Sendable (I) -> StateDispatcher<E, S, I>.Action
    ) -> StateDispatcher<E, S, I>
    /// Stands for `StateDispatcher.workflow(actions)` in the laws.
    func workflow<E, S, I>(
        _ actions: @escaping @Sendable (I) -> [StateDispatcher<E, S, I>.Action]
    ) -> StateDispatcher<E, S, I>
    /// Stands for `left.combine(right)` in the laws.
    func combine<E, S, I>(
        _ left: StateDispatcher<E, S, I>, _ right: StateDispatcher<E, S, I>
    ) -> StateDispatcher<E, S, I>
    /// Stands for `StateDispatcher.empty` in the laws.
    func empty<E, S, I>() -> StateDispatcher<E, S, I>
    /// Stands for `child.widen(transformEnvironment:transformState:transformInput:)` in the laws.
    func widen<E, S, I: Sendable, PE, PS, PI>(
        _ child: StateDispatcher<E, S, I>,
        _ environment: @escaping @Sendable (PE) -> E,
        _ state: Lens<PS, S>,
        _ input: Prism<PI, I>
    ) -> StateDispatcher<PE, PS, PI>
    /// Stands for `child.widen(transformEnvironment:)` in the laws.
    func widenEnvironment<E, S, I, PE>(
        _ child: StateDispatcher<E, S, I>, _ environment: @escaping @Sendable (PE) -> E
    ) -> StateDispatcher<PE, S, I>
    /// Stands for `child.widen(transformState:)` in the laws.
    func widenState<E, S, I, PS>(
        _ child: StateDispatcher<E, S, I>, _ state: Lens<PS, S>
    ) -> StateDispatcher<E, PS, I>
    /// Stands for `child.widen(transformInput:)` in the laws.
    func widenInput<E, S, I: Sendable, PI>(
        _ child: StateDispatcher<E, S, I>, _ input: Prism<PI, I>
    ) -> StateDispatcher<E, S, PI>
}

/// The library's own operations on dispatchers.
package struct LibraryDispatchers: DispatcherAlgebra {
    /// Creates the library's operations.
    package init() {}
}

extension DispatcherAlgebra {
    /// Calls `pure` of the library.
    package func pure<E, S, I>(_ change: @escaping @Sendable (I) -> State<S, Void>) -> StateDispatcher<E, S, I> {
        .pure(change)
    }

    /// Calls `effectful` of the library.
    package func effectful<E, S, I>(
        _ action: @escaping @Sendable (I) -> StateDispatcher<E, S, I>.Action
    ) -> StateDispatcher<E, S, I> { .effectful(action) }

    /// Calls `workflow` of the library.
    package func workflow<E, S, I>(
        _ actions: @escaping @Sendable (I) -> [StateDispatcher<E, S, I>.Action]
    ) -> StateDispatcher<E, S, I> { .workflow(actions) }

    /// Calls `combine` of the library.
    package func combine<E, S, I>(
        _ left: StateDispatcher<E, S, I>, _ right: StateDispatcher<E, S, I>
    ) -> StateDispatcher<E, S, I> { left.combine(right) }

    /// Calls `empty` of the library.
    package func empty<E, S, I>() -> StateDispatcher<E, S, I> { .empty }

    /// Calls `widen` of the library.
    package func widen<E, S, I: Sendable, PE, PS, PI>(
        _ child: StateDispatcher<E, S, I>,
        _ environment: @escaping @Sendable (PE) -> E,
        _ state: Lens<PS, S>,
        _ input: Prism<PI, I>
    ) -> StateDispatcher<PE, PS, PI> {
        child.widen(transformEnvironment: environment, transformState: state, transformInput: input)
    }

    /// Calls `widen(transformEnvironment:)` of the library.
    package func widenEnvironment<E, S, I, PE>(
        _ child: StateDispatcher<E, S, I>, _ environment: @escaping @Sendable (PE) -> E
    ) -> StateDispatcher<PE, S, I> { child.widen(transformEnvironment: environment) }

    /// Calls `widen(transformState:)` of the library.
    package func widenState<E, S, I, PS>(
        _ child: StateDispatcher<E, S, I>, _ state: Lens<PS, S>
    ) -> StateDispatcher<E, PS, I> { child.widen(transformState: state) }

    /// Calls `widen(transformInput:)` of the library.
    package func widenInput<E, S, I: Sendable, PI>(
        _ child: StateDispatcher<E, S, I>, _ input: Prism<PI, I>
    ) -> StateDispatcher<E, S, PI> { child.widen(transformInput: input) }
}

extension DispatcherAlgebra {
    func toParent(
        _ child: ChildDispatcher, _ input: Prism<ParentInput, ChildInput> = ParentInput.prism(for: ParentInput.child)
    ) -> ParentDispatcher {
        widen(child, { $0.child }, Lens(\.child), input)
    }

    func toGrand(_ parent: ParentDispatcher) -> GrandDispatcher {
        widen(parent, { $0.parent }, Lens(\.parent), GrandInput.prism(for: GrandInput.parent))
    }
}
