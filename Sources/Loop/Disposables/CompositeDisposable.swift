import ArchitectureEngine
import FunctionalCore

/// A disposable that disposes several others, in the order in which they were given. Thread-safe.
public final class CompositeDisposable: Disposable, @unchecked Sendable {
    // Unchecked: `disposables` is only used under the lock.
    private let lock = Locked()
    private var disposables: [any Disposable]

    /// Creates a disposable that disposes all of `disposables`.
    public init(disposables: [any Disposable]) {
        self.disposables = disposables
    }

    /// Disposes all disposables, on the calling thread. Later calls do nothing.
    public func dispose() {
        let disposables = lock.withLock {
            defer { self.disposables = [] }
            return self.disposables
        }
        for disposable in disposables { disposable.dispose() }
    }
}
