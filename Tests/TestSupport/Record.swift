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

    /// Appends a value and returns it, so that a closure of one expression can record its argument.
    public func passing(_ value: Value) -> Value {
        append(value)
        return value
    }

    /// Removes and releases the values. This breaks the retain cycle if a value retains the record.
    public func removeAll() {
        // Released after the lock, because a deinitializer may use the record.
        let values = storage.withLock { values in
            defer { values = [] }
            return values
        }
        withExtendedLifetime(values) {}
    }
}

/// Lines in the order in which tasks and threads wrote them.
public typealias Log = Record<String>

extension Log {
    public var lines: [String] { values }

    /// Appends `line` when `body` has returned, or the error that it throws.
    public func append(_ line: String, after body: () async throws -> Void) async {
        do {
            try await body()
            append(line)
        } catch {
            append("\(error)")
        }
    }
}
