/// A builder that combines several event sources into one.
///
/// ```swift
/// let sources = CompositeEventSourceBuilder<Event>()
///     .addEventSource(network)
///     .addEventSource(timer)
///     .build()
/// ```
///
/// A builder is a value: adding a source returns a new builder.
public struct CompositeEventSourceBuilder<Event>: Sendable {
    private let sources: [AnyEventSource<Event>]

    /// Creates a builder without sources, whose event source emits nothing.
    public init() {
        self.init([])
    }

    private init(_ sources: [AnyEventSource<Event>]) {
        self.sources = sources
    }

    /// Returns a builder with one more source.
    public func addEventSource(_ source: some EventSource<Event>) -> CompositeEventSourceBuilder {
        CompositeEventSourceBuilder(sources + [AnyEventSource(source)])
    }

    /// Returns an event source that emits the events of all sources.
    ///
    /// Disposing a subscription to this source disposes the subscriptions to all sources.
    public func build() -> AnyEventSource<Event> {
        let sources = sources
        return AnyEventSource { consumer in
            CompositeDisposable(disposables: sources.map { $0.subscribe(consumer: consumer) })
        }
    }
}
