import Dispatch
import Foundation
import FunctionalCore

/// Describes and writes events on a queue, and limits how many of them wait. Thread-safe.
final class LineQueue: Sendable {
    private let file: LineFile
    private let queue: DispatchQueue
    private let overflow: JSONLinesFile.Overflow
    /// One for each event that may be enqueued.
    private let places: DispatchSemaphore
    /// The events that were dropped since the last one was enqueued.
    private let gap = Locked<TraceRecord?>(nil)

    private static let current = DispatchSpecificKey<Bool>()
    /// The queues whose file is open. A process that exits closes their files.
    private static let open: Locked<[ObjectIdentifier: LineQueue]> = {
        atexit { for queue in LineQueue.open.withLock({ $0 }).values { queue.close() } }
        return Locked([:])
    }()

    /// - Parameter queue: A serial queue that nothing else uses.
    init(_ file: LineFile, on queue: DispatchQueue, capacity: Int, _ overflow: JSONLinesFile.Overflow) {
        checkCount(capacity, of: "The capacity of a JSONLinesFile")
        (self.file, self.queue, self.overflow) = (file, queue, overflow)
        places = DispatchSemaphore(value: max(1, capacity))
        queue.setSpecific(key: Self.current, value: true)
        Self.open.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// Whether the queue of a file calls the current function: a description or a `deinit` of the user. If it waited, two
    /// queues could wait for each other.
    private static var isCurrent: Bool { DispatchQueue.getSpecific(key: current) == true }

    /// Enqueues an event, or drops it.
    func receive(_ event: TraceEvent) {
        if !file.isOpen { return }
        if !takePlace() {
            return gap.withLock { $0 = TraceRecord(gapOf: ($0?.missingEvents ?? 0) + 1, endingWith: event) }
        }
        enqueue { [places] file in
            file.write(TraceRecord(event))
            places.signal()
        }
    }

    /// Calls a function after all events that were received have been written. Waits for its end, unless the queue itself
    /// would have to wait.
    func afterAll(_ body: @escaping @Sendable (LineFile) -> Void) {
        let end = { @Sendable [gap] (file: LineFile) in
            // That of events that the descriptions of the events before have caused.
            if let gap = gap.withLock({ $0.take() }) { file.write(gap) }
            body(file)
        }
        if Self.isCurrent { return queue.async { [file] in end(file) } }
        enqueue(end)
        queue.sync {}
    }

    /// Writes all events that were received, and closes the file.
    func close() {
        afterAll { $0.close() }
        Self.open.withLock { $0[ObjectIdentifier(self)] = nil }
    }

    private func takePlace() -> Bool {
        // Time 0 is "now" for the semaphore, and makes no call of the system. `now()` would be a time that has passed.
        if places.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) == .success { return true }
        if overflow == .drop || Self.isCurrent { return false }
        places.wait()
        return true
    }

    /// Enqueues a function, after the gap before it. Both in one step, so that no other event comes between them.
    private func enqueue(_ body: @escaping @Sendable (LineFile) -> Void) {
        gap.withLock { gap in
            queue.async { [file, gap] in
                if let gap { file.write(gap) }
                body(file)
            }
            gap = nil
        }
    }
}
