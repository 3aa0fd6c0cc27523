/// A gate at which asynchronous code waits until a test opens it.
public actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    public init() {}

    /// Resumes all waiting callers. Later callers do not wait.
    public func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Waits until the gate is open.
    public func pass() async {
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }
}
