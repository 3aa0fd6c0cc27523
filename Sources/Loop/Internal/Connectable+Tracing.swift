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
        connect(as: source, sendingTo: consumer) { value in
            value
        } subject: { value, tracer in
            tracer.redacted(tracer.part(value))
        }
    }

    /// Connects this connectable as the target of a route of a loop that has a trace.
    func connect(routingTo consumer: @escaping Consumer<Output>) -> Connection<RoutedInput<Input>> {
        connect(as: .effect, sendingTo: consumer) { routed in
            routed.input
        } subject: { routed, _ in
            routed.effect.subject
        }
    }

    /// - Parameters:
    ///   - input: Returns the input for a value that the connection accepts.
    ///   - subject: Returns the subject of the work of the value.
    private func connect<Value: Sendable>(
        as source: TraceEvent.Source, sendingTo consumer: @escaping Consumer<Output>,
        accepting input: @escaping @Sendable (Value) -> Input,
        subject: @escaping @Sendable (Value, Tracer) -> TraceValue
    ) -> Connection<Value> {
        guard var loop = ConnectingLoop.current, let tracer = loop.tracer, let tracedType else {
            let connection = connect(consumer)
            return Connection(
                acceptClosure: { value in connection.accept(input(value)) },
                disposeClosure: { connection.dispose() }
            )
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
                if source == .eventSource { return work.answer { connection.accept(input(value)) } }
                // The loop does not know when a connectable has handled an effect. So the work ends when the effect is
                // accepted.
                let accepting: TracedWork? = tracer.begin(subject(value, tracer), source)
                accepting.run { connection.accept(input(value)) }
                accepting?.end()
            },
            disposeClosure: {
                work?.cancel()
                connection.dispose()
            }
        )
    }
}

/// The input for the target of a route, and its effect in the trace.
struct RoutedInput<Input: Sendable>: Sendable {
    let input: Input
    let effect: TracedEffect
}

/// The subject of the work of a connection in a trace. The work lasts until the loop ends.
package struct TracedConnection: Sendable, CustomStringConvertible, CustomReflectable {
    let type: String

    package var description: String { type }

    /// A mirror without children, so that no redaction removes the type.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
