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

    private static let current = DispatchSpecificKey<ObjectIdentifier>()
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
        queue.setSpecific(key: Self.current, value: ObjectIdentifier(queue))
        Self.open.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// Whether the queue calls the current function: a description or a `deinit` of the user.
    private var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(queue) }

    /// Enqueues an event, or drops it.
    func receive(_ event: TraceEvent) {
        if !file.isOpen { return }
        if !takePlace() {
            return gap.withLock { $0 = TraceRecord(gapOf: ($0?.missingEvents ?? 0) + 1, endingWith: event) }
        }
        let gap = takeGap()
        queue.async { [self] in
            if let gap { file.write(gap) }
            file.write(TraceRecord(event))
            places.signal()
        }
    }

    /// Calls a function after all events that were received have been written. Waits for its end, unless the queue itself
    /// would have to wait.
    func afterAll(_ body: @escaping @Sendable (LineFile) -> Void) {
        let end = { @Sendable [self] in
            if let gap = takeGap() { file.write(gap) }
            body(file)
        }
        if isCurrent { queue.async(execute: end) } else { queue.sync(execute: end) }
    }

    /// Writes all events that were received, and closes the file.
    func close() {
        afterAll { $0.close() }
        Self.open.withLock { $0[ObjectIdentifier(self)] = nil }
    }

    private func takePlace() -> Bool {
        // Time 0 is "now" for the semaphore, and makes no call of the system. `now()` would be a time that has passed.
        if places.wait(timeout: DispatchTime(uptimeNanoseconds: 0)) == .success { return true }
        // Waiting on the queue would never end.
        if overflow == .drop || isCurrent { return false }
        places.wait()
        return true
    }

    private func takeGap() -> TraceRecord? {
        gap.withLock { gap in
            defer { gap = nil }
            return gap
        }
    }
}
