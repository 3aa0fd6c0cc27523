/// What emits events on its own: a change of the network, the ticks of a timer.
///
/// Events of the user interface do not come this way, but by `dispatchEvent` or from a view. Whoever implements it
/// releases what it holds and stops emitting when the subscription is disposed; what it emits afterwards is dropped by
/// the loop. Subscriptions are independent of one another.
///
/// Where the source is an `AsyncSequence`, there is nothing to implement: `withEventSource { ticks }`. After Mobius'
/// protocol of this name.
public protocol EventSource<Event>: Sendable {
    /// What it emits.
    associatedtype Event

    /// Begins to emit events to `consumer`, from any thread, until what is returned is disposed.
    func subscribe(consumer: @escaping Consumer<Event>) -> any Disposable
}

extension EventSource {
    /// This source with each event transformed. The transformation runs on the thread that emits.
    public func map<NewEvent>(_ transform: @escaping @Sendable (Event) -> NewEvent) -> AnyEventSource<NewEvent> {
        AnyEventSource { consumer in subscribe { consumer(transform($0)) } }
    }
}
