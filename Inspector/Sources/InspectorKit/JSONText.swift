import Foundation
import FunctionalCore

/// A JSON value of any type, for values of a trace that have another type than expected.
enum JSONText: Decodable {
    case null
    case bool(Bool)
    case whole(Int)
    case number(Double)
    case string(String)
    case array([JSONText])
    case object([String: JSONText])

    init(from decoder: any Decoder) throws {
        // Each attempt that fails costs as much as the square of the depth.
        guard decoder.codingPath.count <= 40 else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The value is too deep."))
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .whole(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONText].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONText].self))
        }
    }

    /// The value as JSON, with sorted keys.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .whole(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): Self.quoted(value)
        case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
        case .object(let values):
            "{\(values.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)): \($0.value.text)" }.joined(separator: ", "))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.appendJSON(text)
        return String(decoding: bytes, as: UTF8.self).replacing("\\u003c", with: "<")
    }
}

private let hexadecimal = Array("0123456789abcdef".utf8)

extension [UInt8] {
    /// Appends a JSON string, escaped like `JSON.stringify` does, and with `\u003c` for `<`.
    ///
    /// So no text can end the element that contains it or begin a comment, and a search in the raw text finds what the
    /// page shows.
    mutating func appendJSON(_ text: String) {
        var text = text
        append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            var first = 0
            for index in utf8.indices {
                let byte = utf8[index]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x3C else { continue }
                append(contentsOf: utf8[first..<index])
                first = index + 1
                switch byte {
                case 0x22: append(contentsOf: [0x5C, 0x22])
                case 0x5C: append(contentsOf: [0x5C, 0x5C])
                case 0x08: append(contentsOf: "\\b".utf8)
                case 0x0C: append(contentsOf: "\\f".utf8)
                case 0x0A: append(contentsOf: "\\n".utf8)
                case 0x0D: append(contentsOf: "\\r".utf8)
                case 0x09: append(contentsOf: "\\t".utf8)
                default:
                    append(contentsOf: "\\u00".utf8)
                    append(hexadecimal[Int(byte >> 4)])
                    append(hexadecimal[Int(byte & 15)])
                }
            }
            append(contentsOf: utf8[first...])
        }
        append(UInt8(ascii: "\""))
    }

    mutating func appendJSON(_ texts: [String]) {
        append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendJSON(text)
        }
        append(UInt8(ascii: "]"))
    }

    mutating func append(_ number: Int) { append(contentsOf: "\(number)".utf8) }

    /// Appends a value as it is in a trace.
    mutating func appendJSON(_ tree: ValueTree) {
        switch tree.kind {
        case .value: return appendJSON(tree.name)
        case .fields, .enumCase:
            append(contentsOf: tree.kind == .fields ? "{\"type\":".utf8 : "{\"case\":".utf8)
            appendJSON(tree.name)
            append(contentsOf: ",\"parts\":[".utf8)
        case .elements, .members, .entries: append(contentsOf: "{\"\(tree.kind.rawValue)\":[".utf8)
        }
        let hasLabels = tree.kind != .elements && tree.kind != .members
        for (index, part) in tree.parts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            if hasLabels {
                append(UInt8(ascii: "["))
                appendJSON(part.label)
                append(UInt8(ascii: ","))
            }
            appendJSON(part.value)
            if hasLabels { append(UInt8(ascii: "]")) }
        }
        append(contentsOf: tree.more > 0 ? "],\"more\":\(tree.more)}".utf8 : "]}".utf8)
    }

    /// Appends changes as `RowFormat` describes them. Returns `false` if not all of them fit into `limit` bytes.
    @discardableResult
    mutating func appendJSON(_ changes: [ValueChange], limit: Int = .max) -> Bool {
        let begin = count
        append(UInt8(ascii: "["))
        defer { append(UInt8(ascii: "]")) }
        for (index, change) in changes.enumerated() {
            let end = count
            append(contentsOf: index > 0 ? ",[[".utf8 : "[[".utf8)
            for (place, step) in change.path.enumerated() {
                if place > 0 { append(UInt8(ascii: ",")) }
                switch step {
                case .label(let label): appendJSON(label)
                case .index(let index): append(index)
                }
            }
            append(UInt8(ascii: "]"))
            for value in [change.from, change.to] {
                append(UInt8(ascii: ","))
                if let value { appendJSON(value) } else { append(contentsOf: "null".utf8) }
            }
            append(UInt8(ascii: "]"))
            if count - begin > limit {
                removeSubrange(end...)
                append(contentsOf: "\(index > 0 ? "," : "")\(changes.count - index)".utf8)
                return false
            }
        }
        return true
    }
}
