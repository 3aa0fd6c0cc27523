import Foundation

/// A reader of keys from a terminal as they are pressed. The terminal is restored when the reader is deallocated.
///
/// A printable key is read as its character. Other keys have names: `up`, `down`, `left`, `right`, `return`, `escape`,
/// `backspace`, `tab`. Ctrl-D ends the input. Ctrl-C interrupts.
public final class KeyReader: InputReader {
    private let console: Console
    private var pending: [UInt8] = []

    /// Switches the terminal to single keys. Returns `nil` if standard input is not a terminal.
    init?(_ console: Console) {
        guard KeyMode.begin() else { return nil }
        self.console = console
    }

    deinit {
        KeyMode.restore()
    }

    public func next() -> String? {
        while true {
            if pending.isEmpty { pending = console.readSome(atMost: 256) }
            guard let first = pending.first else { return nil }
            switch first {
            case 0x04:
                return nil
            case 0x0A, 0x0D:
                return take(1, "return")
            case 0x09:
                return take(1, "tab")
            case 0x08, 0x7F:
                return take(1, "backspace")
            case 0x1B:
                return escape()
            case 0x00..<0x20:
                pending.removeFirst()
            default:
                return character(startingWith: first)
            }
        }
    }

    /// Returns a special key. A terminal sends its bytes together, so the bytes after an escape in the same read belong
    /// to the key.
    private func escape() -> String {
        let arrows: [UInt8: String] = [0x41: "up", 0x42: "down", 0x43: "right", 0x44: "left"]
        guard pending.count >= 3, pending[1] == 0x5B || pending[1] == 0x4F else { return take(1, "escape") }
        let end = pending[2...].firstIndex { (0x40...0x7E).contains($0) } ?? pending.count - 1
        return take(end + 1, arrows[pending[end]] ?? "escape")
    }

    private func character(startingWith first: UInt8) -> String {
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        while pending.count < length {
            let more = console.readSome(atMost: 256)
            if more.isEmpty { break }
            pending += more
        }
        return take(min(length, pending.count), String(decoding: pending.prefix(length), as: UTF8.self))
    }

    private func take(_ count: Int, _ name: String) -> String {
        pending.removeFirst(count)
        return name
    }
}
