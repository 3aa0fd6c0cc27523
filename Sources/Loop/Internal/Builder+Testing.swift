// Used by the test driver of ArchitectureTesting.

extension Mobius.Builder {
    /// Returns a builder with one more logger.
    package func adding(_ logger: some MobiusLogger<Model, Event, Effect>) -> Mobius.Builder<Model, Event, Effect> {
        setup.logger.map { withLogger(AnyMobiusLogger(all: [$0, logger])) } ?? withLogger(logger)
    }
}
