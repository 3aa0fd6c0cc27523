public import ArchitectureEngine

/// The accepting side of a connection to a ``Connectable``.
///
/// Each closure is called in its isolation. By default, this is the isolation of the code that creates the closure:
/// - Closures on the main actor are called synchronously if the caller is on the main thread and no earlier call is
///   pending. Otherwise they are called asynchronously, in order.
/// - Closures on another actor are called on that actor, asynchronously and in order.
/// - Closures without isolation are called on the thread that calls ``accept(_:)`` or ``dispose()``. A loop makes these
///   calls on one thread at a time, and disposes a connection once.
///
/// After the disposal, ``accept(_:)`` still calls the accepting closure, which decides what happens to the value.
/// Asynchronous calls on an actor are an exception: none begins after the disposal, not even a pending one. A loop
/// passes no values to a disposed connection.
///
/// Releasing a connection does not dispose it, with one exception: a connection of an ``EffectRouter`` or an
/// ``EffectSwitch`` ends when its last copy is released.
public struct Connection<Value: Sendable>: Disposable {
    // The connectable builds it, for example in `EffectRouter.connect(_:)`, and `accept(_:)` calls it. A loop passes its
    // effects in `LoopRuntime.pass(_:)`.
    @usableFromInline let acceptClosure: @Sendable (Value) -> Void
    private let disposeClosure: @Sendable () -> Void

    /// Creates a connection from two closures.
    ///
    /// - Parameters:
    ///   - acceptClosure: A closure that accepts a value.
    ///   - disposeClosure: A closure that releases the resources of the connection.
    public init(
        @_inheritActorContext acceptClosure: @escaping @Sendable @isolated(any) (Value) -> Void,
        @_inheritActorContext disposeClosure: @escaping @Sendable @isolated(any) () -> Void
    ) {
        let (accept, dispose) = (unisolated(acceptClosure), unisolated(disposeClosure))
        if acceptClosure.isolation == nil, disposeClosure.isolation == nil {
            (self.acceptClosure, self.disposeClosure) = (accept, dispose)
            return
        }
        let acceptQueue = acceptClosure.isolation.map { ActorQueue(of: $0) }
        // Both closures share a queue if they have the same actor, so that pending calls keep their order.
        let isShared = acceptClosure.isolation === disposeClosure.isolation
        let disposeQueue = isShared ? acceptQueue : disposeClosure.isolation.map { ActorQueue(of: $0) }
        let disposal = Cancellation()
        if let acceptQueue {
            self.acceptClosure = { value in
                if acceptQueue.isOpenHere { return accept(value) }
                acceptQueue.post { if !disposal.isCancelled { accept(value) } }
            }
        } else {
            self.acceptClosure = accept
        }
        self.disposeClosure = {
            disposal.cancel()
            guard let disposeQueue, !disposeQueue.isOpenHere else { return dispose() }
            disposeQueue.post(dispose)
        }
    }

    /// Passes `value` to the connectable.
    @inlinable
    public func accept(_ value: Value) {
        acceptClosure(value)
    }

    /// Ends the connection.
    public func dispose() {
        disposeClosure()
    }
}

/// A function that consumes values. It may be called from any thread.
public typealias Consumer<Value> = @Sendable (Value) -> Void

/// A consumer of the events of a loop. The second argument is `nil`, or the flag that is cancelled when a policy cancels
/// or replaces the effect that sends the event. The loop then drops the event if it still waits.
@usableFromInline typealias EventConsumer<Event> = @Sendable (Event, Cancellation?) -> Void

/// A function that wraps a consumer in another consumer.
public typealias ConsumerTransformer<Value> = @Sendable (@escaping Consumer<Value>) -> Consumer<Value>
