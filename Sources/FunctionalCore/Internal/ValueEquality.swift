/// Equality by what reflection shows.
package enum ValueEquality {
    /// Returns whether two values are equal, with NaN equal to NaN.
    package static func areEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
        left == right || differOnlyInNaN(left, right)
    }

    /// Returns whether two values are not equal, and would be if NaN were equal to NaN.
    ///
    /// Whether a value equals itself says nothing: lists and dictionaries that share their storage are equal, whatever is
    /// in them.
    ///
    /// - Parameter areSame: Whether two parts that are equal are also the same in other respects.
    package static func differOnlyInNaN(
        _ left: Any, _ right: Any, areSame: (Any, Any) -> Bool = { _, _ in true }
    ) -> Bool {
        difference(left, right, depth: 0, areSame) == .nan
    }

    private enum Difference { case none, nan, other }

    private static func difference(
        _ left: Any, _ right: Any, depth: Int, _ areSame: (Any, Any) -> Bool
    ) -> Difference {
        if let first = left as? any BinaryFloatingPoint, let second = right as? any BinaryFloatingPoint,
            first.isNaN, second.isNaN
        {
            return .nan
        }
        let isEquatable = left is any Equatable
        if let value = left as? any Equatable, isEqual(value, right) { return areSame(left, right) ? .none : .other }
        let (before, after) = (Mirror(reflecting: left), Mirror(reflecting: right))
        guard depth < ValueDump.maximumDepth, before.subjectType == after.subjectType, before.displayStyle != .class,
            !before.children.isEmpty, before.children.count == after.children.count
        else { return .other }
        // A value that is not equal although all of its parts are has another reason.
        var result = isEquatable ? Difference.other : .none
        for (part, other) in pairs(before, after) {
            guard part.label == other.label else { return .other }
            switch difference(part.value, other.value, depth: depth + 1, areSame) {
            case .none: continue
            case .nan: result = .nan
            case .other: return .other
            }
        }
        return result
    }

    /// Returns the parts of two values that correspond. The members of sets and the entries of dictionaries may be in
    /// other orders: those whose elements or keys are equal correspond. The others do in any order, for example those
    /// with NaN.
    private static func pairs(_ before: Mirror, _ after: Mirror) -> [(Mirror.Child, Mirror.Child)] {
        let areEntries = before.displayStyle == .dictionary
        guard areEntries || before.displayStyle == .set else { return Array(zip(before.children, after.children)) }
        var (others, withoutKey) = ([AnyHashable: Mirror.Child](), [Mirror.Child]())
        for part in after.children {
            let key = ValueDump.key(of: part.value, isEntry: areEntries)
            if let key, key == key { others[key] = part } else { withoutKey.append(part) }
        }
        return before.children.compactMap { part in
            let key = ValueDump.key(of: part.value, isEntry: areEntries)
            let other = key.flatMap { others.removeValue(forKey: $0) } ?? withoutKey.popLast()
            return other.map { (part, $0) } ?? (part, (label: "missing", value: ()))
        }
    }

    /// Returns whether two values of one type have equal parts. A number that is not equal to itself, as NaN, is equal
    /// to another such number. Objects are equal if they are the same object, or have equal parts.
    ///
    /// - Complexity: O(n) in the number of parts. Uses a stack of constant size, except for what `==` needs.
    package static func areSame(_ left: Any, _ right: Any, askingValues: Bool) -> Bool {
        var rest: [(Any, Any)] = [(left, right)]
        // Pairs, because an object may be compared with several others.
        var objects: Set<[ObjectIdentifier]> = []
        while let (left, right) = rest.popLast() {
            guard type(of: left) == type(of: right) else { return false }
            // What most parts are: reflection takes ten times as long.
            if let left = left as? Int, let right = right as? Int {
                if left == right { continue }
                return false
            }
            if let left = left as? String, let right = right as? String {
                if left == right { continue }
                return false
            }
            if areIdentical(left, right) { continue }
            if type(of: left) is AnyClass {
                let (old, new) = (ObjectIdentifier(left as AnyObject), ObjectIdentifier(right as AnyObject))
                if old == new || !objects.insert([old, new]).inserted { continue }
            }
            let (before, after) = (Mirror(reflecting: left), Mirror(reflecting: right))
            let (old, new) = (ValueDump.parts(of: before), ValueDump.parts(of: after))
            let isUnordered = before.displayStyle == .set || before.displayStyle == .dictionary
            // The parts that a type chooses to show may differ in equal values, as the place of their bytes does.
            let isOpaque = left is any CustomReflectable && before.displayStyle != .collection
            if let value = left as? any Equatable, askingValues || isOpaque || old.isEmpty && new.isEmpty {
                if isEqual(value, right) { continue }
                if isUnordered || !differOnlyInNaN(left, right) { return false }
                continue
            }
            // Values of one type have equal labels, except for the cases of an enum.
            guard old.count == new.count, before.displayStyle != .enum || old.first?.label == new.first?.label else {
                return false
            }
            if old.isEmpty, !(left is any Equatable), "\(left)" != "\(right)" { return false }
            let begin = rest.count
            for (old, new) in zip(old, new) { rest.append((old.value, new.value)) }
            rest[begin...].reverse()
        }
        return true
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool { left == right as? Value }
}

extension ValueEquality {
    /// Returns whether two values have the same type and the same bytes. They are the same then, and share what they refer
    /// to. Values with other bytes may be the same, too: this only saves a closer look.
    static func areIdentical<Value>(_ left: Value, _ right: Any) -> Bool {
        // A very large value would be copied to the stack.
        guard MemoryLayout<Value>.size <= 1_024, type(of: left) == type(of: right), let right = right as? Value else {
            return false
        }
        return unsafe withUnsafeBytes(of: left) { left in
            unsafe withUnsafeBytes(of: right) { right in unsafe haveSameBytes(left, right) }
        }
    }
}

/// Compares eight bytes at a time. The number of bytes must be the same.
@unsafe
func haveSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset + 8 <= left.count {
        let word = unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if unsafe word != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
        offset += 8
    }
    while offset < left.count {
        if unsafe left[offset] != right[offset] { return false }
        offset += 1
    }
    return true
}
