/// The text of a value that is a collection of bytes, such as `Data` or an array.
package struct ByteText {
    private let type: String
    private let bytes: [UInt8]

    /// Creates the text of a value. Returns `nil` if the value is not such a collection.
    package init?(_ value: Any) {
        // These protocols exclude ranges, and unsafe buffers, which do not own their elements.
        guard value is any (RandomAccessCollection & RangeReplaceableCollection),
            let bytes = value as? any Collection<UInt8>
        else { return nil }
        (type, self.bytes) = ("\(Swift.type(of: bytes))", Array(bytes))
    }

    /// The type and the number of bytes.
    package var summary: String { "\(type)(\(bytes.count) bytes)" }

    /// The source code of the value. `nil` if the bytes are not text, and there are more than 64.
    package var code: String? {
        if let string { return "\(type)(\(String(reflecting: string)).utf8)" }
        return bytes.count > 64 ? nil : "\(type)([\(bytes.map { "0x" + hex($0) }.joined(separator: ", "))])"
    }

    /// Whether ``lines`` shows only the first bytes.
    var isLong: Bool { bytes.count > Self.maximumCount }

    private static var maximumCount: Int { 16_000 }

    /// The lines of the value in a dump: the summary, and then the lines of its text or rows of sixteen bytes. If there
    /// is only one such line or row, the source code of the value instead. Of very many bytes, rows of the first ones.
    var lines: [String] {
        if isLong { return ["▿ " + summary] + rows(of: bytes.prefix(Self.maximumCount)).map { "  - " + $0 } + ["  …"] }
        let rows =
            string.map {
                $0.split(separator: "\n", omittingEmptySubsequences: false).map { String(reflecting: "\($0)") }
            }
            ?? rows(of: bytes[...])
        if rows.count == 1, let code { return ["- " + code] }
        return ["▿ " + summary] + rows.map { "  - " + $0 }
    }

    /// The bytes as UTF-8, if all characters are printable or whitespace.
    private var string: String? {
        let string = String(decoding: bytes, as: UTF8.self)
        let isPrintable = string.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || scalar.properties.isWhitespace
        }
        return isPrintable && string.utf8.elementsEqual(bytes) ? string : nil
    }

    private func rows(of bytes: ArraySlice<UInt8>) -> [String] {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            bytes.dropFirst(start).prefix(16).map(hex).joined(separator: " ")
        }
    }

    private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
