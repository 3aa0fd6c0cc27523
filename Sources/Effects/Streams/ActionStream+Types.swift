public import Optics

extension ActionStream where Output == any Action {
    /// The actions of one type, or of its subclasses, as that type.
    ///
    /// It is Swift's cast that decides, as `is` does. Asked of a store's own stream it costs nothing for other actions:
    /// the store knows by their type who listens. Where optionals or collections are actions, their values are looked
    /// at, which costs as much as there are effects.
    @inlinable
    public func ofType<Kind: Action>(_ type: Kind.Type) -> ActionStream<Kind> {
        listening(to: ActionTypes(containAll: typeTest(of: type)) { $0 is Kind }).compactMap { cast($0, to: Kind.self) }
    }

    /// The actions of any number of types, in the order in which they come, each once.
    ///
    /// ```swift
    /// actions.ofTypes(Opened.self, Closed.self, Moved.self)
    /// ```
    public func ofTypes<each Kind: Action>(_ types: repeat (each Kind).Type) -> ActionStream<any Action> {
        let kinds = Kinds(types: (repeat each types))
        return listening(to: ActionTypes(containAll: { kinds.containAll($0) }) { kinds.contain($0) })
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

    /// The actions of `types`. Of the store's own stream, the others are not even looked at.
    @inlinable
    func listening(to types: ActionTypes) -> ActionStream<any Action> {
        guard case .store = origin else { return filter(types.contain) }
        return ActionStream { run, subscriber in run.listen(to: types, subscriber.receive) }
    }
}

/// The types of the actions that a stream wants.
@usableFromInline
struct ActionTypes: Sendable {
    /// Whether all actions of a type are of these types, without an action of it. `nil` if that takes an action to tell.
    @usableFromInline let containAll: @Sendable (any Action.Type) -> Bool?
    /// Whether an action is of one of these types.
    @usableFromInline let contain: @Sendable (any Action) -> Bool

    @usableFromInline
    init(
        containAll: @escaping @Sendable (any Action.Type) -> Bool?,
        contain: @escaping @Sendable (any Action) -> Bool
    ) {
        self.containAll = containAll
        self.contain = contain
    }
}

/// Returns what tells of a type whether all its values are of type `kind`, as `is` decides; `nil` if a value decides.
///
/// A value of any type may be an `Optional` or an `AnyHashable`, and a value and an object may be bridged to each other.
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

/// Types of actions. A closure that captures a parameter pack crashes the 6.3 compiler; a type that carries one does
/// not.
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
