public import FunctionalCore
public import VirtualTime

/// The executor and the trace with which a test driver creates what it drives.
public struct TestSetup: Sendable {
    /// The executor that the driver drains.
    public let executor: ManualExecutor
    /// The trace by which the driver follows what happens.
    public let trace: Trace
}
