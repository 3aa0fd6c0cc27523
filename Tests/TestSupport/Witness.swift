/// An object whose deallocation a test observes, by a weak reference or by a closure that the object calls.
///
/// A property of a suite is deallocated after each test and after the test's local values. A suite whose tests leave
/// suspended tasks on an executor uses a witness to drain the executor. Otherwise the tasks leak.
public final class Witness: Sendable {
    private let onDeinit: @Sendable () -> Void

    /// Creates an object that calls `onDeinit` when it is deallocated.
    public init(_ onDeinit: @escaping @Sendable () -> Void = {}) {
        self.onDeinit = onDeinit
    }

    deinit { onDeinit() }
}
