import ArchitectureEngine

// The test driver of ArchitectureTesting uses these functions.

extension Mobius.Builder {
    /// Returns a builder with one more logger.
    package func adding(_ logger: some MobiusLogger<Model, Event, Effect>) -> Mobius.Builder<Model, Event, Effect> {
        setup.logger.map { withLogger(AnyMobiusLogger(all: [$0, logger])) } ?? withLogger(logger)
    }

    /// Returns a builder whose loops write no errors to standard error. Without an observer of errors, a loop only
    /// records errors in its trace, if it has one.
    package func withoutErrorOutput() -> Mobius.Builder<Model, Event, Effect> {
        setup.errorObserver == nil ? onError { _, _ in } : self
    }

    /// Returns a builder whose loops pass the report of a chain that they stop to `observer` instead of standard error.
    package func reportingStops(
        to observer: @escaping @Sendable (String) -> Void
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.stopObserver = observer }
    }

    /// Whether events pass through a transformer before they are processed.
    package var hasTransformer: Bool { isTransforming }
}

extension MobiusLoop {
    /// Whether the loop has been disposed, so that it accepts no events.
    package var hasEnded: Bool { runtime.isDisposed }

    /// Returns whether no thread processes messages. If one does, calls `body` in turn.
    package func isIdle(orPost body: @escaping @Sendable () -> Void) -> Bool { runtime.isIdle(orPost: body) }
}
