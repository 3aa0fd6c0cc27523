public import FunctionalCore
// Re-exported: `AutoPrism`, `Prism` and `Lens` are visible in files that import only this module.
@_exported public import Optics

// The overloads for optics are disfavored and take existentials, both for the type checker:
// - They are tried only if no overload for a key path fits. Otherwise each key path literal doubles the work, and 20
//   children in one expression do not type-check.
// - With a generic parameter, the compiler would report that a misspelled key path does not conform to
//   `AffineProtocol`. With an existential, it names the member that does not exist. These overloads are always inlined,
//   so that an optimized build knows the optic's type and specializes its accessors.

extension StateDispatcher {
    /// Returns this dispatcher of a child as a dispatcher of its parent.
    ///
    /// The child's environment, state and input are derived from those of the parent.
    ///
    /// ```swift
    /// let parent: StateDispatcher<Dependencies, ParentState, ParentInput> = screen.widen(
    ///     transformEnvironment: { dependencies in dependencies.network },
    ///     transformState: Lens(\.screen),
    ///     transformInput: ParentInput.prism(for: ParentInput.screen)
    /// )
    /// ```
    ///
    /// An input that the prism does not match has no actions. Actions never touch the state outside of the optic's
    /// focus. The optic can be a lens, or a `Prism` or `Affine` for a part that can be absent. An action for an absent
    /// part does not begin. When a change removes the part, or replaces it by one with another id, the work for it is
    /// cancelled; see <doc:Lifetimes>.
    ///
    /// - Complexity: If the prism does not match an input, only the attempt to match the prism costs time.
    /// - Parameters:
    ///   - transformEnvironment: Returns the child's environment. Called in each run of an action.
    ///   - transformState: The child's state as a part of the parent's state.
    ///   - transformInput: The prism for the child's inputs among the parent's inputs.
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public func widen<ParentEnvironment, ParentState, ParentInput>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformState: any AffineProtocol<ParentState, S>,
        transformInput: some PrismProtocol<ParentInput, Input>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput> {
        let (focus, part) = (transformState.focusing, transformState.partPlace)
        return widen(transformInput, part) { $0.widened(transformEnvironment, focus, part, at: [AnyKey($1)]) }
    }

    /// Returns a dispatcher for a parent's state and input, with the same environment; see
    /// `widen(transformEnvironment:transformState:transformInput:)`.
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public func widen<ParentState, ParentInput>(
        transformState: any AffineProtocol<ParentState, S>,
        transformInput: some PrismProtocol<ParentInput, Input>
    ) -> StateDispatcher<Environment, ParentState, ParentInput> {
        let (focus, part) = (transformState.focusing, transformState.partPlace)
        return widen(transformInput, part) { $0.mapChange(focus, part, at: [AnyKey($1)]) }
    }

    /// Returns a dispatcher for a parent's environment, with the same state and input; see
    /// `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentEnvironment>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment
    ) -> StateDispatcher<ParentEnvironment, S, Input> {
        mapEmissions(SamePlace()) { $0.contramap(transformEnvironment, at: [AnyKey($1)]) }
    }

    /// Returns a dispatcher for a parent's state, with the same environment and input; see
    /// `widen(transformEnvironment:transformState:transformInput:)`.
    @_disfavoredOverload
    @inlinable
    @inline(__always)
    public func widen<ParentState>(
        transformState: any AffineProtocol<ParentState, S>
    ) -> StateDispatcher<Environment, ParentState, Input> {
        let (focus, part) = (transformState.focusing, transformState.partPlace)
        return mapEmissions(part) { $0.mapChange(focus, part, at: [AnyKey($1)]) }
    }

    /// Returns a dispatcher for a parent's input, with the same environment and state; see
    /// `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentInput>(
        transformInput: some PrismProtocol<ParentInput, Input>
    ) -> StateDispatcher<Environment, S, ParentInput> {
        widen(transformInput, SamePlace()) { $0.at([AnyKey($1)]) }
    }
}

