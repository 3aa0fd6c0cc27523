extension Traversal
where Whole: MutableCollection & SendableMetatype, Whole.Index: SendableMetatype, Part == Whole.Element {
    /// A traversal of the elements of a collection, in their order.
    ///
    /// An update changes each element in place. The idea is Monocle's `Each`. For the values of a dictionary, use
    /// ``eachValue()``.
    ///
    /// ```swift
    /// Traversal<[Int], Int>.each.modify(&numbers) { $0 += 1 }
    /// ```
    @inlinable
    public static var each: Traversal {
        Traversal(
            visit: { whole, visit in
                var index = whole.startIndex
                while index != whole.endIndex, visit(whole[index]) {
                    whole.formIndex(after: &index)
                }
            },
            modify: { whole, change in
                // This does not iterate over `whole.indices`: the indices may retain the collection, and the first
                // change would then copy it.
                var index = whole.startIndex
                while index != whole.endIndex {
                    change(&whole[index])
                    whole.formIndex(after: &index)
                }
            }
        )
    }
}

extension TraversalProtocol where Part: MutableCollection & SendableMetatype, Part.Index: SendableMetatype {
    /// A traversal of the elements of each collection that is a part of this optic, in their order.
    ///
    /// ```swift
    /// let names = Lens(\Team.members).each.name
    /// ```
    @inlinable
    public var each: Traversal<Whole, Part.Element> {
        appending(Traversal<Part, Part.Element>.each)
    }
}

extension Traversal {
    /// Returns a traversal of the values of a dictionary, in the dictionary's iteration order.
    ///
    /// An update changes each value in place.
    ///
    /// ```swift
    /// Traversal<[String: Int], Int>.eachValue().modify(&ages) { $0 += 1 }
    /// ```
    @inlinable
    public static func eachValue<Key: Hashable & SendableMetatype>() -> Traversal where Whole == [Key: Part] {
        Traversal(
            visit: { whole, visit in
                for value in whole.values {
                    guard visit(value) else { return }
                }
            },
            modify: { whole, change in
                var index = whole.startIndex
                while index != whole.endIndex {
                    change(&whole.values[index])
                    whole.formIndex(after: &index)
                }
            }
        )
    }
}

extension TraversalProtocol {
    /// Returns a traversal of the values of each dictionary that is a part of this optic.
    ///
    /// ```swift
    /// let counts = Lens(\Shop.stock).eachValue()
    /// ```
    @inlinable
    public func eachValue<Key: Hashable & SendableMetatype, Value>() -> Traversal<Whole, Value>
    where Part == [Key: Value] {
        appending(Traversal<[Key: Value], Value>.eachValue())
    }
}
