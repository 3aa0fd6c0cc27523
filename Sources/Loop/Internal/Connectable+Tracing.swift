import ArchitectureEngine
import FunctionalCore

extension LoopRuntime {
    /// Connects the effect handler or the event source. A router counts its work for this loop, and both report their
    /// errors to its observer.
    @usableFromInline
    func connect<Value>(
        _ connectable: AnyConnectable<Value, Event>, as source: TraceEvent.Source,
        sendingTo consumer: @escaping Consumer<Event>
    ) -> Connection<Value> {
        // This code is not specialized: `setup` would be copied as a whole, and `connect(as:sendingTo:)` looks types up.
        let loop = ConnectingLoop(
            settling: core.settling, tracer: core.tracer, errorObserver: sharedSetup.value.errorObserver,
            executor: sharedSetup.value.executor)
        return ConnectingLoop.$current.withValue(loop) {
            core.tracer == nil ? connectable.connect(consumer) : connectable.connect(as: source, sendingTo: consumer)
        }
    }
}

extension Connectable {
    /// Connects for the loop that connects now. If the loop has a trace, the connection is a work in it, and so is each
    /// effect. The work is the cause of the events that come from a thread without a cause. What an event source does
    /// when it accepts a model keeps the cause of the model.
    ///
    /// A router records its effects itself. Its connection is no work.
    ///
    /// - Parameter source: `effect` for a connectable that accepts effects, and `eventSource` for one that accepts models.
    func connect(
        as source: TraceEvent.Source, sendingTo consumer: @escaping Consumer<Output>
    ) -> Connection<Input> {
        guard var loop = ConnectingLoop.current, let tracer = loop.tracer, let tracedType else {
            return connect(consumer)
        }
        let work: TracedWork? = tracer.begin(TracedConnection(type: "\(tracedType)"), source)
        loop.work = work
        let connection = ConnectingLoop.$current.withValue(loop) {
            work.run {
                connect { event in
                    if TraceCause.current == nil { work.run { consumer(event) } } else { consumer(event) }
                }
            }
        }
        work?.suspend()
        return Connection(
            acceptClosure: { value in
                if source == .eventSource { return work.answer { connection.accept(value) } }
                // When a connectable has handled an effect is not known. It has when it has accepted the effect.
                let accepting: TracedWork? = tracer.begin(tracer.part(value), source)
                accepting.run { connection.accept(value) }
                accepting?.end()
            },
            disposeClosure: {
                work?.cancel()
                connection.dispose()
            }
        )
    }
}

/// The subject of the work that stands for a connection in a trace. It lasts until the loop ends.
package struct TracedConnection: Sendable, CustomStringConvertible, CustomReflectable {
    let type: String

    package var description: String { type }

    /// No parts, so that no redaction finds the text.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
