import Loop
import TestSupport

/// An effect handler that emits when a test calls `emit(_:)`. Unlike a correct handler, it never releases its
/// consumers.
final class ManualHandler<Effect: Sendable, Event: Sendable>: Connectable, Sendable {
    private let consumers = Record<Consumer<Event>>()
    private let accepted = Record<Effect>()
    private let disposals = Record<Void>()
    private let first: [Event]
    private let onAccept: @Sendable (Effect, Consumer<Event>) -> Void
    private let onDispose: @Sendable () -> Void

    /// - Parameters:
    ///   - first: The events that it emits while it is being connected.
    ///   - onAccept: Called for each effect.
    ///   - onDispose: Called when a connection is disposed.
    init(
        emitting first: [Event] = [],
        onDispose: @escaping @Sendable () -> Void = {},
        onAccept: @escaping @Sendable (Effect, Consumer<Event>) -> Void = { _, _ in }
    ) {
        self.first = first
        self.onAccept = onAccept
        self.onDispose = onDispose
    }

    var effects: [Effect] { accepted.values }
    var disposalCount: Int { disposals.values.count }

    func emit(_ event: Event) {
        for consumer in consumers.values { consumer(event) }
    }

    func connect(_ consumer: @escaping Consumer<Event>) -> Connection<Effect> {
        consumers.append(consumer)
        for event in first { consumer(event) }
        return Connection(
            acceptClosure: { [self] effect in
                accepted.append(effect)
                onAccept(effect, consumer)
            },
            disposeClosure: { [self] in
                disposals.append(())
                onDispose()
            }
        )
    }
}
