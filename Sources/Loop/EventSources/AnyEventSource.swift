/// Any event source, by its events alone.
public struct AnyEventSource<Event>: EventSource {
    private let subscribeClosure: @Sendable (@escaping Consumer<Event>) -> any Disposable

    /// The source that `subscribe` makes subscriptions for.
    public init(_ subscribe: @escaping @Sendable (@escaping Consumer<Event>) -> any Disposable) {
        subscribeClosure = subscribe
    }

    /// The same as `base`.
    public init<Base: EventSource>(_ base: Base) where Base.Event == Event {
        self.init { base.subscribe(consumer: $0) }
    }

    /// Subscribes to what this was made of.
    public func subscribe(consumer: @escaping Consumer<Event>) -> any Disposable {
        subscribeClosure(consumer)
    }
}
