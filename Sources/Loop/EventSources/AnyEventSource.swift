/// A type-erased event source.
public struct AnyEventSource<Event>: EventSource {
    private let subscribeClosure: @Sendable (@escaping Consumer<Event>) -> any Disposable

    /// Creates an event source that calls `subscribe` for each subscription; see ``EventSource/subscribe(consumer:)``.
    public init(_ subscribe: @escaping @Sendable (@escaping Consumer<Event>) -> any Disposable) {
        subscribeClosure = subscribe
    }

    /// Creates an event source that forwards to `base`.
    public init<Base: EventSource>(_ base: Base) where Base.Event == Event {
        self.init { base.subscribe(consumer: $0) }
    }

    /// Creates a subscription with the closure or the source that this value was created with.
    public func subscribe(consumer: @escaping Consumer<Event>) -> any Disposable {
        subscribeClosure(consumer)
    }
}
