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

/// A key of any type. Keys of different types differ, even if `AnyHashable` treats their values as equal.
@usableFromInline
struct AnyKey: Hashable, Sendable {
    let value: any Hashable & Sendable

    @usableFromInline
    init(_ value: some Hashable & Sendable) {
        self.value = value
    }

    @usableFromInline
    static func == (left: AnyKey, right: AnyKey) -> Bool {
        left.value.isSame(as: right.value)
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension Equatable {
    /// Compares the types first, because a cast converts `nil` or an empty collection of one type to that of another.
    fileprivate func isSame<Other>(as other: Other) -> Bool {
        Other.self == Self.self && self == other as? Self
    }
}
