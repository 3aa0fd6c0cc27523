/// The receiver of a stream's values and of its end.
///
/// Unchecked: the closures are only called while the store processes a message, and one thread at a time processes
/// messages. Otherwise the values that they capture would race.
@usableFromInline
struct Subscriber<Value>: @unchecked Sendable {
    /// Receives each value. The operator that starts a stream builds it, and the operator or the source before it calls
    /// it. `StoreRuntime.start(_:in:)` builds that of the last operator, which dispatches the actions of the effect.
    @usableFromInline let receive: (Value) -> Void
    /// Called when the stream ends, with the error if it has failed.
    @usableFromInline let complete: ((any Error)?) -> Void

    @inlinable
    init(receive: @escaping (Value) -> Void, complete: @escaping ((any Error)?) -> Void) {
        self.receive = receive
        self.complete = complete
    }
}

extension Subscriber {
    /// Returns a subscriber that ends `run` when its stream ends, and ignores all later values and ends.
    func ending(_ run: StreamRun) -> Subscriber {
        Subscriber(
            receive: { [receive] value in if !run.isOver { receive(value) } },
            complete: { [complete] error in
                if run.isOver { return }
                run.end()
                complete(error)
            }
        )
    }
}
