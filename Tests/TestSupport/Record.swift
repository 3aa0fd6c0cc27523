/// Values in the order in which tasks and threads wrote them.
public final class Record<Value: Sendable>: Sendable {
    private let storage = Guarded<[Value]>([])

    public init() {}

    public var values: [Value] {
        storage.withLock { $0 }
    }

    public func append(_ value: Value) {
        storage.withLock { $0.append(value) }
    }

    /// Releases the values, for a record that is held by one of them.
    public func removeAll() {
        // Released after the lock.
        let values = storage.withLock { values in
            defer { values = [] }
            return values
        }
        withExtendedLifetime(values) {}
    }
}
