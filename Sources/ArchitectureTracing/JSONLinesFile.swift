public import Foundation
public import FunctionalCore

/// A sink that writes the events of a trace to a file of ``JSONLines``, while they happen. Thread-safe.
///
/// ```swift
/// let trace = Trace(to: try JSONLinesFile(at: URL(filePath: "feed.jsonl")))
/// let component = Component(initialState: Feed(), environment: (), trace: trace, dispatcher: feed)
/// ```
///
/// By default, values are described and events are written in the background. So what an event costs its thread does
/// not depend on the size of the state. If events happen faster than they are written, their threads wait or the events
/// are dropped; see ``Overflow``.
///
/// Each event is written by one call of the system. If the process crashes or no space is left, only the last line of
/// the file can be cut off. ``JSONLines/init(decoding:)`` reads such a file. After a crash, the last events may be
/// missing. To find the cause of a crash, choose ``Writing/immediately``.
///
/// Lines of several threads do not mix, and may be in another order than the numbers of their events.
public final class JSONLinesFile: TraceSink {
    /// When events are written.
    public enum Writing: Sendable, Hashable {
        /// Events are written before ``receive(_:)`` returns. If the process crashes, the file contains all events that
        /// happened before.
        ///
        /// The values of an event are described on the thread on which it happens.
        case immediately

        /// Events are described and written on a dispatch queue of the file, which begins with an event as soon as it
        /// arrives.
        ///
        /// If the process crashes, the events that wait are lost: at most `capacity`. The larger a state is, the longer
        /// an event may wait.
        ///
        /// An event that waits keeps its states alive. As with a `TraceBuffer`, the next change of a large collection
        /// in a state copies the collection.
        ///
        /// Values are described and released on the queue. A description or a `deinit` must not wait for a thread that
        /// sends, closes the file or exits: that thread may be waiting for the queue.
        ///
        /// - Parameters:
        ///   - capacity: The number of events that may wait. 0 counts as 1. Creating the file traps if the number is
        ///     negative.
        ///   - overflow: What happens to an event that arrives while `capacity` events wait.
        case inBackground(capacity: Int = 1_000, overflow: Overflow = .wait)
    }

    /// What happens to an event that arrives while the maximum number of events wait.
    public enum Overflow: Sendable, Hashable {
        /// The thread of the event waits until the file has written an earlier event. No event is lost.
        ///
        /// If a description or a `deinit` on the queue of a file causes the event, the event is dropped, because the
        /// wait might never end.
        case wait
        /// The event is dropped. A line of the kind ``TraceRecord/Kind-swift.enum/gap``, before the next event that is
        /// not dropped, contains the number of dropped events.
        case drop
    }

    private let file: LineFile
    /// The queue that writes events in the background, or `nil` if events are written immediately.
    private let queue: LineQueue?

    /// Creates a file, or empties it if it exists.
    ///
    /// - Parameters:
    ///   - url: The place of the file.
    ///   - writing: When events are written. The default is in the background, so that the trace does not slow down the
    ///     code that it records.
    /// - Throws: The error of Foundation if the file cannot be written.
    public convenience init(at url: URL, writing: Writing = .inBackground()) throws {
        try self.init(at: url, writing: writing, on: DispatchQueue(label: "JSONLinesFile"))
    }

    /// Creates a file that writes on `queue`, a serial queue that nothing else uses.
    package init(at url: URL, writing: Writing, on queue: DispatchQueue) throws {
        file = try LineFile(at: url)
        self.queue =
            switch writing {
            case .immediately: nil
            case .inBackground(let capacity, let overflow): LineQueue(file, on: queue, capacity: capacity, overflow)
            }
    }

    deinit { close() }

    /// Writes an event, or enqueues it.
    ///
    /// If an event cannot be written, the error is reported once on standard error, and the file is closed. Once the
    /// file is closed, events are not described.
    public func receive(_ event: TraceEvent) {
        if let queue { queue.receive(event) } else { file.write(event) }
    }

    /// Writes all events that were received, and waits until the storage device has them. A call on the queue of a file
    /// does not wait; see ``close()``.
    ///
    /// Other processes can read the events as soon as they are written. An error is treated as in ``receive(_:)``.
    public func flush() {
        if let queue { queue.afterAll { $0.flush() } } else { file.flush() }
    }

    /// Writes all events that were received, and closes the file. Later events are ignored.
    ///
    /// The calling thread waits until all these events are written, which takes long if many changes of a large state
    /// wait. The file is closed in the same way when the trace and its owners are deallocated, and when the process
    /// exits, also by `exit(_:)`. There is one exception: a call from a description or a `deinit` on the queue of a
    /// file does not wait. If such code exits the process, the events that wait are lost.
    public func close() {
        if let queue { queue.close() } else { file.close() }
    }
}
