/// A key of any type. Keys of different types differ, even if `AnyHashable` treats their values as equal.
@usableFromInline
package struct AnyKey: Hashable, Sendable {
    package let value: any Hashable & Sendable

    @usableFromInline
    package init(_ value: some Hashable & Sendable) {
        self.value = value
    }

    @usableFromInline
    package static func == (left: AnyKey, right: AnyKey) -> Bool {
        left.value.isSame(as: right.value)
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension Equatable {
    /// Returns whether the types and the values are equal. The types are compared first, because a cast converts `nil`
    /// or an empty collection to another type.
    fileprivate func isSame<Other>(as other: Other) -> Bool {
        Other.self == Self.self && self == other as! Self
    }
}
