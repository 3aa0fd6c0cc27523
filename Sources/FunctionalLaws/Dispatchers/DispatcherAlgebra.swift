import Dispatcher
import FunctionalCore
import Optics

/// The operations that the laws of dispatchers are about: the library's own, unless some are replaced.
///
/// Replace one to check a combinator of yours that should do the same, or to see that a law notices a wrong one.
public protocol DispatcherAlgebra: Sendable {
    /// `StateDispatcher.pure(change)`
    func pure<E, S, I>(_ change: @escaping @Sendable (I) -> State<S, Void>) -> StateDispatcher<E, S, I>
    /// `StateDispatcher.effectful(action)`
    func effectful<E, S, I>(
        _ action: @escaping @Sendable (I) -> StateDispatcher<E, S, I>.Action
    ) -> StateDispatcher<E, S, I>
    /// `StateDispatcher.workflow(actions)`
    func workflow<E, S, I>(
        _ actions: @escaping @Sendable (I) -> [StateDispatcher<E, S, I>.Action]
    ) -> StateDispatcher<E, S, I>
    /// `left.combine(right)`
    func combine<E, S, I>(
        _ left: StateDispatcher<E, S, I>, _ right: StateDispatcher<E, S, I>
    ) -> StateDispatcher<E, S, I>
    /// `StateDispatcher.empty`
    func empty<E, S, I>() -> StateDispatcher<E, S, I>
    /// `child.widen(transformEnvironment:transformState:transformInput:)`
    func widen<E, S, I: Sendable, PE, PS, PI>(
        _ child: StateDispatcher<E, S, I>,
        _ environment: @escaping @Sendable (PE) -> E,
        _ state: Lens<PS, S>,
        _ input: Prism<PI, I>
    ) -> StateDispatcher<PE, PS, PI>
    /// `child.widen(transformEnvironment:)`
    func widenEnvironment<E, S, I, PE>(
        _ child: StateDispatcher<E, S, I>, _ environment: @escaping @Sendable (PE) -> E
    ) -> StateDispatcher<PE, S, I>
    /// `child.widen(transformState:)`
    func widenState<E, S, I, PS>(
        _ child: StateDispatcher<E, S, I>, _ state: Lens<PS, S>
    ) -> StateDispatcher<E, PS, I>
    /// `child.widen(transformInput:)`
    func widenInput<E, S, I: Sendable, PI>(
        _ child: StateDispatcher<E, S, I>, _ input: Prism<PI, I>
    ) -> StateDispatcher<E, S, PI>
}

/// The library's operations on dispatchers.
public struct LibraryDispatchers: DispatcherAlgebra {
    /// The library's operations.
    public init() {}
}

extension DispatcherAlgebra {
    /// The library's `pure`.
    public func pure<E, S, I>(_ change: @escaping @Sendable (I) -> State<S, Void>) -> StateDispatcher<E, S, I> {
        .pure(change)
    }

    /// The library's `effectful`.
    public func effectful<E, S, I>(
        _ action: @escaping @Sendable (I) -> StateDispatcher<E, S, I>.Action
    ) -> StateDispatcher<E, S, I> { .effectful(action) }

    /// The library's `workflow`.
    public func workflow<E, S, I>(
        _ actions: @escaping @Sendable (I) -> [StateDispatcher<E, S, I>.Action]
    ) -> StateDispatcher<E, S, I> { .workflow(actions) }

    /// The library's `combine`.
    public func combine<E, S, I>(
        _ left: StateDispatcher<E, S, I>, _ right: StateDispatcher<E, S, I>
    ) -> StateDispatcher<E, S, I> { left.combine(right) }

    /// The library's `empty`.
    public func empty<E, S, I>() -> StateDispatcher<E, S, I> { .empty }

    /// The library's `widen`.
    public func widen<E, S, I: Sendable, PE, PS, PI>(
        _ child: StateDispatcher<E, S, I>,
        _ environment: @escaping @Sendable (PE) -> E,
        _ state: Lens<PS, S>,
        _ input: Prism<PI, I>
    ) -> StateDispatcher<PE, PS, PI> {
        child.widen(transformEnvironment: environment, transformState: state, transformInput: input)
    }

    /// The library's `widen(transformEnvironment:)`.
    public func widenEnvironment<E, S, I, PE>(
        _ child: StateDispatcher<E, S, I>, _ environment: @escaping @Sendable (PE) -> E
    ) -> StateDispatcher<PE, S, I> { child.widen(transformEnvironment: environment) }

    /// The library's `widen(transformState:)`.
    public func widenState<E, S, I, PS>(
        _ child: StateDispatcher<E, S, I>, _ state: Lens<PS, S>
    ) -> StateDispatcher<E, PS, I> { child.widen(transformState: state) }

    /// The library's `widen(transformInput:)`.
    public func widenInput<E, S, I: Sendable, PI>(
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
