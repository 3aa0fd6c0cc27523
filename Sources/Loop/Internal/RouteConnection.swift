import ArchitectureEngine
import FunctionalCore

/// The connection of a route. It is given nothing once it was disposed, and not disposed while it is being made or
/// another thread gives it something: that thread does it then, and only then is it connected again. What comes before
/// that waits.
///
/// Unchecked: what is not constant is touched under the lock alone. What is connected is called outside of it.
final class RouteConnection<Value: Sendable>: Disposable, @unchecked Sendable {
    private let disposals: PendingDisposals
    private let lock = Lock()
    private var connection: Connection<Value>?
    private var waiting: [Value] = []
    private var acceptors: [UInt] = []
    private var isConnecting = false
    private var isDisposed = false
    private var isDisposedAfterwards = false

    init(after disposals: PendingDisposals) {
        self.disposals = disposals
    }

    deinit { lock.free() }

    /// Makes the connection, once no other is left to be disposed.
    func open(_ connect: @escaping @Sendable () -> Connection<Value>) {
        disposals.whenNone { [self] in
            let isOpen = lock.withLock {
                isConnecting = !isDisposed
                return isConnecting
            }
            guard isOpen else { return }
            let made = connect()
            let (values, isTooLate) = lock.withLock {
                connection = made
                isConnecting = false
                defer { waiting = [] }
                return (waiting, isDisposed)
            }
            if isTooLate { return dispose(made) }
            for value in values { accept(value) }
        }
    }

    func accept(_ value: Value) {
        let thread = CurrentThread.identity
        let open: Connection<Value>? = lock.withLock {
            if isDisposed { return nil }
            if connection == nil { waiting.append(value) } else { acceptors.append(thread) }
            return connection
        }
        guard let open else { return }
        open.accept(value)
        let disposes = lock.withLock {
            if let index = acceptors.lastIndex(of: thread) { acceptors.remove(at: index) }
            return isDisposedAfterwards && acceptors.isEmpty
        }
        if disposes { dispose(open) }
    }

    func dispose() {
        let thread = CurrentThread.identity
        let free: Connection<Value>? = lock.withLock {
            if isDisposed { return nil }
            isDisposed = true
            waiting = []
            isDisposedAfterwards = isConnecting || acceptors.contains { $0 != thread }
            if isConnecting || connection != nil { disposals.begin() }
            return isDisposedAfterwards ? nil : connection
        }
        if let free { dispose(free) }
    }

    /// Disposes the connection, so that another may be made.
    private func dispose(_ connection: Connection<Value>) {
        connection.dispose()
        disposals.end()
    }
}
