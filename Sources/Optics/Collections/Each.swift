extension Traversal
where Whole: MutableCollection & SendableMetatype, Whole.Index: SendableMetatype, Part == Whole.Element {
    /// Every element of a collection, in its order.
    ///
    /// In place. The idea is Monocle's `Each`. For the values of a dictionary, ``eachValue()``.
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
                // Not over `whole.indices`: they may hold the collection, and the first change would copy it.
                var index = whole.startIndex
                while index != whole.endIndex {
                    change(&whole[index])
                    whole.formIndex(after: &index)
                }
            }
        )
    }
}

extension TraversalConvertible where Part: MutableCollection & SendableMetatype, Part.Index: SendableMetatype {
    /// Every element of the collection this optic leads to, in its order.
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
    /// Every value of a dictionary, in the order in which the dictionary iterates. In place.
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

extension TraversalConvertible {
    /// Every value of the dictionary this optic leads to.
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
