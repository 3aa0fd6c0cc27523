/// What differs between two values, line by line of their dumps.
struct LineDiff {
    /// The lines of both: those that are alike, those that were expected, and those that were got.
    let lines: [String]
    /// How many lines are not alike.
    let distance: Int

    init(from expected: Any, to actual: Any) {
        let (expectedLines, actualLines) = (dumped(expected), dumped(actual))
        if expectedLines == actualLines {
            // What is not equal should not look equal: their descriptions may tell what their dumps do not.
            self.init(from: ["\(expected)"], to: ["\(actual)"])
        } else {
            self.init(from: expectedLines, to: actualLines)
        }
    }

    init(from expected: [String], to actual: [String]) {
        var (removed, inserted) = (Set<Int>(), Set<Int>())
        for change in actual.difference(from: expected) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [String] = []
        var (left, right) = (0, 0)
        while left < expected.count || right < actual.count {
            if removed.contains(left) {
                lines.append("− " + expected[left])
                left += 1
            } else if inserted.contains(right) {
                lines.append("+ " + actual[right])
                right += 1
            } else {
                lines.append("  " + actual[right])
                (left, right) = (left + 1, right + 1)
            }
        }
        if removed.isEmpty, inserted.isEmpty { lines.append("  They are not equal, and look alike.") }
        self.lines = lines
        distance = removed.count + inserted.count
    }
}

/// The lines of a value that was expected, and is not there.
func missing(_ value: Any) -> [String] {
    dumped(value).map { "− " + $0 }
}

/// The lines of a value that is there.
func added(_ value: Any) -> [String] {
    dumped(value).map { "+ " + $0 }
}

/// The lines of what differs between two lists, whose order counts.
func orderedLines<Value>(_ expected: [Value], _ actual: [Value]) -> [String] {
    LineDiff(from: expected.flatMap(dumped), to: actual.flatMap(dumped)).lines
}

private func dumped(_ value: Any) -> [String] {
    var text = ""
    dump(value, to: &text)
    // Of private types `dump` names the place in memory, too, which says nothing.
    return text.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "").split(separator: "\n").map(String.init)
}
