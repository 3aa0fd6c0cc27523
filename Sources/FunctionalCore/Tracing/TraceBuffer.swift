/// A sink that keeps the last events of a trace. Thread-safe.
public final class TraceBuffer: TraceSink {
    private struct Events {
        var all: [TraceEvent] = []
        /// The index of the oldest event. It is 0 until the buffer is full.
        var first = 0
        var droppedCount = 0
    }

    private let capacity: Int
    private let events = Locked(Events())

    /// Creates a buffer for the last `capacity` events, at least one. Traps if `capacity` is negative.
    public init(capacity: Int = 10_000) {
        checkCount(capacity, of: "The capacity of a TraceBuffer")
        self.capacity = max(1, capacity)
    }

    /// Keeps an event, and releases the oldest event if the buffer is full.
    public func receive(_ event: consuming TraceEvent) {
        var event = event
        events.withLock { events in
            if events.all.count < capacity { return events.all.append(event) }
            swap(&events.all[events.first], &event)
            events.first += 1
            if events.first == capacity { events.first = 0 }
            events.droppedCount += 1
        }
        // The oldest event is released outside of the lock, because the deinitializer of a value in it may send a
        // message.
        withExtendedLifetime(event) {}
    }

    /// The events in the buffer, in the order of their numbers.
    ///
    /// - Complexity: O(n log n) in the number of events.
    public var all: [TraceEvent] {
        events.withLock { events in events.all[events.first...] + events.all[..<events.first] }.sorted { $0.id < $1.id }
    }

    /// The number of events that the buffer has released because it was full.
    public var droppedCount: Int { events.withLock { $0.droppedCount } }

    /// Releases all events.
    public func removeAll() {
        let released = events.withLock { events in
            defer { (events.all, events.first) = ([], 0) }
            return events.all
        }
        withExtendedLifetime(released) {}
    }
}
