import Loop
import TestSupport

/// An event source that emits when a test says so, and keeps its consumers for ever, as no source should.
final class ManualEventSource<Event: Sendable>: EventSource {
    private let consumers = Record<Consumer<Event>>()
    private let disposals = Record<Void>()
    private let first: [Event]
    private let onDispose: @Sendable () -> Void

    /// - Parameters:
    ///   - first: What it emits while it is being subscribed to.
    ///   - onDispose: Called when a subscription is disposed.
    init(emitting first: [Event] = [], onDispose: @escaping @Sendable () -> Void = {}) {
        self.first = first
        self.onDispose = onDispose
    }

    var disposalCount: Int { disposals.values.count }

    func emit(_ event: Event) {
        for consumer in consumers.values { consumer(event) }
    }

    func subscribe(consumer: @escaping Consumer<Event>) -> any Disposable {
        consumers.append(consumer)
        for event in first { consumer(event) }
        // Not one that sees to it that it is disposed once.
        return ManualSubscription { [self] in
            disposals.append(())
            onDispose()
        }
    }
}

private struct ManualSubscription: Disposable {
    let onDispose: @Sendable () -> Void

    func dispose() { onDispose() }
}
