import Foundation
import TerminalSupport
import TestSupport

/// A terminal of 80 columns that records its output.
final class TestTerminal: Sendable {
    let console: Console
    private let person: Int32
    private let program: Int32
    private let bytes = Guarded<[UInt8]>([])
    private let isRead = DispatchSemaphore(value: 0)

    init() throws {
        var (person, program): (Int32, Int32) = (0, 0)
        guard openpty(&person, &program, nil, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
        (self.person, self.program) = (person, program)
        console = Console(input: program, output: program, error: program)
        Thread.detachNewThread { [bytes, isRead, person] in
            var buffer = [UInt8](repeating: 0, count: 4_096)
            // At the end of the output, Linux returns EIO.
            while case let count = read(person, &buffer, buffer.count), count > 0 {
                bytes.withLock { $0 += buffer[..<count] }
            }
            close(person)
            isRead.signal()
        }
    }

    /// Types text, which the terminal echoes.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(person, bytes, bytes.count)
    }

    /// Closes the terminal and returns its output.
    func output() -> String {
        close(program)
        isRead.wait()
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    }
}
