/// A value that is written once, from any thread, and awaited at most once.
@usableFromInline
package final class OneShot<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        /// The value has been written. It is `nil` if `wait` has returned it.
        case complete(Value?)
    }

    @usableFromInline
    let state = Locked(State.empty)

    @inlinable
    package init() {}

    // Inlinable, so that it is specialized together with the other methods.
    @inlinable
    deinit {}

    /// Writes the value. If a value has already been written, the call changes nothing.
    @inlinable
    package func complete(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .complete(value)
                return nil
            case .awaited(let waiting):
                state = .complete(nil)
                return waiting
            case .complete:
                return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// The value, or `nil` if it has not been written. Not available after `wait`, which takes the value.
    @inlinable
    package var current: Value? {
        state.withLock { if case .complete(let value) = $0 { value } else { nil } }
    }

    /// Suspends until the value has been written. May be called once.
    @inlinable
    package nonisolated(nonsending) func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                guard case .complete(let value) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .complete(nil)
                return value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
