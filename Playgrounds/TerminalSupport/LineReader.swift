import Foundation

/// Reads lines from a file descriptor.
///
/// The line break (`\n` or `\r\n`) is not part of the line; a last line without one counts. Bytes that are no UTF-8
/// become replacement characters. A line is cut after 65,536 bytes, so that endless input without a line break cannot
/// fill the memory; the rest of it is skipped.
public final class LineReader: InputReader {
    private static let longest = 65_536

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// A reader over an open descriptor, which stays the caller's to close.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    public func next() -> String? {
        var line: [UInt8] = []
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                append(buffer[position..<end], to: &line)
                position = end + 1
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return String(decoding: line, as: UTF8.self)
            }
            append(buffer[position...], to: &line)
            guard refill() else {
                return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
            }
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line.append(contentsOf: bytes.prefix(Self.longest - line.count))
    }

    private func refill() -> Bool {
        position = 0
        buffer = isAtEnd ? [] : readSome(from: descriptor, atMost: 16_384)
        isAtEnd = buffer.isEmpty
        return !isAtEnd
    }
}

/// Waits for bytes; empty at the end of the input, or when it can no longer be read.
func readSome(from descriptor: Int32, atMost capacity: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
        var result = read(descriptor, bytes.baseAddress, capacity)
        while result < 0 && errno == EINTR { result = read(descriptor, bytes.baseAddress, capacity) }
        count = max(result, 0)
    }
}
