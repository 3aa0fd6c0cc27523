import FunctionalCore

/// A disposable that calls a closure. Thread-safe.
///
/// ```swift
/// return AnonymousDisposable { request.cancel() }
/// ```
///
/// The first call of ``dispose()`` calls the closure once, on the calling thread, and then releases it.
public final class AnonymousDisposable: Disposable {
    private let disposer: Locked<(@Sendable () -> Void)?>

    /// Creates a disposable that calls `disposer` when it is first disposed.
    public init(disposer: @escaping @Sendable () -> Void) {
        self.disposer = Locked(disposer)
    }

    /// Creates a disposable that disposes `base` when it is first disposed.
    public convenience init(_ base: some Disposable) {
        self.init { base.dispose() }
    }

    /// Calls the closure. Later calls do nothing.
    public func dispose() {
        let disposer = disposer.withLock { $0.take() }
        disposer?()
    }
}

/// A disposable that disposes several others, in the order in which they were given. Thread-safe.
public final class CompositeDisposable: Disposable {
    private let all: AnonymousDisposable

    /// Creates a disposable that disposes all of `disposables`.
    public init(disposables: [any Disposable]) {
        all = AnonymousDisposable { for disposable in disposables { disposable.dispose() } }
    }

    /// Disposes all disposables, on the calling thread. Later calls do nothing.
    public func dispose() {
        all.dispose()
    }
}
