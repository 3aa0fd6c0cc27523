extension Lens {
    /// Returns a lens to the entry of a dictionary at `key`, as an optional.
    ///
    /// Setting the part to `nil` removes the entry, and setting it to a value inserts or replaces the entry. An update
    /// changes the entry in place. The idea is Monocle's `At`.
    ///
    /// ```swift
    /// let age = Lens<[String: Int], Int?>.at("Ann")
    /// age.set(&ages, 31)
    /// age.set(&ages, nil)
    /// ```
    @_alwaysEmitIntoClient
    public static func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Lens
    where Whole == [Key: Value], Part == Value? {
        Lens(get: { $0[key] }, modify: { whole, change in change(&whole[key]) })
    }
}

extension LensProtocol {
    /// Returns a lens to the entry at `key` in the dictionary that is this optic's part.
    ///
    /// Setting `nil` removes the entry; see ``Lens/at(_:)``.
    @_alwaysEmitIntoClient
    public func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Lens<Whole, Value?> where Part == [Key: Value] {
        appending(Lens<[Key: Value], Value?>.at(key))
    }
}

extension AffineProtocol {
    /// Returns an affine to the entry at `key` in the dictionary that is this optic's part.
    ///
    /// It matches if the dictionary is present, even if the dictionary has no such entry. Setting `nil` removes the
    /// entry; see ``Lens/at(_:)``.
    @_alwaysEmitIntoClient
    public func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Affine<Whole, Value?> where Part == [Key: Value] {
        appending(Lens<[Key: Value], Value?>.at(key))
    }
}

extension TraversalProtocol {
    /// Returns a traversal of the entries at `key` in the dictionaries that are this optic's parts.
    ///
    /// It visits each dictionary, even if the dictionary has no such entry. Setting `nil` removes the entry; see
    /// ``Lens/at(_:)``.
    @_alwaysEmitIntoClient
    public func at<Key: Hashable & Sendable, Value>(_ key: Key) -> Traversal<Whole, Value?> where Part == [Key: Value] {
        appending(Lens<[Key: Value], Value?>.at(key))
    }
}
