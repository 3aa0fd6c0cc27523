import ArchitectureEngine
import FunctionalCore

/// A disposable that calls a closure.
///
/// ```swift
/// return AnonymousDisposable { request.cancel() }
/// ```
///
/// The closure is called once, by the first call of ``dispose()``, on that thread, and released then.
public final class AnonymousDisposable: Disposable, @unchecked Sendable {
    // Unchecked: `disposer` is touched under the lock alone.
    private let lock = Lock()
    private var disposer: (@Sendable () -> Void)?

    /// A disposable that calls `disposer` when it is first disposed.
    public init(_ disposer: @escaping @Sendable () -> Void) {
        self.disposer = disposer
    }

    deinit { lock.free() }

    /// Calls the closure, the first time; afterwards does nothing.
    public func dispose() {
        let disposer = lock.withLock {
            defer { self.disposer = nil }
            return self.disposer
        }
        disposer?()
    }
}
