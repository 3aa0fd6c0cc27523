// Re-exported: `AutoPrism`, `Prism` and `Lens` are visible in files that import only this module.
@_exported public import Optics

extension ActionStream where Output == any Action {
    /// Returns a stream of the actions of one type and of its subclasses, as that type.
    ///
    /// An action is passed on if `action is Kind` is `true`.
    ///
    /// - Complexity: On the store's own stream, an action of another type costs nothing, because the store remembers
    ///   the listeners of each type of action. An action that is itself an optional, an array, a dictionary, a set or
    ///   an `AnyHashable` may be cast to `type`, depending on its value. The store looks up the listeners of each such
    ///   action in O(n) in the number of streams that listen.
    @inlinable
    public func ofType<Kind: Action>(_ type: Kind.Type) -> ActionStream<Kind> {
        listening(to: ActionTypes(containAll: typeTest(of: type)) { $0 is Kind }).compactMap { cast($0, to: Kind.self) }
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
        let kinds = Kinds(types: (repeat each types))
        return listening(to: ActionTypes(containAll: { kinds.containAll($0) }) { kinds.contain($0) })
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
        guard case .store = origin else { return filter(types.contain) }
        return ActionStream { run, subscriber in run.listen(to: types, subscriber.receive) }
    }
}

/// The types of actions that a stream listens to.
@usableFromInline
final class ActionTypes: Sendable {
    /// Returns whether all actions of a type are of these types, or `nil` if that depends on the action.
    @usableFromInline let containAll: @Sendable (any Action.Type) -> Bool?
    /// Returns whether an action is of one of these types.
    @usableFromInline let contain: @Sendable (any Action) -> Bool

    static let all = ActionTypes(containAll: { _ in true }, contain: { _ in true })

    @usableFromInline
    init(
        containAll: @escaping @Sendable (any Action.Type) -> Bool?,
        contain: @escaping @Sendable (any Action) -> Bool
    ) {
        self.containAll = containAll
        self.contain = contain
    }
}

/// Returns a function that receives a type, and returns whether all values of that type are of type `kind`, according
/// to `is`. The function returns `nil` if that depends on the value.
///
/// It depends on the value if `kind` is an optional, a collection or an `AnyHashable`, to which values of other types
/// can be cast. It also depends on the value if one of the types is a class and the other is not. Values and objects
/// may be bridged to each other.
@usableFromInline
func typeTest<Kind: Action>(of kind: Kind.Type) -> @Sendable (any Action.Type) -> Bool? {
    let isDecidedByValue = kind is any CastByValue.Type
    let isClass = kind is AnyClass
    return { type in
        if type == kind { return true }
        if isDecidedByValue || (type is AnyClass) != isClass { return nil }
        return type is Kind.Type
    }
}

/// Types of actions. They have a type of their own, because a closure that captures a parameter pack crashes the
/// compiler of Swift 6.3.
private struct Kinds<each Kind: Action>: Sendable {
    let types: (repeat (each Kind).Type)
    let tests: [@Sendable (any Action.Type) -> Bool?]

    init(types: (repeat (each Kind).Type)) {
        self.types = types
        var tests: [@Sendable (any Action.Type) -> Bool?] = []
        for type in repeat each types { tests.append(typeTest(of: type)) }
        self.tests = tests
    }

    func contain(_ action: any Action) -> Bool {
        func isOf<One>(_: One.Type) -> Bool { action is One }
        for type in repeat each types {
            if isOf(type) { return true }
        }
        return false
    }

    func containAll(_ type: any Action.Type) -> Bool? {
        let answers = tests.map { $0(type) }
        if answers.contains(true) { return true }
        return answers.contains(nil) ? nil : false
    }
}
