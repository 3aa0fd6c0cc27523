/// Returns whether two payloads certainly differ: they are unequal, of different cases, or different objects.
///
/// Returns `false` for payloads that cannot be compared, and for those that do not equal themselves, such as NaN.
func isKnownToDiffer<Part>(_ first: Part, _ second: Part) -> Bool {
    if let first = first as? any Equatable {
        return isUnequal(first, second)
    }
    if Part.self is AnyClass {
        return first as AnyObject !== second as AnyObject
    }
    if let layout = try? EnumLayoutCache.layout(of: Part.self) {
        return withUnsafePointer(to: first) { layout.tag(at: $0) }
            != withUnsafePointer(to: second) { layout.tag(at: $0) }
    }
    return false
}

private func isUnequal<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
    guard let second = second as? Value, first == first else { return false }
    return first != second
}
