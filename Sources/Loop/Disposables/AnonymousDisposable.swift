import ArchitectureEngine
import FunctionalCore

/// A disposable that calls a closure. Thread-safe.
///
/// ```swift
/// return AnonymousDisposable { request.cancel() }
/// ```
///
/// The first call of ``dispose()`` calls the closure once, on the calling thread, and then releases it.
public final class AnonymousDisposable: Disposable, @unchecked Sendable {
    // Unchecked: `disposer` is only used under the lock.
    private let lock = Locked()
    private var disposer: (@Sendable () -> Void)?

    /// Creates a disposable that calls `disposer` when it is first disposed.
    public init(_ disposer: @escaping @Sendable () -> Void) {
        self.disposer = disposer
    }

    /// Creates a disposable that calls `disposer` when it is first disposed.
    ///
    /// The argument label is the one that Mobius uses.
    @_disfavoredOverload  // A trailing closure is meant for the other one.
    public convenience init(disposer: @escaping @Sendable () -> Void) {
        self.init(disposer)
    }

    /// Creates a disposable that disposes `base` when it is first disposed.
    public convenience init(_ base: some Disposable) {
        self.init { base.dispose() }
    }

    /// Calls the closure. Later calls do nothing.
    public func dispose() {
        let disposer = lock.withLock {
            defer { self.disposer = nil }
            return self.disposer
        }
        disposer?()
    }
}
