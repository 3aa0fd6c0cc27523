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
}
