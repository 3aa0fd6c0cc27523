// The test drivers of ArchitectureTesting use this function.

extension Trace {
    /// Returns a cause for messages that code outside of the owners of this trace is about to send. The cause is the
    /// root of the chain of events that these messages cause.
    package func outsideCause() -> TraceCause {
        TraceCause(in: recorder, by: nil, cause: nil, depth: 0, sender: .caller)
    }
}
