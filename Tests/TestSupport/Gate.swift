/// Lets `async` steps go on when a test says so.
public actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    public init() {}

    /// Lets everybody pass, now and later.
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
