/// The identity of a scope, which is one call of `widen`, `forEach`, `handleError`, `onChange` or `policy`. Each
/// identity equals only itself.
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
