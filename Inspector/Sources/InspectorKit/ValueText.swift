/// The text of a value as Swift's descriptions write it: `Type(label: value, …)`, `[value, …]`, `[key: value, …]`.
///
/// Equal values may have different texts: the order of a set or of a dictionary differs from run to run.
struct ValueText {
    let bytes: ArraySlice<UInt8>

    /// The longest text that is read. Longer ones have no parts.
    static let maximumBytes = 4_000_000
    private static let maximumDepth = 64

    init(_ text: String) { self.init(Array(text.utf8)[...]) }

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The value that an optional contains, or this value.
    var unwrapped: ValueText {
        var bytes = bytes
        while bytes.last == UInt8(ascii: ")"), bytes.starts(with: "Optional(".utf8) {
            bytes = bytes.dropFirst("Optional(".utf8.count).dropLast()
        }
        return ValueText(bytes)
    }

    struct Parts {
        enum Kind {
            case fields, array, dictionary, set
        }
        var kind: Kind
        /// The name of the type or of the case before the parenthesis.
        var head: ArraySlice<UInt8>
        var labels: [ArraySlice<UInt8>]
        var values: [ValueText]
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The parts of the value, or `nil` for a text without parts or whose brackets or quotes do not match.
    var parts: Parts? {
        guard bytes.count >= 2, bytes.count <= Self.maximumBytes, let opening = opening else { return nil }
        guard var parts = parts(after: opening, countsAngles: true) ?? parts(after: opening, countsAngles: false) else {
            return nil
        }
        if parts.kind == .fields, parts.head.elementsEqual("Set".utf8), parts.values.count == 1,
            let elements = parts.values[0].parts, elements.kind == .array
        {
            parts.kind = .set
            (parts.labels, parts.values) = (elements.labels, elements.values)
        }
        return parts
    }

    /// The text with the pairs of each dictionary and the elements of each set in the order of their texts.
    var sorted: String {
        guard bytes.contains(UInt8(ascii: "[")) else { return text }
        return String(decoding: sorted(depth: 0), as: UTF8.self)
    }

    private func sorted(depth: Int) -> [UInt8] {
        guard depth < Self.maximumDepth, let parts else { return Array(bytes) }
        let values = parts.values.map { $0.sorted(depth: depth + 1) }
        var texts = zip(parts.labels, values).map { label, value in
            label.isEmpty ? value : label + Array(": ".utf8) + value
        }
        if parts.kind == .dictionary || parts.kind == .set {
            texts.sort { $0.lexicographicallyPrecedes($1) }
        }
        let (open, close) =
            switch parts.kind {
            case .fields: ("(", ")")
            case .array: ("[", "]")
            case .dictionary: texts.isEmpty ? ("[:", "]") : ("[", "]")
            case .set: ("([", "])")
            }
        return parts.head + Array(open.utf8) + texts.joined(separator: Array(", ".utf8)) + Array(close.utf8)
    }

    /// The place of the bracket before the parts.
    private var opening: Int? {
        let first = bytes.startIndex
        if bytes.first == UInt8(ascii: "[") { return bytes.last == UInt8(ascii: "]") ? first : nil }
        guard bytes.last == UInt8(ascii: ")") else { return nil }
        var index = first
        while index < bytes.endIndex, bytes[index].isWord || bytes[index] == UInt8(ascii: ".") { index += 1 }
        if bytes[index] == UInt8(ascii: "<") {
            while index < bytes.endIndex, index - first < 400, bytes[index] != UInt8(ascii: "(") {
                if bytes[index] == UInt8(ascii: "\"") { return nil }
                index += 1
            }
        }
        return index < bytes.endIndex && bytes[index] == UInt8(ascii: "(") ? index : nil
    }

    /// Splits what is between the bracket at `opening` and the last byte. Reads the text once.
    private func parts(after opening: Int, countsAngles: Bool) -> Parts? {
        let isArray = bytes[opening] == UInt8(ascii: "[")
        var parts = Parts(
            kind: isArray ? .array : .fields, head: bytes[bytes.startIndex..<opening], labels: [], values: [])
        var (depth, angles, begin) = (0, 0, opening + 1)
        var colon: Int?
        func finish(_ stop: Int) {
            let part = bytes[begin..<stop].trimmed
            if part.isEmpty { return }
            var label = part[part.startIndex..<part.startIndex]
            var value = part
            if let colon, colon >= part.startIndex, isArray || bytes[part.startIndex..<colon].allSatisfy(\.isWord) {
                (label, value) = (bytes[part.startIndex..<colon], bytes[(colon + 1)..<part.endIndex].trimmed)
            }
            parts.labels.append(label)
            parts.values.append(ValueText(value))
        }
        let last = bytes.endIndex - 1
        var index = opening + 1
        while index < last {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < last, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                if index >= last { return nil }
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth < 0 { return nil }
            case UInt8(ascii: "<"): if countsAngles, bytes[index - 1].isWord { angles += 1 }
            case UInt8(ascii: ">"): if angles > 0, bytes[index - 1] != UInt8(ascii: "-") { angles -= 1 }
            case UInt8(ascii: ":"):
                if depth == 0, angles == 0, colon == nil, bytes[index + 1] == UInt8(ascii: " ") { colon = index }
            case UInt8(ascii: ","):
                if depth == 0 && angles == 0 {
                    finish(index)
                    (begin, colon) = (index + 1, nil)
                }
            default: break
            }
            index += 1
        }
        if depth != 0 || angles != 0 { return nil }
        finish(last)
        if isArray {
            // The text of an empty dictionary.
            if parts.values.count == 1, parts.values[0].bytes.elementsEqual(":".utf8) {
                return Parts(kind: .dictionary, head: parts.head, labels: [], values: [])
            }
            // The keys of a dictionary differ. Elements of an array whose texts contain colons may be equal.
            if !parts.labels.isEmpty, !parts.labels.contains(where: \.isEmpty),
                Set(parts.labels).count == parts.labels.count
            {
                parts.kind = .dictionary
            } else if parts.labels.contains(where: { !$0.isEmpty }) {
                parts.values = zip(parts.labels, parts.values).map { label, value in
                    label.isEmpty ? value : ValueText(bytes[label.startIndex..<value.bytes.endIndex])
                }
                parts.labels = parts.labels.map { _ in [] }
            }
        }
        return parts
    }
}

extension UInt8 {
    /// Whether the byte is that of a letter, a digit or an underscore.
    var isWord: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: Self {
        var slice = drop(while: \.isSpace)
        while slice.last?.isSpace == true { slice.removeLast() }
        return slice
    }
}
