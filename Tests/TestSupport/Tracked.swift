/// An object that is counted while it is alive, for tests that nothing leaks.
public final class Tracked: Sendable {
    private let counter: Counter

    /// A count of the `Tracked` objects that are alive.
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
