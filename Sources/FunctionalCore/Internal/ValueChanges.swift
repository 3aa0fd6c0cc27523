/// The changes from one value to another, for a trace.
///
/// What is equal is left out before anything is described, so the cost is that of comparing the values, and of describing
/// what differs. Parts with the same bytes are equal, so the large parts that a change leaves alone cost almost nothing.
package struct ValueChanges {
    private var changes: [ValueChange] = []
    private var path: [ValueChange.Step] = []
    /// The number of values that may still be described.
    private var left = 10_000
    /// The pairs of objects that have been compared.
    private var objects: Set<[ObjectIdentifier]> = []

    /// How many changes are listed. More become one change of the part that contains them.
    private static var maximumCount: Int { 1_000 }

    package static func changes(from old: Any, to new: Any) -> [ValueChange] {
        var changes = ValueChanges()
        changes.compare(old, new)
        return changes.changes
    }

    // MARK: - Values

    private mutating func compare(_ old: Any, _ new: Any) {
        if ValueEquality.areIdentical(old, new) { return }
        let (begin, left) = (changes.count, self.left)
        compareParts(old, new)
        if changes.count - begin <= Self.maximumCount { return }
        changes.removeSubrange(begin...)
        self.left = left
        add(from: old, to: new)
    }

    private mutating func compareParts(_ old: Any, _ new: Any) {
        guard path.count < ValueDump.maximumDepth, type(of: old) == type(of: new), ByteText(old) == nil else {
            return replaceUnlessSame(old, new)
        }
        if let elements = (old as? any ComparedElements)?.paired(with: new) { return compare(elements) }
        if let differences = (old as? any ComparedMembers)?.differences(from: new) { return compare(differences) }
        let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
        let (left, right) = (ValueDump.parts(of: before), ValueDump.parts(of: after))
        switch before.displayStyle {
        case .optional:
            // The bytes of two absent values may differ.
            guard let old = left.first, let new = right.first else { return replaceUnlessSame(old, new) }
            compare(old.value, new.value)
        case .collection:
            let (old, new) = (left.map(\.value), right.map(\.value))
            compare(PairedElements(oldCount: old.count, newCount: new.count, old: { old[$0] }, new: { new[$0] }))
        case .class where !Printed.describesItself(old) && !(old is any Actor):
            // Objects may refer to each other.
            if objects.insert([ObjectIdentifier(old as AnyObject), ObjectIdentifier(new as AnyObject)]).inserted {
                compareFields(old, new, left, right)
            }
        case .tuple: compareFields(old, new, left, right)
        case .struct where !Printed.describesItself(old): compareFields(old, new, left, right)
        case .enum where !Printed.describesItself(old) && left.first?.label == right.first?.label:
            guard let payload = left.first, let other = right.first else { return replaceUnlessSame(old, new) }
            let (inner, otherInner) = (Mirror(reflecting: payload.value), Mirror(reflecting: other.value))
            if inner.displayStyle == .tuple {
                compareFields(payload.value, other.value, inner.children, otherInner.children)
            } else {
                at(.label(payload.label ?? "")) { $0.compare(payload.value, other.value) }
            }
        default: replaceUnlessSame(old, new)
        }
    }

    private mutating func compareFields(_ old: Any, _ new: Any, _ left: Mirror.Children, _ right: Mirror.Children) {
        // A type may choose the parts that it shows.
        guard !left.isEmpty, left.map(\.label) == right.map(\.label) else { return replaceUnlessSame(old, new) }
        for (index, (old, new)) in zip(left, right).enumerated() {
            at(.label(Printed.label(of: new, at: index))) { $0.compare(old.value, new.value) }
        }
    }

    private mutating func at(_ step: ValueChange.Step, _ body: (inout ValueChanges) -> Void) {
        path.append(step)
        body(&self)
        path.removeLast()
    }

    private mutating func replaceUnlessSame(_ old: Any, _ new: Any) {
        if !ValueEquality.areSame(old, new, askingValues: false) { add(from: old, to: new) }
    }

    private mutating func add(from old: Any?, to new: Any?) {
        changes.append(ValueChange(path, from: old.map { tree(of: $0) }, to: new.map { tree(of: $0) }))
    }

    private mutating func tree(of value: Any) -> ValueTree {
        var printed = Printed(.trace, left: left)
        defer { left = max(100, printed.left) }
        return printed.tree(of: value)
    }

    // MARK: - Collections

    private mutating func compare(_ elements: PairedElements) {
        let (head, oldCount, newCount) = (elements.head, elements.oldCount, elements.newCount)
        let pairs = LineDiff.equalElements(oldCount - head, newCount - head, maximumDistance: 100) { old, new in
            ValueEquality.areSame(elements.old(head + old), elements.new(head + new), askingValues: false)
        }
        var (left, right) = (head, head)
        let begin = changes.count
        for end in pairs.map({ ($0.left + head, $0.right + head) }) + [(oldCount, newCount)] {
            while left < end.0 || right < end.1, changes.count - begin <= Self.maximumCount {
                at(.index(right)) { changes in
                    if left < end.0, right < end.1 {
                        changes.compare(elements.old(left), elements.new(right))
                        right += 1
                        left += 1
                    } else if left < end.0 {
                        changes.add(from: elements.old(left), to: nil)
                        left += 1
                    } else {
                        changes.add(from: nil, to: elements.new(right))
                        right += 1
                    }
                }
            }
            (left, right) = (end.0 + 1, end.1 + 1)
        }
    }

    private mutating func compare(_ differences: [MemberDifference]) {
        let labelled = differences.map { difference in
            var printed = Printed(.trace)
            return (label: printed.tree(of: difference.key).description, difference)
        }
        let begin = changes.count
        for (label, difference) in labelled.sorted(by: { $0.label < $1.label }) {
            if changes.count - begin > Self.maximumCount { return }
            at(.label(label)) { changes in
                if let old = difference.old, let new = difference.new {
                    changes.compare(old, new)
                } else {
                    changes.add(from: difference.old, to: difference.new)
                }
            }
        }
    }
}

