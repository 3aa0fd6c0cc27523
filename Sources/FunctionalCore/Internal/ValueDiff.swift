/// The difference of two values, line by line of their dumps.
///
/// Equal parts are left out before anything is described, so the cost is that of comparing the values, and of describing
/// what differs.
package struct ValueDiff {
    /// Whether parts are compared with `==` first. It is faster, and runs code of the values, which may be recursive.
    private let asksValues: Bool
    private var left = ValueDump()
    private var right = ValueDump()

    /// Returns the difference of two values. If their dumps are equal, returns the difference of their descriptions.
    package static func difference(from expected: Any, to actual: Any) -> LineDiff {
        let diff = compared(expected, actual, askingValues: true)
        if diff.distance > 0 { return diff }
        // Values that are not equal should not look equal: their descriptions may show what their dumps do not.
        return LineDiff(from: [boundedDescription(expected)], to: [boundedDescription(actual)])
    }

    /// Returns the difference of the dumps of two values.
    ///
    /// Structs, enums and arrays are compared by their parts and not with `==`, which may be recursive: to look at a
    /// value must not crash the program.
    package static func differenceOfSnapshots(from old: Any, to new: Any) -> LineDiff {
        compared(old, new, askingValues: false)
    }

    private static func compared(_ expected: Any, _ actual: Any, askingValues: Bool) -> LineDiff {
        var diff = ValueDiff(asksValues: askingValues)
        diff.compare(expected, actual, named: nil, indentedBy: 0)
        let (left, right) = (diff.left, diff.right)
        let lines = LineDiff(from: left.lines, to: right.lines)
        guard lines.distance == 0, left.isCut || right.isCut, !diff.areSame(expected, actual) else { return lines }
        return LineDiff(from: left.lines, to: right.lines + [ValueDump.Line("… What differs is left out here.")])
    }

    private func areSame(_ left: Any, _ right: Any) -> Bool {
        ValueEquality.areSame(left, right, askingValues: asksValues)
    }

    /// Adds the lines of two values that are most likely not the same.
    private mutating func compare(_ old: Any, _ new: Any, named name: String?, indentedBy indentation: Int) {
        let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
        guard indentation < 2 * ValueDump.maximumDepth, before.displayStyle == after.displayStyle,
            type(of: old) == type(of: new), before.displayStyle != nil, ByteText(old) == nil
        else {
            var (old, new) = (old, new)
            if let text = old as? String, let other = new as? String, text.utf8.count + other.utf8.count > 1_000 {
                // Long texts from a little before the first character that differs.
                let start = zip(text, other).prefix { $0 == $1 }.count - 40
                if start > 0 { (old, new) = ("…\(text.dropFirst(start))", "…\(other.dropFirst(start))") }
            }
            return addWhole(old, new, named: name, indentedBy: indentation)
        }
        let (oldParts, newParts) = (ValueDump.parts(of: before), ValueDump.parts(of: after))
        let isSequence = before.displayStyle == .collection
        let isUnordered = before.displayStyle == .set || before.displayStyle == .dictionary
        let isSmall = max(oldParts.count, newParts.count) <= Self.longest
        guard isUnordered ? !isSmall : isSequence || oldParts.map(\.label) == newParts.map(\.label) else {
            return addWhole(old, new, named: name, indentedBy: indentation)
        }
        _ = left.addHead(of: old, before, named: name, indentedBy: indentation)
        _ = right.addHead(of: new, after, named: name, indentedBy: indentation)
        if isSequence {
            compareElements(oldParts.map(\.value), newParts.map(\.value), indentedBy: indentation + 2)
        } else if isUnordered {
            compareMembers(
                oldParts.map(\.value), newParts.map(\.value), areEntries: before.displayStyle == .dictionary,
                indentedBy: indentation + 2)
        } else {
            var isUnexplained = true
            for (index, (old, new)) in zip(oldParts, newParts).enumerated() {
                // If no other part differs, the last one does. So a chain of values is compared once, and not once a level.
                if isUnexplained && index == newParts.count - 1 || !areSame(old.value, new.value) {
                    compare(old.value, new.value, named: new.label, indentedBy: indentation + 2)
                    isUnexplained = false
                } else {
                    addEqual(new.value, named: new.label, indentedBy: indentation + 2)
                }
            }
        }
    }

    private mutating func addWhole(_ old: Any, _ new: Any, named name: String?, indentedBy indentation: Int) {
        left.add(old, named: name, indentedBy: indentation)
        right.add(new, named: name, indentedBy: indentation)
    }

    // MARK: - Parts that are equal

    /// Adds the lines of a part that has not changed. Of many, adds the first and the last.
    private mutating func addEqual(_ value: Any, named name: String?, indentedBy indentation: Int) {
        var dump = ValueDump()
        dump.add(value, named: name, indentedBy: indentation)
        let lines = dump.lines
        guard lines.count > Self.longest else { return addToBoth(lines[...]) }
        addToBoth(lines.prefix(LineDiff.context))
        addHidden(lines.count - 2 * LineDiff.context, isAtLeast: dump.isCut, indentedBy: indentation + 2)
        addToBoth(lines.suffix(LineDiff.context))
    }

    private mutating func addToBoth(_ lines: ArraySlice<ValueDump.Line>) {
        left.append(lines)
        right.append(lines)
    }

    /// Adds a mark that stands for lines. There are at least as many if some parts have several.
    private mutating func addHidden(_ count: Int, isAtLeast: Bool, indentedBy indentation: Int) {
        if count == 0 { return }
        addToBoth([ValueDump.Line(hidden: count, isAtLeast: isAtLeast, indentedBy: indentation)])
    }

    /// The largest number of equal lines, or elements, that are not replaced by a mark.
    private static var longest: Int { 50 }

    // MARK: - Collections

    private mutating func compareElements(_ old: [Any], _ new: [Any], indentedBy indentation: Int) {
        var (index, other) = (0, 0)
        for run in equalRuns(old, new) {
            // Elements between equal ones, one below the other.
            while index < run.left, other < run.right, !left.isFull, !right.isFull {
                if areSame(old[index], new[other]) {
                    addEqual(new[other], named: nil, indentedBy: indentation)
                } else {
                    compare(old[index], new[other], named: nil, indentedBy: indentation)
                }
                (index, other) = (index + 1, other + 1)
            }
            left.add(old[index..<run.left], indentedBy: indentation)
            right.add(new[other..<run.right], indentedBy: indentation)
            let elements = new[run.right..<run.right + run.count]
            let isLong = run.count > Self.longest
            for element in isLong ? elements.prefix(LineDiff.context) : elements {
                addEqual(element, named: nil, indentedBy: indentation)
            }
            if isLong {
                addHidden(run.count - 2 * LineDiff.context, isAtLeast: true, indentedBy: indentation)
                for element in elements.suffix(LineDiff.context) {
                    addEqual(element, named: nil, indentedBy: indentation)
                }
            }
            (index, other) = (run.left + run.count, run.right + run.count)
        }
    }

    /// Returns the runs of equal elements, and an empty one at the end. If many elements differ, the elements at equal
    /// positions are compared.
    private func equalRuns(_ old: [Any], _ new: [Any]) -> [(left: Int, right: Int, count: Int)] {
        let pairs = LineDiff.equalElements(old.count, new.count, maximumDistance: 100) { areSame(old[$0], new[$1]) }
        var runs: [(left: Int, right: Int, count: Int)] = []
        for pair in pairs {
            if let last = runs.last, last.left + last.count == pair.left, last.right + last.count == pair.right {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((pair.left, pair.right, 1))
            }
        }
        return runs + [(old.count, new.count, 0)]
    }

    /// Adds the members of sets or the entries of dictionaries that differ.
    private mutating func compareMembers(_ old: [Any], _ new: [Any], areEntries: Bool, indentedBy indentation: Int) {
        func key(_ member: Any) -> AnyHashable? { ValueDump.key(of: member, isEntry: areEntries) }
        let others = Dictionary(new.compactMap { member in key(member).map { ($0, member) } }) { first, _ in first }
        var same: Set<AnyHashable> = []
        for member in old {
            if let key = key(member), let other = others[key], areSame(member, other) { same.insert(key) }
        }
        func differs(_ member: Any) -> Bool { key(member).map { !same.contains($0) } ?? true }
        left.addSorted(old.filter(differs), indentedBy: indentation)
        right.addSorted(new.filter(differs), indentedBy: indentation)
        addHidden(same.count, isAtLeast: areEntries, indentedBy: indentation)
    }
}
