/// An object that calls a closure when it is deallocated.
///
/// A property of a suite is deallocated after each test and after the test's local values. A suite whose tests leave
/// suspended tasks on an executor uses this to drain the executor. Otherwise the tasks leak.
public final class AtEnd: Sendable {
    private let body: @Sendable () -> Void

    public init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    deinit { body() }
}
