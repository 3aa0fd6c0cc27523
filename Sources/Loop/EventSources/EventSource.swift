/// A source of events outside the loop, such as network changes or the ticks of a timer.
///
/// Events of the user interface do not need an event source: they are sent by `dispatchEvent` or by a view. For an
/// `AsyncSequence` there is nothing to implement; pass it to the builder, as in `withEventSource { ticks }`.
///
/// An implementation stops emitting and releases its resources when the subscription is disposed. The loop drops events
/// that are emitted later. Subscriptions must be independent of one another. The protocol is based on Mobius' protocol
/// of this name.
public protocol EventSource<Event>: Sendable {
    /// The events that the source emits.
    associatedtype Event

    /// Starts to emit events to `consumer`, from any thread, until the returned disposable is disposed.
    func subscribe(consumer: @escaping Consumer<Event>) -> any Disposable
}

extension EventSource {
    /// Returns this source with transformed events. The thread that emits an event calls `transform`.
    public func map<NewEvent>(_ transform: @escaping @Sendable (Event) -> NewEvent) -> AnyEventSource<NewEvent> {
        AnyEventSource { consumer in subscribe { consumer(transform($0)) } }
    }
}

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
