/// The loggers of a loop as one logger, which forwards to each of them in order.
@usableFromInline
package struct AnyMobiusLogger<Model, Event, Effect>: MobiusLogger {
    // The functions that a loop calls for each event are inlinable, because unspecialized code looks up the type of the
    // loggers in each call.
    @usableFromInline let loggers: [any MobiusLogger<Model, Event, Effect>]

    @usableFromInline package let usesPreviousModel: Bool

    package init(_ logger: some MobiusLogger<Model, Event, Effect>) {
        self.init(all: [logger])
    }

    package init(all loggers: [any MobiusLogger<Model, Event, Effect>]) {
        self.loggers = loggers
        usesPreviousModel = loggers.contains { $0.usesPreviousModel }
    }

    @usableFromInline
    package func willInitiate(model: Model) {
        for logger in loggers { logger.willInitiate(model: model) }
    }

    @usableFromInline
    package func didInitiate(model: Model, first: First<Model, Effect>) {
        for logger in loggers { logger.didInitiate(model: model, first: first) }
    }

    @inlinable
    package func willUpdate(model: Model, event: Event) {
        for logger in loggers { logger.willUpdate(model: model, event: event) }
    }

    @inlinable
    package func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) {
        for logger in loggers { logger.didUpdate(model: model, event: event, next: next) }
    }

    @inlinable
    package func didUpdate(event: Event, next: Next<Model, Effect>) {
        for logger in loggers { logger.didUpdate(event: event, next: next) }
    }

    @usableFromInline
    package func didDrop(event: Event) {
        for logger in loggers { logger.didDrop(event: event) }
    }
}
