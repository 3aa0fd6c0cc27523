import ArchitectureEngine
package import FunctionalCore

extension Component {
    /// The owner that stands for the component in the events of its trace, or `nil` if there is no trace.
    package var traceOwner: TraceEvent.Owner? { runtime.core.tracer?.owner }

    /// The executor of the component's tasks; `nil` is the global executor.
    package var executor: (any TaskExecutor)? { runtime.core.scheduler.executor }

    /// Returns whether no thread processes messages. If one does, calls `body` in turn.
    package func isIdle(orPost body: @escaping @Sendable () -> Void) -> Bool { runtime.isIdle(orPost: body) }
}
