import ArchitectureEngine
import FunctionalCore

/// The data of a loop that its effect handler and its event source use after they are connected.
struct ConnectingLoop: Sendable {
    /// The counter of the handlers' finite work.
    let settling: Settling
    /// The recorder of the loop's trace, or `nil` if the loop has no trace.
    let tracer: Tracer?
    /// The observer of errors, or `nil` if the loop has no observer.
    let errorObserver: Mobius.ErrorObserver?
    /// The executor of the tasks of handlers and event sources that have no executor of their own; `nil` is the global
    /// executor.
    let executor: (any TaskExecutor)?
    /// The task-local values that work takes from the sender of its event, or `nil` if there are none.
    let carrying: CarriedValues?
    /// The work of the connection in the trace, or `nil` if the trace does not record the connection as a work.
    var work: TracedWork?

    /// The loop that is connecting its effect handler or its event source, or `nil` outside of such a call.
    ///
    /// It is not an argument, because a connectable may be any type that has `connect(_:)`.
    @TaskLocal static var current: ConnectingLoop?
}