// MARK: - Key paths

extension StateDispatcher {
    /// Returns a dispatcher for a parent whose state contains the child's state at a key path,
    /// with the same environment and input.
    @inlinable
    public func widen<ParentState>(
        transformState path: any WritableKeyPath<ParentState, S> & Sendable
    ) -> StateDispatcher<Environment, ParentState, Input> {
        widen(transformState: Lens(path))
    }

    /// Returns a dispatcher for a parent whose state contains the child's state at a key path,
    /// with the same environment.
    ///
    /// ```swift
    /// stepper.widen(transformState: \.stepper, transformInput: ParentInput.prism(for: ParentInput.stepper))
    /// ```
    @inlinable
    public func widen<ParentState, ParentInput>(
        transformState path: any WritableKeyPath<ParentState, S> & Sendable,
        transformInput: some PrismProtocol<ParentInput, Input>
    ) -> StateDispatcher<Environment, ParentState, ParentInput> {
        widen(transformState: Lens(path), transformInput: transformInput)
    }

    /// Returns a dispatcher for a parent whose state contains the child's state at a key path.
    ///
    /// ```swift
    /// screen.widen(
    ///     transformEnvironment: \.network,
    ///     transformState: \.screen,
    ///     transformInput: ParentInput.prism(for: ParentInput.screen)
    /// )
    /// ```
    @inlinable
    public func widen<ParentEnvironment, ParentState, ParentInput>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformState path: any WritableKeyPath<ParentState, S> & Sendable,
        transformInput: some PrismProtocol<ParentInput, Input>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput> {
        widen(
            transformEnvironment: transformEnvironment, transformState: Lens(path), transformInput: transformInput)
    }
}

// MARK: - Messages

extension StateDispatcher {
    /// Unavailable. The compiler selects this overload if `transformEnvironment` is missing, and then shows the message
    /// below.
    @available(
        *, unavailable,
        message: "The child's environment is not that of the parent. To fix, pass transformEnvironment, too."
    )
    public func widen<ParentEnvironment, ParentState, ParentInput>(
        transformState path: any WritableKeyPath<ParentState, S> & Sendable,
        transformInput: some PrismProtocol<ParentInput, Input>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput> {
        fatalError()
    }
}

// MARK: - Implementation

extension StateDispatcher {
    /// Returns this dispatcher for a parent's inputs, with each emission transformed. The prism is matched first, so an
    /// input of another child costs only the match.
    @inlinable
    func widen<ParentEnvironment, ParentState, ParentInput>(
        _ transformInput: some PrismProtocol<ParentInput, Input>,
        _ part: EnclosingPlace<S, ParentState>,
        _ transform:
            @escaping @Sendable (Emission<Environment, S>, ScopeID) -> Emission<ParentEnvironment, ParentState>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput> {
        let (child, place) = (emit, ScopeID())
        let prism = transformInput.asPrism
        return StateDispatcher<ParentEnvironment, ParentState, ParentInput>(routing: prism.routing) { input, perform in
            guard let input = prism.extract(input) else { return }
            child(input) { emission, child in part.pass(transform(emission, place), of: child, to: perform) }
        }
    }

    /// Returns this dispatcher with each emission transformed. Each of its `parts` is transformed separately, and so
    /// keeps its `routing`.
    @inlinable
    func mapEmissions<ParentEnvironment, ParentState>(
        _ part: EnclosingPlace<S, ParentState>,
        _ transform:
            @escaping @Sendable (Emission<Environment, S>, ScopeID) -> Emission<ParentEnvironment, ParentState>
    ) -> StateDispatcher<ParentEnvironment, ParentState, Input> {
        let place = ScopeID()
        return StateDispatcher<ParentEnvironment, ParentState, Input>(
            parts: parts.map { branch in
                let child = branch.emit
                return .init(routing: branch.routing) { input, perform in
                    child(input) { emission, child in part.pass(transform(emission, place), of: child, to: perform) }
                }
            }
        )
    }
}
