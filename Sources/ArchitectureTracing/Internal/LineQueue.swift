import Dispatch
import Foundation
import FunctionalCore

/// A queue that describes and writes events in the background, and limits the number of events that wait. Thread-safe.
final class LineQueue: Sendable {
    private let file: LineFile
    private let queue: DispatchQueue
    private let overflow: JSONLinesFile.Overflow
    /// A semaphore that counts the events that may still be enqueued.
    private let places: DispatchSemaphore
    /// The record of the events that were dropped since the last event was enqueued, or `nil` if none was dropped.
    private let gap = Locked<TraceRecord?>(nil)

    private static let current = DispatchSpecificKey<Bool>()
    /// The queues whose file is open. A process that exits closes their files.
    private static let open: Locked<[ObjectIdentifier: LineQueue]> = {
        atexit { for queue in LineQueue.open.withLock({ $0 }).values { queue.close() } }
        return Locked([:])
    }()

    /// Creates a queue that writes to `file`. Traps if `capacity` is negative.
    ///
    /// - Parameter queue: A serial dispatch queue that nothing else uses.
    init(_ file: LineFile, on queue: DispatchQueue, capacity: Int, _ overflow: JSONLinesFile.Overflow) {
        checkCount(capacity, of: "The capacity of a JSONLinesFile")
        (self.file, self.queue, self.overflow) = (file, queue, overflow)
        places = DispatchSemaphore(value: max(1, capacity))
        queue.setSpecific(key: Self.current, value: true)
        Self.open.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// Whether the caller runs on the queue of a file, in a description or a `deinit` of the user. Such a caller must
    /// not wait, because two queues could wait for each other.
    private static var isCurrent: Bool { DispatchQueue.getSpecific(key: current) == true }

    /// Enqueues an event, unless the file is closed. If the maximum number of events wait, waits or drops the event;
    /// see `JSONLinesFile.Overflow`.
    func receive(_ event: TraceEvent) {
        if !file.isOpen { return }
        if !takePlace() {
            return gap.withLock { $0 = TraceRecord(gapOf: ($0?.missingEvents ?? 0) + 1, endingWith: event) }
        }
        enqueue { [places] file in
            file.write(event)
            places.signal()
        }
    }

    /// Calls `body` after all events that were received have been written, and waits until `body` returns. Does not
    /// wait if the caller runs on the queue of a file.
    func afterAll(_ body: @escaping @Sendable (LineFile) -> Void) {
        let end = { @Sendable [gap] (file: LineFile) in
            // The descriptions of the earlier events may have caused events that were dropped.
            if let gap = gap.withLock({ $0.take() }) { file.write(gap: gap) }
            body(file)
        }
        if Self.isCurrent { return queue.async { [file] in end(file) } }
        enqueue(end)
        queue.sync {}
    }

    /// Writes all events that were received, and closes the file. Waits as `afterAll(_:)` does.
    func close() {
        afterAll { $0.close() }
        Self.open.withLock { $0[ObjectIdentifier(self)] = nil }
    }

    private func takePlace() -> Bool {
        // The semaphore treats the time 0 as "now", and makes no system call. It would treat `now()` as a time that has
        // passed.
        if places.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) == .success { return true }
        if overflow == .drop || Self.isCurrent { return false }
        places.wait()
        return true
    }

    /// Enqueues a call of `body`, which first writes the record of the gap, if there is one. The gap is taken and the
    /// call is enqueued in one step, so that no other event comes between them.
    private func enqueue(_ body: @escaping @Sendable (LineFile) -> Void) {
        gap.withLock { gap in
            queue.async { [file, gap] in
                if let gap { file.write(gap: gap) }
                body(file)
            }
            gap = nil
        }
    }
}
