import Foundation

/// A reader of lines from the input of a console.
///
/// The line break (`\n` or `\r\n`) and the surrounding white space are not part of the line. The last line needs no
/// break. Bytes that are not valid UTF-8 become replacement characters. A line is cut after 65,536 bytes, so that input
/// without line breaks cannot exhaust the memory.
public final class LineReader: InputReader {
    private static let longest = 65_536

    private let console: Console
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    init(_ console: Console) {
        self.console = console
    }

    public func next() -> String? {
        var line: [UInt8] = []
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                append(buffer[position..<end], to: &line)
                position = end + 1
                return text(of: line)
            }
            append(buffer[position...], to: &line)
            guard refill() else {
                return line.isEmpty ? nil : text(of: line)
            }
        }
    }

    private func text(of line: [UInt8]) -> String {
        String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line.append(contentsOf: bytes.prefix(Self.longest - line.count))
    }

    private func refill() -> Bool {
        position = 0
        buffer = isAtEnd ? [] : console.readSome(atMost: 16_384)
        isAtEnd = buffer.isEmpty
        return !isAtEnd
    }
}

extension Console {
    /// Waits for bytes and returns them, or returns an empty array at the end of the input.
    ///
    /// If the input cannot be read, reports the reason and ends the process with status 1. If the process is stopped
    /// and continued meanwhile, shows the status or the prompt again, because the shell has written below it.
    func readSome(atMost capacity: Int) -> [UInt8] {
        if isInteractive { waitForInput() }
        return [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
            var result = read(input, bytes.baseAddress, capacity)
            while result < 0 {
                switch errno {
                case EINTR:
                    break
                case EAGAIN:
                    var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
                    poll(&waiting, 1, -1)
                case EIO where isInputTerminal:
                    // The terminal was closed.
                    result = 0
                    continue
                default:
                    exit("The input cannot be read: \(String(cString: strerror(errno)))")
                }
                result = read(input, bytes.baseAddress, capacity)
            }
            count = result
        }
    }

    private func waitForInput() {
        KeyMode.announceContinuations()
        while true {
            var waiting = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: KeyMode.continuations, events: Int16(POLLIN), revents: 0),
            ]
            poll(&waiting, 2, -1)
            if waiting[1].revents != 0, KeyMode.hasContinued() { showAgain() }
            if waiting[0].revents != 0 { return }
        }
    }
}
