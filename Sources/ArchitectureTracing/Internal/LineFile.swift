import Foundation
import FunctionalCore
import Synchronization

/// A file to which events are appended as lines, until it is closed or a line cannot be written. Thread-safe.
final class LineFile: Sendable {
    private let name: String
    private let file: Locked<FileHandle?>
    /// Whether the file has not been closed. Reading this flag does not wait for the file system.
    private let openState = Atomic(true)

    /// Creates a file, or empties it if it exists.
    ///
    /// - Throws: The error of Foundation if the file cannot be written.
    init(at url: URL) throws {
        name = url.path
        var status = stat()
        // Unchecked: the system keeps neither of the pointers.
        let isStream = unsafe stat(name, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        // A pipe is opened only once, because its reader would take the first closing for the end.
        if !isStream { try Data().write(to: url) }
        file = Locked(try FileHandle(forWritingTo: url))
    }

    private let knownStates = Locked(KnownStates())

    var isOpen: Bool { openState.load(ordering: .relaxed) }

    /// Writes the line of an event. If the file is closed, the event is not described.
    func write(_ event: TraceEvent) {
        if !isOpen { return }
        write(TraceRecord(event, withState: knownStates.withLock { $0.lacksState(of: event) }))
    }

    /// Writes the line of a gap. The states after it are unknown.
    func write(gap: TraceRecord) {
        knownStates.withLock { $0 = KnownStates() }
        write(gap)
    }

    /// Writes the line of a record in one system call.
    private func write(_ record: TraceRecord) {
        let line = JSONLines.line(record)
        perform { file in try file?.write(contentsOf: line) }
    }

    /// Waits until the storage device has stored all lines.
    func flush() {
        perform { file in try file?.synchronize() }
    }

    func close() {
        perform { file in
            // Another thread must not write to a handle that is closed.
            let closing = file.take()
            openState.store(false, ordering: .relaxed)
            try closing?.close()
        }
    }

    /// Calls `body` with the file, or with `nil` if it is closed. If `body` throws, closes the file and reports the error.
    private func perform(_ body: (inout FileHandle?) throws -> Void) {
        let failure: (any Error)? = file.withLock { file in
            do {
                try body(&file)
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
