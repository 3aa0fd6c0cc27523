import ArchitectureEngine
import FunctionalCore

// MARK: - Event sources

extension Mobius.Builder {
    /// Returns a builder with an event source. The source replaces any earlier event source.
    ///
    /// A loop subscribes to the source when it starts, and disposes the subscription when it ends. To use several
    /// sources, combine them with a ``CompositeEventSourceBuilder``.
    public func withEventSource<Source: EventSource>(_ source: Source) -> Mobius.Builder<Model, Event, Effect>
    where Source.Event == Event {
        withEventSource(named: Source.self) { consumer in source.subscribe(consumer: consumer) }
    }

    private func withEventSource(
        named type: Any.Type, _ subscribe: @escaping @Sendable (@escaping Consumer<Event>) -> any Disposable
    ) -> Mobius.Builder<Model, Event, Effect> {
        let connect = { @Sendable (consumer: @escaping EventConsumer<Event>) in
            let subscription = subscribe { consumer($0, nil) }
            return Connection<Model>(acceptClosure: { _ in }, disposeClosure: { subscription.dispose() })
        }
        return with { $0.eventSource = AnyConnectable(connect, of: nil, named: type) }
    }

    /// Returns a builder with an event source that depends on the model.
    ///
    /// The source replaces any earlier event source.
    ///
    /// The source accepts the model that a loop starts from, and then each new model, before the observers are
    /// notified.
    public func withEventSource<Source: Connectable & Sendable>(
        _ source: Source
    ) -> Mobius.Builder<Model, Event, Effect> where Source.Input == Model, Source.Output == Event {
        with { $0.eventSource = AnyConnectable(source) }
    }

    /// Returns a builder whose event source is an asynchronous sequence, which replaces any earlier event source.
    ///
    /// Each start of a loop creates a sequence. A task consumes it, and is cancelled with the loop. If the sequence
    /// ends or fails, the loop continues without it.
    ///
    /// ```swift
    /// .withEventSource { AsyncStream { … } }
    /// .withEventSource { socket.messages } onError: { error in .disconnected("\(error)") }
    /// ```
    ///
    /// - Parameters:
    ///   - events: A function that returns the sequence.
    ///   - onError: Returns the event to send if the sequence fails, or `nil` to send none. Called by the task. Without
    ///     it, the error is reported as ``onError(_:)`` documents.
    public func withEventSource<Events: AsyncSequence & SendableMetatype>(
        _ events: @escaping @Sendable () -> Events,
        onError: (@Sendable (any Error) -> Event?)? = nil
    ) -> Mobius.Builder<Model, Event, Effect>
    where Events.Element == Event, Events.AsyncIterator: SendableMetatype {
        withEventSource(named: Events.self) { consumer in
            let loop = ConnectingLoop.current
            let work = Work()
            work.startTask(in: SendContext(carrying: loop?.carrying), on: loop?.executor) {
                if Task.isCancelled { return }
                do {
                    for try await event in events() {
                        // A sequence may ignore the cancellation of its task. Its further events are dropped.
                        if Task.isCancelled { break }
                        consumer(event)
                    }
                } catch {
                    if onError == nil, !Task.isCancelled {
                        loop?.work?.fail(error)
                        Mobius.report(error, of: .eventSource, to: loop?.errorObserver, loop?.tracer)
                    }
                    if let onError, !Task.isCancelled, let event = event(for: error, by: onError) { consumer(event) }
                }
                if !Task.isCancelled { loop?.work?.end() }
            }
            return AnonymousDisposable { work.cancel() }
        }
    }
}
