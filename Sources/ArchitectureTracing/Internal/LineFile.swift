import Foundation
import FunctionalCore
import Synchronization

/// A file to which events are appended as lines, until it is closed or a line cannot be written. Thread-safe.
final class LineFile: Sendable {
    private let name: String
    private let file: Locked<FileHandle?>
    /// Whether the file has not been closed. Reading it never waits for the file system.
    private let openState = Atomic(true)

    /// Creates a file, or empties it if it exists.
    ///
    /// - Throws: The error of Foundation if the file cannot be written.
    init(at url: URL) throws {
        // Not atomically, which would replace a file that is no regular one.
        try Data().write(to: url)
        name = url.path
        file = Locked(try FileHandle(forWritingTo: url))
    }

    var isOpen: Bool { openState.load(ordering: .relaxed) }

    /// Writes the line of a record by one call of the system. If the file is closed, the record is not made.
    func write(_ record: @autoclosure () -> TraceRecord) {
        if !isOpen { return }
        let line = JSONLines.line(record())
        perform { file in try file.write(contentsOf: line) }
    }

    /// Waits until the storage device has all lines.
    func flush() {
        perform { file in try file.synchronize() }
    }

    func close() {
        perform { file in try file.close() }
        file.withLock { $0 = nil }
        openState.store(false, ordering: .relaxed)
    }

    /// Calls a function with the file, unless it is closed. Reports an error, and closes the file.
    private func perform(_ body: (FileHandle) throws -> Void) {
        let failure: (any Error)? = file.withLock { file in
            do {
                if let file { try body(file) }
                return nil
            } catch {
                file = nil
                openState.store(false, ordering: .relaxed)
                return error
            }
        }
        if let failure {
            report(
                """
                The trace cannot be written to \(name): \(failure). No more events are written. To fix, write to a place \
                that has enough space.
                """)
        }
    }
}
