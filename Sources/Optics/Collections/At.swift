extension Lens {
    /// The entry of a dictionary at `key`, which may be absent: setting `nil` removes it, setting a value inserts it.
    ///
    /// In place. The idea is Monocle's `At`.
    ///
    /// ```swift
    /// let age = Lens<[String: Int], Int?>.at("Ann")
    /// age.set(&ages, 31)
    /// age.set(&ages, nil)
    /// ```
    @inlinable
    public static func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Lens
    where Whole == [Key: Value], Part == Value? {
        Lens(get: { $0[key] }, modify: { whole, change in change(&whole[key]) })
    }
}

extension LensConvertible {
    /// The entry at `key` of the dictionary this optic leads to; see ``Lens/at(_:)``.
    @inlinable
    public func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Lens<Whole, Value?> where Part == [Key: Value] {
        appending(Lens<[Key: Value], Value?>.at(key))
    }
}

extension AffineConvertible {
    /// The entry at `key` of the dictionary this optic leads to, where there is one.
    @inlinable
    public func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Affine<Whole, Value?> where Part == [Key: Value] {
        appending(Lens<[Key: Value], Value?>.at(key))
    }
}

extension TraversalConvertible {
    /// The entry at `key` of each dictionary this optic leads to.
    @inlinable
    public func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Traversal<Whole, Value?> where Part == [Key: Value] {
        appending(Lens<[Key: Value], Value?>.at(key))
    }
}
