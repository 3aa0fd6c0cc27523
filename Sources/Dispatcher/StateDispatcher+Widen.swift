public import FunctionalCore
public import Optics

extension StateDispatcher {
    /// This dispatcher as one for a larger environment, state and input: a child becomes a part of its parent.
    ///
    /// ```swift
    /// let parent: StateDispatcher<Dependencies, ParentState, ParentInput> = screen.widen(
    ///     transformEnvironment: { dependencies in dependencies.network },
    ///     transformState: Lens(\.screen),
    ///     transformInput: ParentInput.prism(for: ParentInput.screen)
    /// )
    /// ```
    ///
    /// An input that the prism does not match has no actions, at the cost of asking the prism. The state outside of the
    /// optic's focus is never touched. The state's optic may be a lens, or one for a part that can be absent (`Prism`,
    /// `Affine`): an action for a part that is not there changes nothing.
    ///
    /// - Parameters:
    ///   - transformEnvironment: What the child may use, out of what the parent may; called in each run.
    ///   - transformState: Where the child's state lies in the parent's.
    ///   - transformInput: Which of the parent's inputs are the child's.
    @inlinable
    public func widen<ParentEnvironment, ParentState, ParentInput>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformState: some AffineConvertible<ParentState, S>,
        transformInput: some PrismConvertible<ParentInput, Input>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput> {
        let focus = transformState.focusing
        return widen(transformInput) { $0.widened(transformEnvironment, focus, at: [AnyKey($1)]) }
    }

    /// This dispatcher for a larger environment and state; see
    /// `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentEnvironment, ParentState>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformState: some AffineConvertible<ParentState, S>
    ) -> StateDispatcher<ParentEnvironment, ParentState, Input> {
        let focus = transformState.focusing
        return mapEmissions { $0.widened(transformEnvironment, focus, at: [AnyKey($1)]) }
    }

    /// This dispatcher for a larger environment and input; see
    /// `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentEnvironment, ParentInput>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformInput: some PrismConvertible<ParentInput, Input>
    ) -> StateDispatcher<ParentEnvironment, S, ParentInput> {
        widen(transformInput) { $0.contramap(transformEnvironment, at: [AnyKey($1)]) }
    }

    /// This dispatcher for a larger state and input; see `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentState, ParentInput>(
        transformState: some AffineConvertible<ParentState, S>,
        transformInput: some PrismConvertible<ParentInput, Input>
    ) -> StateDispatcher<Environment, ParentState, ParentInput> {
        let focus = transformState.focusing
        return widen(transformInput) { $0.mapChange(focus, at: [AnyKey($1)]) }
    }

    /// This dispatcher for a larger environment; see `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentEnvironment>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment
    ) -> StateDispatcher<ParentEnvironment, S, Input> {
        mapEmissions { $0.contramap(transformEnvironment, at: [AnyKey($1)]) }
    }

    /// This dispatcher for a larger state; see `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentState>(
        transformState: some AffineConvertible<ParentState, S>
    ) -> StateDispatcher<Environment, ParentState, Input> {
        let focus = transformState.focusing
        return mapEmissions { $0.mapChange(focus, at: [AnyKey($1)]) }
    }

    /// This dispatcher for a larger input; see `widen(transformEnvironment:transformState:transformInput:)`.
    @inlinable
    public func widen<ParentInput>(
        transformInput: some PrismConvertible<ParentInput, Input>
    ) -> StateDispatcher<Environment, S, ParentInput> {
        widen(transformInput) { $0.at([AnyKey($1)]) }
    }
}

// MARK: - Key paths

extension StateDispatcher {
    /// The same with the child's state at a key path.
    @inlinable
    public func widen<ParentState>(
        transformState path: any WritableKeyPath<ParentState, S> & Sendable
    ) -> StateDispatcher<Environment, ParentState, Input> {
        widen(transformState: Lens(path))
    }

    /// The same with the child's environment and state at key paths.
    @inlinable
    public func widen<ParentEnvironment, ParentState>(
        transformEnvironment: @escaping @Sendable (ParentEnvironment) -> Environment,
        transformState path: any WritableKeyPath<ParentState, S> & Sendable
    ) -> StateDispatcher<ParentEnvironment, ParentState, Input> {
        widen(transformEnvironment: transformEnvironment, transformState: Lens(path))
    }

    /// The same with the child's state at a key path.
    ///
    /// ```swift
    /// stepper.widen(transformState: \.stepper, transformInput: ParentInput.prism(for: ParentInput.stepper))
    /// ```
    @inlinable
    public func widen<ParentState, ParentInput>(
        transformState path: any WritableKeyPath<ParentState, S> & Sendable,
        transformInput: some PrismConvertible<ParentInput, Input>
    ) -> StateDispatcher<Environment, ParentState, ParentInput> {
        widen(transformState: Lens(path), transformInput: transformInput)
    }

    /// The same with the child's environment and state at key paths.
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
        transformInput: some PrismConvertible<ParentInput, Input>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput> {
        widen(
            transformEnvironment: transformEnvironment, transformState: Lens(path), transformInput: transformInput)
    }
}

// MARK: - The one implementation

extension StateDispatcher {
    /// Asks the prism first: an input that is not the child's costs no more than that.
    @inlinable
    func widen<ParentEnvironment, ParentState, ParentInput>(
        _ transformInput: some PrismConvertible<ParentInput, Input>,
        _ transform:
            @escaping @Sendable (Emission<Environment, S>, Place) -> Emission<ParentEnvironment, ParentState>
    ) -> StateDispatcher<ParentEnvironment, ParentState, ParentInput> {
        let (child, place) = (emit, Place())
        let prism = transformInput.asPrism
        return StateDispatcher<ParentEnvironment, ParentState, ParentInput>(routing: prism.routing) { input, emit in
            guard let input = prism.extract(input) else { return }
            child(input) { emit(transform($0, place)) }
        }
    }

    /// The parts stay parts, so that what was routed by case still is.
    @inlinable
    func mapEmissions<ParentEnvironment, ParentState>(
        _ transform:
            @escaping @Sendable (Emission<Environment, S>, Place) -> Emission<ParentEnvironment, ParentState>
    ) -> StateDispatcher<ParentEnvironment, ParentState, Input> {
        let place = Place()
        return StateDispatcher<ParentEnvironment, ParentState, Input>(
            parts: parts.map { part in
                let child = part.emit
                return .init(routing: part.routing) { input, emit in
                    child(input) { emit(transform($0, place)) }
                }
            }
        )
    }
}
