/// The types of actions that a stream listens to.
@usableFromInline
final class ActionTypes: Sendable {
    /// Returns whether the actions of a type are of these types.
    @usableFromInline let contain: @Sendable (any Action.Type) -> Bool

    static let all = ActionTypes { _ in true }

    private init(_ contain: @escaping @Sendable (any Action.Type) -> Bool) {
        self.contain = contain
    }

    /// Creates the type `kind` with its subclasses.
    @usableFromInline
    convenience init<Kind: Action>(_ kind: Kind.Type) {
        self.init { $0 is Kind.Type }
    }

    convenience init(anyOf kinds: [ActionTypes]) {
        self.init { type in kinds.contains { $0.contain(type) } }
    }
}
