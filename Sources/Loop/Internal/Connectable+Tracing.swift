import ArchitectureEngine
import FunctionalCore

extension Connectable {
    /// Connects this connectable to `ConnectingLoop.current`, and records the connection and each effect in the loop's
    /// trace, if there is one. Each is recorded as a `TracedWork`.
    ///
    /// An event that the connectable sends without a current cause is caused by the work of the connection. While an
    /// event source accepts a model, the cause of the model stays the current cause.
    ///
    /// Records nothing if `tracedType` is `nil`. A router or an effect switch records its effects itself.
    ///
    /// - Parameter source: `effect` for a connectable that accepts effects, and `eventSource` if it accepts models.
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
                // The loop does not know when a connectable has handled an effect. So the work ends when the effect is
                // accepted.
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

/// The subject of the work of a connection in a trace. The work lasts until the loop ends.
package struct TracedConnection: Sendable, CustomStringConvertible, CustomReflectable {
    let type: String

    package var description: String { type }

    /// A mirror without children, so that no redaction removes the type.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
