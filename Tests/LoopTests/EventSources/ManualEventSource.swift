import Loop
import TestSupport

/// An event source that emits when a test calls `emit(_:)`. Unlike a correct source, it never releases its consumers.
final class ManualEventSource<Event: Sendable>: EventSource {
    private let consumers = Record<Consumer<Event>>()
    private let disposals = Record<Void>()
    private let first: [Event]
    private let onDispose: @Sendable () -> Void

    /// - Parameters:
    ///   - first: The events that it emits during a subscription.
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
        // Unlike an `AnonymousDisposable`, it counts every disposal.
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
