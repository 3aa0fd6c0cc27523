/// The identity of a scope. A scope is one call that embeds a dispatcher in another dispatcher, or gives it a policy.
/// Each identity equals only itself.
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
