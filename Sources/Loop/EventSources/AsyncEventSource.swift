/// An event source of an asynchronous sequence.
///
/// Each subscription makes a sequence of its own and takes its events in a task, which is cancelled with the
/// subscription. The events come from that task's thread; where the sequence ends, no more come.
struct AsyncEventSource<Events: AsyncSequence & SendableMetatype>: EventSource
where Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
    private let makeEvents: @Sendable () -> Events

    /// The source of the sequences that `events` makes, one for each subscription.
    init(_ events: @escaping @Sendable () -> Events) {
        makeEvents = events
    }

    /// Begins a task that takes events.
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
