import FunctionalCore

/// Whether two values are equal, and the text in them is the same, scalar by scalar.
///
/// Swift's `==` takes "é" for "e\u{301}", so that a lens which normalises text would pass. Not compared by scalars: the
/// keys of dictionaries and the elements of sets, since these keep the first of two equal keys, and what objects store.
/// Text that `==` says to be different, as a type with an `==` of its own may allow, is not looked at.
///
/// NaN is the same as NaN. Values that `==` says to be different are therefore compared part by part, and are the same
/// if all that differs is NaN.
package func isSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    func hasSameText(_ left: Any, _ right: Any) -> Bool {
        var comparison = TextComparison()
        return !comparison.differs(left, right)
    }
    return left == right
        ? hasSameText(left, right) : ValueEquality.differOnlyInNaN(left, right, areSame: hasSameText)
}

/// Looks for text that is equal, in values that are equal, and made of other scalars.
private struct TextComparison {
    private var left = 100_000
    private var depth = 0

    mutating func differs(_ first: Any, _ second: Any) -> Bool {
        guard left > 0, depth < 64 else { return false }
        left -= 1
        depth += 1
        defer { depth -= 1 }
        switch first {
        case is any Textless: return false
        case let text as String: return (second as? String).map { differ(text, $0) } ?? false
        case let text as Substring: return (second as? Substring).map { differ(text, $0) } ?? false
        case let character as Character:
            return (second as? Character).map { differ(String(character), String($0)) } ?? false
        case let list as any TextHolding: return list.differs(from: second, &self)
        default: return childrenDiffer(Mirror(reflecting: first), Mirror(reflecting: second))
        }
    }

    private func differ(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
        first == second && !first.unicodeScalars.elementsEqual(second.unicodeScalars)
    }

    private mutating func childrenDiffer(_ first: Mirror, _ second: Mirror) -> Bool {
        guard first.displayStyle != .class, first.displayStyle != .set, first.children.count == second.children.count
        else { return false }
        for (child, other) in zip(first.children, second.children) where differs(child.value, other.value) {
            return true
        }
        return false
    }
}

/// A collection whose elements can be compared without a mirror.
private protocol TextHolding {
    func differs(from other: Any, _ comparison: inout TextComparison) -> Bool
}

extension Array: TextHolding {
    fileprivate func differs(from other: Any, _ comparison: inout TextComparison) -> Bool {
        guard !(Element.self is any Textless.Type), let other = other as? [Element], count == other.count else {
            return false
        }
        for (element, another) in zip(self, other) where comparison.differs(element, another) { return true }
        return false
    }
}

extension Dictionary: TextHolding {
    fileprivate func differs(from other: Any, _ comparison: inout TextComparison) -> Bool {
        guard !(Value.self is any Textless.Type), let other = other as? [Key: Value] else { return false }
        for (key, value) in self {
            if let another = other[key], comparison.differs(value, another) { return true }
        }
        return false
    }
}

extension Set: TextHolding {
    fileprivate func differs(from other: Any, _ comparison: inout TextComparison) -> Bool { false }
}

/// Types that have no text in them: most of what large values are made of.
private protocol Textless {}
extension Int: Textless {}
extension Int32: Textless {}
extension Int64: Textless {}
extension UInt: Textless {}
extension UInt8: Textless {}
extension UInt32: Textless {}
extension UInt64: Textless {}
extension Double: Textless {}
extension Float: Textless {}
extension Bool: Textless {}
extension Duration: Textless {}
