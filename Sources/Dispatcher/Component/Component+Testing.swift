import ArchitectureEngine
package import FunctionalCore

extension Component {
    /// The component in the events of its trace; `nil` without a trace.
    package var traceOwner: TraceEvent.Owner? { runtime.core.tracer?.owner }

    /// The executor of the component's tasks.
    package var executor: (any TaskExecutor)? { runtime.core.scheduler.executor }
}
