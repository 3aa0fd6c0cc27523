public import Optics

extension ActionStream where Output == any Action {
    /// The actions of one type, or of its subclasses, as that type.
    ///
    /// It is Swift's cast that decides, as `is` does. Asked of a store's own stream it costs nothing for other actions:
    /// the store knows by their type who listens. Where optionals or collections are actions, their values are looked
    /// at, which costs as much as there are effects.
    @inlinable
    public func ofType<Kind: Action>(_ type: Kind.Type) -> ActionStream<Kind> {
        listening { $0 is Kind }.compactMap { cast($0, to: Kind.self) }
    }

    /// The actions of any number of types, in the order in which they come, each once.
    ///
    /// ```swift
    /// actions.ofTypes(Opened.self, Closed.self, Moved.self)
    /// ```
    public func ofTypes<each Kind: Action>(_ types: repeat (each Kind).Type) -> ActionStream<any Action> {
        let kinds = Kinds(types: (repeat each types))
        return listening { kinds.contain($0) }
    }

    /// The payloads of one case of an action that is an enum, told by a prism.
    ///
    /// ```swift
    /// actions.ofCase(PostAction.prism(for: PostAction.get))  // the ids
    /// ```
    public func ofCase<Kind: Action, Part: Sendable>(
        _ enumCase: some PrismConvertible<Kind, Part>
    ) -> ActionStream<Part> {
        let prism = enumCase.asPrism
        return ofType(Kind.self).compactMap { prism.extract($0) }
    }

    /// The actions for which `test` holds; it looks at nothing but their type.
    @inlinable
    func listening(by test: @escaping @Sendable (any Action) -> Bool) -> ActionStream<any Action> {
        guard case .store = origin else { return filter(test) }
        return ActionStream { run, subscriber in run.listen(by: test, subscriber.receive) }
    }
}

/// Types of actions. A closure that captures a parameter pack crashes the 6.3 compiler; a type that carries one does
/// not.
private struct Kinds<each Kind: Action>: Sendable {
    let types: (repeat (each Kind).Type)

    func contain(_ action: any Action) -> Bool {
        func isOf<One>(_: One.Type) -> Bool { action is One }
        for type in repeat each types {
            if isOf(type) { return true }
        }
        return false
    }
}
