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
    @_alwaysEmitIntoClient
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
    @_alwaysEmitIntoClient
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
    @_alwaysEmitIntoClient
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
    @_alwaysEmitIntoClient
    public func eachValue<Key: Hashable & SendableMetatype, Value>() -> Traversal<Whole, Value>
    where Part == [Key: Value] {
        appending(Traversal<[Key: Value], Value>.eachValue())
    }
}

extension Fold where Whole: Collection & SendableMetatype, Part == Whole.Element {
    /// A fold of the elements of a collection, in their order.
    ///
    /// The collection need not be mutable: a set, a range, a string and the keys of a dictionary are collections, too.
    ///
    /// ```swift
    /// Fold<Set<Int>, Int>.each.contains(selected) { $0 > 9 }
    /// ```
    @_alwaysEmitIntoClient
    public static var each: Fold {
        Fold(visit: { whole, visit in for part in whole { guard visit(part) else { return } } })
    }
}

extension FoldProtocol where Part: Collection & SendableMetatype {
    /// A fold of the elements of each collection that is a part of this optic, in their order.
    ///
    /// ```swift
    /// let selected = Lens(\Editor.selectedLines).each  // Fold<Editor, Int>, if selectedLines is a Set<Int>
    /// ```
    @_alwaysEmitIntoClient
    public var each: Fold<Whole, Part.Element> {
        appending(Fold<Part, Part.Element>.each)
    }
}
