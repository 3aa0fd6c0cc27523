public import FunctionalCore
public import VirtualTime

/// The executor and the trace for the component or the store that a test driver runs.
public struct TestSetup: Sendable {
    /// The executor that the driver drains.
    public let executor: ManualExecutor
    /// The trace through which the driver observes what happens.
    public let trace: Trace
}
