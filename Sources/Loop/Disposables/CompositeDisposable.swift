import ArchitectureEngine
import FunctionalCore

/// Several disposables as one: exactly those that it was made with, in that order.
public final class CompositeDisposable: Disposable, @unchecked Sendable {
    // Unchecked: `disposables` is touched under the lock alone.
    private let lock = Lock()
    private var disposables: [any Disposable]

    /// A disposable that disposes all of `disposables`.
    public init(disposables: [any Disposable]) {
        self.disposables = disposables
    }

    deinit { lock.free() }

    /// Disposes all, the first time; afterwards does nothing.
    public func dispose() {
        let disposables = lock.withLock {
            defer { self.disposables = [] }
            return self.disposables
        }
        for disposable in disposables { disposable.dispose() }
    }
}
