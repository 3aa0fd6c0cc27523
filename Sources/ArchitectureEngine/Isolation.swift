/// The closure as one that says nothing of its isolation: who calls it is in that isolation, or there is none.
///
/// Unsafe by name. A synchronous function of type `@isolated(any)` is represented and called as any other; the type
/// makes each call `await` the isolation, which `Observer` and `ActorQueue` see to in the place of the compiler.
@inlinable
package func unisolated<Value>(
    _ body: @escaping @Sendable @isolated(any) (Value) -> Void
) -> @Sendable (Value) -> Void {
    // One representation, see above.
    unsafeBitCast(IsolatedConsumer(body), to: UnisolatedConsumer.self).body
}

/// The same for a closure that takes nothing.
@inlinable
package func unisolated(_ body: @escaping @Sendable @isolated(any) () -> Void) -> @Sendable () -> Void {
    // One representation, see above.
    unsafeBitCast(IsolatedAction(body), to: UnisolatedAction.self).body
}

/// The same for an error and what caused it.
@inlinable
package func unisolated<Cause>(
    _ body: @escaping @Sendable @isolated(any) (any Error, Cause) -> Void
) -> (any Error, Cause) -> Void {
    // One representation, see above. Not as a field: so few are told of failures that the wrapping does not matter.
    unsafeBitCast(body, to: ((any Error, Cause) -> Void).self)
}

// Closures as fields, and not by themselves: as generic arguments they would be wrapped twice, which costs two
// allocations for each, and time in each call.

@frozen
@usableFromInline
struct IsolatedConsumer<Value> {
    @usableFromInline let body: @Sendable @isolated(any) (Value) -> Void

    @inlinable
    init(_ body: @escaping @Sendable @isolated(any) (Value) -> Void) {
        self.body = body
    }
}

@frozen
@usableFromInline
struct UnisolatedConsumer<Value> {
    @usableFromInline let body: @Sendable (Value) -> Void
}

@frozen
@usableFromInline
struct IsolatedAction {
    @usableFromInline let body: @Sendable @isolated(any) () -> Void

    @inlinable
    init(_ body: @escaping @Sendable @isolated(any) () -> Void) {
        self.body = body
    }
}

@frozen
@usableFromInline
struct UnisolatedAction {
    @usableFromInline let body: @Sendable () -> Void
}

extension Observer {
    /// One whose `body` belongs to `isolation`. Those of the main actor share `actorQueue`, so that they are called in the
    /// order they registered there, too; another actor's has one of its own.
    @inlinable
    package convenience init(
        isolation: (any Actor)?,
        by actorQueue: ActorQueue,
        until cancellation: Cancellation = Cancellation(),
        _ body: @escaping (State) -> Void
    ) {
        guard let isolation else {
            self.init(cancellation) { body($0.pointee) }
            return
        }
        let actorQueue = actorQueue.counterpart(on: isolation)
        self.init(cancellation) { state in
            if actorQueue.isOpenHere { return body(state.pointee) }
            let state = state.pointee
            actorQueue.post { if !cancellation.isCancelled { body(state) } }
        }
    }
}
