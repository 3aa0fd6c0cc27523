/// A type-erased logger, which forwards to one or several loggers.
public struct AnyMobiusLogger<Model, Event, Effect>: MobiusLogger {
    // The functions that a loop calls for each event are inlinable, because unspecialized code looks up the type of the
    // loggers in each call.
    @usableFromInline let loggers: [any MobiusLogger<Model, Event, Effect>]

    /// Whether one of the loggers uses the model as it was before an update.
    public let usesPreviousModel: Bool

    /// Creates a logger that forwards to `logger`.
    public init(_ logger: some MobiusLogger<Model, Event, Effect>) {
        self.init(all: [logger])
    }

    /// Creates a logger that forwards to all of `loggers`, in this order.
    public init(all loggers: [any MobiusLogger<Model, Event, Effect>]) {
        self.loggers = loggers
        usesPreviousModel = loggers.contains { $0.usesPreviousModel }
    }

    /// Calls each logger.
    public func willInitiate(model: Model) {
        for logger in loggers { logger.willInitiate(model: model) }
    }

    /// Calls each logger.
    public func didInitiate(model: Model, first: First<Model, Effect>) {
        for logger in loggers { logger.didInitiate(model: model, first: first) }
    }

    /// Calls each logger.
    @inlinable
    public func willUpdate(model: Model, event: Event) {
        for logger in loggers { logger.willUpdate(model: model, event: event) }
    }

    /// Calls each logger.
    @inlinable
    public func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) {
        for logger in loggers { logger.didUpdate(model: model, event: event, next: next) }
    }

    /// Calls each logger.
    @inlinable
    public func didUpdate(event: Event, next: Next<Model, Effect>) {
        for logger in loggers { logger.didUpdate(event: event, next: next) }
    }

    /// Calls each logger.
    public func didDrop(event: Event) {
        for logger in loggers { logger.didDrop(event: event) }
    }
}
