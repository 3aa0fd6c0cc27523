/// An object that says when it is gone: for tests that nothing is left.
public final class Tracked: Sendable {
    private let counter: Counter

    /// Counts `Tracked` objects that are alive.
    public final class Counter: Sendable {
        private let alive = Guarded(0)

        public init() {}

        public var count: Int {
            alive.withLock { $0 }
        }

        fileprivate func add(_ number: Int) {
            alive.withLock { $0 += number }
        }
    }

    public init(_ counter: Counter) {
        self.counter = counter
        counter.add(1)
    }

    deinit { counter.add(-1) }
}
