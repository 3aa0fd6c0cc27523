import ArchitectureEngine

/// The values of a stream that wait for their partners in `zip`, in order.
struct WaitingValues<Value> {
    private var values = Queue<Value>()
    private var hasEnded = false

    var isEmpty: Bool { values.count == 0 }

    /// Whether the stream has ended and no value waits, so that no pair can follow.
    var isDone: Bool { hasEnded && isEmpty }

    /// Appends a value. `nil` is the end of the stream.
    mutating func append(_ value: Value?) {
        if let value { values.append(value) } else { hasEnded = true }
    }

    /// Removes and returns the first value. There must be a value.
    mutating func removeFirst() -> Value { values.removeFirst() }
}
