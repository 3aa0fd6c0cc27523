public import Foundation
public import FunctionalCore

/// A sink that writes the events of a trace to a file of ``JSONLines``, while they happen. Thread-safe.
///
/// ```swift
/// let trace = Trace(to: try JSONLinesFile(at: URL(filePath: "feed.jsonl")))
/// let component = Component(initialState: Feed(), environment: (), trace: trace, dispatcher: feed)
/// ```
///
/// Each event is written by one call of the system before `receive(_:)` returns. If the process crashes, the file contains
/// all events that happened before. Lines of several threads do not mix, and may be in another order than the numbers of
/// their events.
///
/// The values of an event are described on the thread on which it happens. For large states, switch the snapshots of the
/// trace off, or keep the events in a `TraceBuffer` and write them later.
public final class JSONLinesFile: TraceSink {
    private let name: String
    /// `nil` if the file is closed.
    private let file: Locked<FileHandle?>

    /// Creates a file, or empties it if it exists.
    ///
    /// - Throws: The error of Foundation if the file cannot be written.
    public init(at url: URL) throws {
        // Not atomically, which would replace a file that is no regular one.
        try Data().write(to: url)
        name = url.path
        file = Locked(try FileHandle(forWritingTo: url))
    }

    /// Writes an event.
    ///
    /// If it cannot be written, the error is reported once on standard error, and the file is closed.
    public func receive(_ event: TraceEvent) {
        let line = JSONLines.line(TraceRecord(event))
        perform { file in try file.write(contentsOf: line) }
    }

    /// Waits until the storage device has all events that were received.
    ///
    /// Other processes can read the events without that. An error is treated as in ``receive(_:)``.
    public func flush() {
        perform { file in try file.synchronize() }
    }

    /// Closes the file. Later events are ignored.
    ///
    /// The file is closed in any case when the trace and its owners are deallocated.
    public func close() {
        perform { file in try file.close() }
        file.withLock { $0 = nil }
    }

    /// Calls a function with the file, unless it is closed. Reports an error, and closes the file.
    private func perform(_ body: (FileHandle) throws -> Void) {
        let failure: (any Error)? = file.withLock { file in
            do {
                if let file { try body(file) }
                return nil
            } catch {
                file = nil
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
