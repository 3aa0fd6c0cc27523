/// A key of any type. Keys of different types are different, also where `AnyHashable` takes one number for another.
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
    /// The types are compared first: a cast takes the absent value of one type, or an empty collection, for that of
    /// another.
    fileprivate func isSame<Other>(as other: Other) -> Bool {
        Other.self == Self.self && self == other as? Self
    }
}
