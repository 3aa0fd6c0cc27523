internal import FunctionalCore

/// Returns `body` as a function without isolation. The caller must make each call in the isolation of `body`.
///
/// Unchecked: a synchronous function of type `@isolated(any)` is represented and called like any other function. The
/// type only makes each caller `await` the isolation. `Observer` and `ActorQueue` make the calls in the isolation
/// instead. `CastCheck` verifies this assumption with a call of one such function. If the check fails, a task makes all
/// calls asynchronously.
@inlinable
package func unisolated<Value>(
    _ body: @escaping @Sendable @isolated(any) (Value) -> Void
) -> @Sendable (Value) -> Void {
    if !CastCheck.hasPassed { return { value in CastCheck.post(value, to: body) } }
    // The structs avoid a closure as a generic argument of the cast. The compiler would wrap such a closure in a second
    // closure before and after the cast, which costs two allocations for each observer, and time in each call.
    return unsafe unsafeBitCast(Isolated(body), to: Unisolated.self).body
}

/// Returns `body`, a function without parameters, as a function without isolation; see `unisolated(_:)` above.
package func unisolated(_ body: @escaping @Sendable @isolated(any) () -> Void) -> @Sendable () -> Void {
    if !CastCheck.hasPassed { return { CastCheck.post(body) } }
    // Unchecked, and with structs, for the reasons given above.
    return unsafe unsafeBitCast(IsolatedCall(body: body), to: UnisolatedCall.self).body
}

/// Returns `body`, a function of an error and its source, as a function without isolation; see `unisolated(_:)` above.
///
/// This function casts the closure itself, which wraps it in a second closure. Errors are rare, so the cost does not
/// matter.
package func unisolated<Cause>(
    _ body: @escaping @Sendable @isolated(any) (any Error, Cause) -> Void
) -> (any Error, Cause) -> Void {
    if !CastCheck.hasPassed {
        return { error, cause in
            let arguments = Posted(value: cause)
            CastCheck.post { await body(error, arguments.value) }
        }
    }
    // Unchecked: see above.
    return unsafe unsafeBitCast(body, to: ((any Error, Cause) -> Void).self)
}

/// A check of the cast that removes the isolation of a function, and the asynchronous calls that replace the cast if
/// the check fails.
@usableFromInline
enum CastCheck {
    /// Whether a function of type `@isolated(any)` can be called like a function without isolation. Checked once in a
    /// process.
    @usableFromInline
    static let hasPassed = SelfCheck.passes(
        {
            // The sizes are compared first, because a cast between types of different sizes traps.
            guard MemoryLayout<Isolated<Int>>.size == MemoryLayout<Unisolated<Int>>.size else { return false }
            let received = Locked(0)
            let isolated = Isolated<Int> { number in received.withLock { $0 = number } }
            // Unchecked: this is the cast that is checked. It has equal sizes, and the function has no isolation.
            unsafe unsafeBitCast(isolated, to: Unisolated<Int>.self).body(7)
            return received.withLock { $0 } == 7
        },
        otherwise: """
            The compiler calls isolated functions in another way than the library knows. Observers and handlers are now \
            called asynchronously, in the order of the changes.
            """)

    /// The continuation to which calls are posted. One task makes all posted calls, in order.
    private static let calls: AsyncStream<@Sendable () async -> Void>.Continuation = {
        let (stream, calls) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        Task.detached { for await call in stream { await call() } }
        return calls
    }()

    static func post(_ call: @escaping @Sendable () async -> Void) {
        calls.yield(call)
    }

    @usableFromInline
    static func post<Value>(_ value: Value, to body: @escaping @Sendable @isolated(any) (Value) -> Void) {
        let argument = Posted(value: value)
        post { await body(argument.value) }
    }
}

/// A value that is passed to an isolated function.
///
/// Unchecked: the caller does not use the value after it has been posted, as with `ActorQueue.post`.
private struct Posted<Value>: @unchecked Sendable {
    let value: Value
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
