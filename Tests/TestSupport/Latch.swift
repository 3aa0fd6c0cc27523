/// A wait that cancellation does not end. It lasts until the latch has been counted down to zero.
public final class Latch: Sendable {
    private let state: Guarded<(count: Int, waiters: [CheckedContinuation<Void, Never>])>

    public init(count: Int = 1) {
        state = Guarded((count, []))
    }

    /// Resumes all waiting callers when it has been called `count` times. Later callers do not wait.
    public func countDown() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count <= 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the count is zero.
    public func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count <= 0
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Counts down, and waits for the others.
    public func arrive() async {
        countDown()
        await pass()
    }
}
