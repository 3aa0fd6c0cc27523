// Re-exported: `AutoPrism`, `Prism` and `Lens` are visible in files that import only this module.
@_exported public import Optics

extension ActionStream where Output == any Action {
    /// Returns a stream of the actions of one type and of its subclasses, as that type.
    ///
    /// - Complexity: On the store's own stream, an action of another type costs nothing, because the store remembers
    ///   the listeners of each type of action.
    @inlinable
    public func ofType<Kind: Action>(_ type: Kind.Type) -> ActionStream<Kind> {
        listening(to: ActionTypes(type)).compactMap { cast($0, to: Kind.self) }
    }

    /// Returns a stream of the actions of any number of types, in the order in which they are dispatched.
    ///
    /// An action is passed on once, even if several of the types match.
    ///
    /// ```swift
    /// actions.ofTypes(Opened.self, Closed.self, Moved.self)
    /// ```
    ///
    /// - Complexity: On the store's own stream, an action of another type costs nothing; see ``ofType(_:)``.
    public func ofTypes<each Kind: Action>(_ types: repeat (each Kind).Type) -> ActionStream<any Action> {
        var kinds: [ActionTypes] = []
        for type in repeat each types { kinds.append(ActionTypes(type)) }
        return listening(to: ActionTypes(anyOf: kinds))
    }

    /// Returns a stream of the payloads of one case of an enum of actions.
    ///
    /// ```swift
    /// actions.ofCase(PostAction.prism(for: PostAction.get))  // the ids
    /// ```
    ///
    /// - Parameter enumCase: The prism of the case.
    public func ofCase<Kind: Action, Part: Sendable>(
        _ enumCase: some PrismProtocol<Kind, Part>
    ) -> ActionStream<Part> {
        let prism = enumCase.asPrism
        return ofType(Kind.self).compactMap { prism.extract($0) }
    }

    /// Returns a stream of the actions of `types`. If this is the store's own stream, the store delivers no other
    /// actions to it.
    @inlinable
    func listening(to types: ActionTypes) -> ActionStream<any Action> {
        guard case .store = origin else { return filter { types.contain(type(of: $0)) } }
        return ActionStream { run, subscriber in run.listen(to: types, subscriber.receive) }
    }
}
