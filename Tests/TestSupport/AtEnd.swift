/// Calls a closure when it is deallocated: as a property of a suite, after each test and everything local to it.
///
/// A test that leaves suspended tasks on an executor drains it so, or they would be leaked.
public final class AtEnd: Sendable {
    private let body: @Sendable () -> Void

    public init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    deinit { body() }
}
