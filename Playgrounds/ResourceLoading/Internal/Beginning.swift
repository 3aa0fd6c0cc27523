import TerminalSupport

/// The first bytes of a resource and their preview.
struct Beginning {
    static let capacity = 16_384
    private static let lines = 5
    private static let lineLength = 200

    private(set) var bytes: [UInt8] = []

    mutating func add(_ more: UnsafeRawBufferPointer) {
        guard bytes.count < Self.capacity else { return }
        bytes.append(contentsOf: more.prefix(Self.capacity - bytes.count))
    }

    /// Returns the preview of a resource of `size` bytes that begins with these bytes.
    func preview(of size: Int) -> ResourceSummary.Preview {
        if bytes.isEmpty { return .empty }
        if bytes.contains(0) || MediaType.signature(of: bytes) != nil { return .binary }
        if let offset = firstInvalidOffset(isCut: size > bytes.count) { return .invalidUTF8(offset: offset) }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: Self.lines, omittingEmptySubsequences: false)
        // A line break at the end does not begin another line.
        let isEnded = lines.count <= Self.lines && lines.last?.isEmpty == true
        return .text(firstLines: (isEnded ? lines.dropLast() : lines[...]).prefix(Self.lines).map(Self.visible))
    }

    private static func visible(_ line: ArraySlice<UInt8>) -> String {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let characters = String(decoding: line, as: UTF8.self).harmless
        return characters.count > lineLength ? characters.prefix(lineLength - 1) + "…" : characters
    }

    /// Returns the offset of the first byte that is not valid UTF-8. If `isCut`, a character that the end of the bytes
    /// cuts off is valid.
    private func firstInvalidOffset(isCut: Bool) -> Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar):
                offset += scalar.count
            case .emptyInput:
                return nil
            case .error(let length):
                return isCut && offset + length == bytes.count ? nil : offset
            }
        }
    }
}
