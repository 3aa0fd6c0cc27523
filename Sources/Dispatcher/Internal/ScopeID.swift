/// Identifies a scope: one call that embeds a dispatcher in another, or gives it a policy. Equal only to itself.
@usableFromInline
final class ScopeID: Hashable, Sendable {
    @usableFromInline
    init() {}

    @usableFromInline
    static func == (left: ScopeID, right: ScopeID) -> Bool { left === right }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
