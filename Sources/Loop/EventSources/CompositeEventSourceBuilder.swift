/// Makes one event source of several.
///
/// ```swift
/// let sources = CompositeEventSourceBuilder<Event>()
///     .addEventSource(network)
///     .addEventSource(timer)
///     .build()
/// ```
///
/// A value: adding a source leaves the builder that it is added to as it was.
public struct CompositeEventSourceBuilder<Event>: Sendable {
    private let sources: [AnyEventSource<Event>]

    /// A builder without sources. What it builds emits nothing.
    public init() {
        self.init([])
    }

    private init(_ sources: [AnyEventSource<Event>]) {
        self.sources = sources
    }

    /// The same builder with one source more.
    public func addEventSource(_ source: some EventSource<Event>) -> CompositeEventSourceBuilder {
        CompositeEventSourceBuilder(sources + [AnyEventSource(source)])
    }

    /// The source that emits what all of them emit. Disposing a subscription disposes those of all.
    public func build() -> AnyEventSource<Event> {
        let sources = sources
        return AnyEventSource { consumer in
            CompositeDisposable(disposables: sources.map { $0.subscribe(consumer: consumer) })
        }
    }
}