// MARK: - Collections whose elements are compared without reflection

/// The elements of two lists.
private struct PairedElements {
    let oldCount: Int
    let newCount: Int
    let old: (Int) -> Any
    let new: (Int) -> Any
    /// How many elements at the beginnings have the same bytes.
    var head = 0
}

// A cast to one of the next protocols unwraps an optional, so `new` may be `nil`. The result is `nil` then.

private protocol ComparedElements {
    func paired(with new: Any) -> PairedElements?
}

extension Array: ComparedElements {
    fileprivate func paired(with new: Any) -> PairedElements? {
        guard let new = new as? [Element] else { return nil }
        let shorter = Swift.min(count, new.count)
        let head = unsafe withUnsafeBytes { old in
            unsafe new.withUnsafeBytes { other in
                let (size, stride) = (MemoryLayout<Element>.size, MemoryLayout<Element>.stride)
                var head = 0
                while head < shorter,
                    unsafe haveSameBytes(
                        UnsafeRawBufferPointer(rebasing: old[head * stride..<head * stride + size]),
                        UnsafeRawBufferPointer(rebasing: other[head * stride..<head * stride + size]))
                {
                    head += 1
                }
                return head
            }
        }
        return PairedElements(
            oldCount: count, newCount: new.count, old: { self[$0] }, new: { new[$0] }, head: head)
    }
}

/// A member of a set, or an entry of a dictionary, that two collections do not have in common. A member is its own key.
private typealias MemberDifference = (key: Any, old: Any?, new: Any?)

private protocol ComparedMembers {
    func differences(from new: Any) -> [MemberDifference]?
}

extension Set: ComparedMembers {
    fileprivate func differences(from new: Any) -> [MemberDifference]? {
        guard let new = new as? Set else { return nil }
        return subtracting(new).map { ($0, $0, nil) } + new.subtracting(self).map { ($0, nil, $0) }
    }
}

extension Dictionary: ComparedMembers {
    fileprivate func differences(from new: Any) -> [MemberDifference]? {
        guard let new = new as? Dictionary else { return nil }
        var differences: [MemberDifference] = []
        for (key, value) in self {
            guard let other = new[key] else {
                differences.append((key, value, nil))
                continue
            }
            if !ValueEquality.areIdentical(value, other) { differences.append((key, value, other)) }
        }
        for (key, value) in new where self[key] == nil { differences.append((key, nil, value)) }
        return differences
    }
}
