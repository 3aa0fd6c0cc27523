/// What differs between the texts of two states, in one line. Each change begins with the path of what has changed:
/// `results[0].name: "swift-nio" → "swallow"`, `orders: + Order(number: 1002)`.
///
/// The first change of each field of the state comes before further changes of a field.
struct ChangeSummary {
    private var changes: [(field: Int, text: String)] = []
    private var field = 0
    private var isCut = false

    /// How many changes the line contains, how many are counted, and how long a path and a value are.
    private static let shownChanges = 4
    private static let maximumChanges = 1_000
    private static let maximumPath = 80
    private static let maximumValue = 60
    private static let maximumDepth = 32

    /// The line. Empty if the texts differ in nothing but an order that has no meaning.
    private(set) var text: String

    init(from before: String, to after: String) {
        text = ""
        compare(ValueText(before), ValueText(after), path: "", depth: 0)
        text = line
    }

    private var line: String {
        var seen: Set<Int> = []
        var (first, rest): ([String], [String]) = ([], [])
        for change in changes {
            if seen.insert(change.field).inserted { first.append(change.text) } else { rest.append(change.text) }
        }
        var shown = (first + rest).prefix(Self.shownChanges).joined(separator: ", ")
        let more = changes.count - Self.shownChanges
        if more > 0 { shown += ", \(isCut ? "more than \(grouped(more))" : grouped(more)) more" }
        return shown
    }

    private mutating func add(_ path: String, _ text: String) {
        changes.append((field, path.isEmpty ? text : "\(Self.cut(path, Self.maximumPath)): \(text)"))
        if changes.count >= Self.maximumChanges { isCut = true }
    }

    private mutating func compare(_ before: ValueText, _ after: ValueText, path: String, depth: Int) {
        if isCut || before.bytes == after.bytes { return }
        guard depth < Self.maximumDepth, let left = before.unwrapped.parts, let right = after.unwrapped.parts,
            left.head == right.head
        else { return add(path, "\(Self.words(before)) → \(Self.words(after))") }
        switch (left.kind, right.kind) {
        case (.fields, .fields) where left.labels == right.labels:
            // The name of a case says which payload it is.
            let name = Self.caseName(left.head)
            let path = name.map { path.isEmpty ? $0 : "\(path).\($0)" } ?? path
            for (index, label) in left.labels.enumerated() {
                if depth == 0 { field = index }
                let name = label.isEmpty && left.labels.count > 1 ? "\(index)" : String(decoding: label, as: UTF8.self)
                compare(
                    left.values[index], right.values[index],
                    path: path.isEmpty || name.isEmpty ? path + name : "\(path).\(name)", depth: depth + 1)
            }
        case (.set, .set): compareSets(left.values, right.values, path: path)
        case (.array, .array):
            if !compareArrays(left.values, right.values, path: path, depth: depth) {
                add(path, "\(Self.words(before)) → \(Self.words(after))")
            }
        case (.dictionary, .dictionary): compareDictionaries(left, right, path: path, depth: depth)
        default: add(path, "\(Self.words(before)) → \(Self.words(after))")
        }
    }

    private mutating func compareSets(_ before: [ValueText], _ after: [ValueText], path: String) {
        let (left, right) = (Set(before.map(\.bytes)), Set(after.map(\.bytes)))
        add(path, "−", before.filter { !right.contains($0.bytes) }[...])
        add(path, "+", after.filter { !left.contains($0.bytes) }[...])
    }

    private mutating func compareDictionaries(
        _ before: ValueText.Parts, _ after: ValueText.Parts, path: String, depth: Int
    ) {
        let keyed = { (parts: ValueText.Parts) in Dictionary(uniqueKeysWithValues: zip(parts.labels, parts.values)) }
        let (left, right) = (keyed(before), keyed(after))
        let pathOf = { (key: ArraySlice<UInt8>) in "\(path)[\(Self.words(ValueText(key)))]" }
        for (key, value) in zip(before.labels, before.values) {
            if let other = right[key] {
                compare(value, other, path: pathOf(key), depth: depth + 1)
            } else {
                add(pathOf(key), "−", [value])
            }
        }
        for (key, value) in zip(after.labels, after.values) where left[key] == nil { add(pathOf(key), "+", [value]) }
    }

    /// Returns `false` if it does not find which elements correspond.
    private mutating func compareArrays(
        _ before: [ValueText], _ after: [ValueText], path: String, depth: Int
    ) -> Bool {
        var (left, right) = (before[...], after[...])
        while let first = left.first, first.bytes == right.first?.bytes {
            left.removeFirst()
            right.removeFirst()
        }
        while let last = left.last, last.bytes == right.last?.bytes {
            left.removeLast()
            right.removeLast()
        }
        if left.isEmpty || right.isEmpty {
            add(path, "−", left)
            add(path, "+", right)
        } else if left.count == right.count {
            for (index, other) in zip(left.indices, right) {
                compare(left[index], other, path: "\(path)[\(index)]", depth: depth + 1)
            }
        } else {
            return false
        }
        return true
    }

    private mutating func add(_ path: String, _ sign: String, _ values: ArraySlice<ValueText>) {
        guard let first = values.first, !isCut else { return }
        add(path, "\(sign) \(Self.words(first))\(values.count > 1 ? " and \(grouped(values.count - 1)) more" : "")")
    }

    /// The name of an enum case with a payload, or `nil` for the name of a type.
    private static func caseName(_ head: ArraySlice<UInt8>) -> String? {
        guard let dot = head.lastIndex(of: UInt8(ascii: ".")), let first = head[(dot + 1)...].first else { return nil }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
            ? String(decoding: head[(dot + 1)...], as: UTF8.self) : nil
    }

    private static func words(_ value: ValueText) -> String {
        let bytes = value.bytes.prefix(maximumValue * 6)
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.count == value.bytes.count { return cut(text, maximumValue) }
        // The last character may be a part of one.
        return "\(text.dropLast().prefix(maximumValue))…"
    }

    private static func cut(_ text: String, _ length: Int) -> String {
        text.count > length ? "\(text.prefix(length))…" : text
    }
}
