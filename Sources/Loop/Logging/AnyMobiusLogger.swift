/// Any logger, by the types of its loop alone; and any number of them as one.
public struct AnyMobiusLogger<Model, Event, Effect>: MobiusLogger {
    private let loggers: [any MobiusLogger<Model, Event, Effect>]

    /// The same as `logger`.
    public init(_ logger: some MobiusLogger<Model, Event, Effect>) {
        loggers = [logger]
    }

    /// All of `loggers`, each told in this order.
    public init(all loggers: [any MobiusLogger<Model, Event, Effect>]) {
        self.loggers = loggers
    }

    /// Tells each.
    public func willInitiate(model: Model) {
        for logger in loggers { logger.willInitiate(model: model) }
    }

    /// Tells each.
    public func didInitiate(model: Model, first: First<Model, Effect>) {
        for logger in loggers { logger.didInitiate(model: model, first: first) }
    }

    /// Tells each.
    public func willUpdate(model: Model, event: Event) {
        for logger in loggers { logger.willUpdate(model: model, event: event) }
    }

    /// Tells each.
    public func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) {
        for logger in loggers { logger.didUpdate(model: model, event: event, next: next) }
    }
}
