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

    /// Creates a disposable that calls `disposer` when it is first disposed, under the label that Mobius has.
    @_disfavoredOverload  // A trailing closure is meant for the other one.
    public convenience init(disposer: @escaping @Sendable () -> Void) {
        self.init(disposer)
    }

    /// Creates a disposable that disposes `base` when it is first disposed.
    public convenience init(_ base: some Disposable) {
        self.init { base.dispose() }
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
