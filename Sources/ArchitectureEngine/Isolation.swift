/// The closure without its isolation. The caller makes each call in that isolation.
///
/// Unchecked: a synchronous function of type `@isolated(any)` is represented and called like any other. Its type only
/// makes each call `await` the isolation. `Observer` and `ActorQueue` make the calls in the isolation instead.
@inlinable
package func unisolated<Value>(
    _ body: @escaping @Sendable @isolated(any) (Value) -> Void
) -> @Sendable (Value) -> Void {
    // As fields: a closure that is a generic argument is wrapped in a second closure on the way in and out. That costs
    // two allocations for each observer, and time in each call.
    unsafeBitCast(Isolated(body), to: Unisolated.self).body
}

/// The same for a closure that takes nothing.
package func unisolated(_ body: @escaping @Sendable @isolated(any) () -> Void) -> @Sendable () -> Void {
    // Unchecked, and as fields: see above.
    unsafeBitCast(IsolatedCall(body: body), to: UnisolatedCall.self).body
}

/// The same for an error and its cause. Errors are rare, so the wrapping does not matter.
package func unisolated<Cause>(
    _ body: @escaping @Sendable @isolated(any) (any Error, Cause) -> Void
) -> (any Error, Cause) -> Void {
    // Unchecked: see above.
    unsafeBitCast(body, to: ((any Error, Cause) -> Void).self)
}

@frozen
@usableFromInline
struct Isolated<Value> {
    @usableFromInline let body: @Sendable @isolated(any) (Value) -> Void

    @inlinable
    init(_ body: @escaping @Sendable @isolated(any) (Value) -> Void) {
        self.body = body
    }
}

@frozen
@usableFromInline
struct Unisolated<Value> {
    @usableFromInline let body: @Sendable (Value) -> Void
}

private struct IsolatedCall {
    let body: @Sendable @isolated(any) () -> Void
}

private struct UnisolatedCall {
    let body: @Sendable () -> Void
}
