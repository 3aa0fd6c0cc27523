/// An event source of an asynchronous sequence.
///
/// Each subscription creates a sequence and consumes it in a task, which is cancelled with the subscription. The task
/// sends the events.
struct AsyncEventSource<Events: AsyncSequence & SendableMetatype>: EventSource
where Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
    private let makeEvents: @Sendable () -> Events

    /// Creates a source that calls `events` for each subscription.
    init(_ events: @escaping @Sendable () -> Events) {
        makeEvents = events
    }

    /// Starts a task that consumes a sequence.
    func subscribe(consumer: @escaping Consumer<Events.Element>) -> any Disposable {
        let task = Task { [makeEvents] in
            for await event in makeEvents() {
                // A sequence may ignore the cancellation of its task. Its further events are dropped.
                if Task.isCancelled { break }
                consumer(event)
            }
        }
        return task.asDisposable
    }
}
