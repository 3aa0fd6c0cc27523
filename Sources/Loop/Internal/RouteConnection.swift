import ArchitectureEngine
import FunctionalCore

/// The connection of a route. It is given nothing once it was disposed, and not disposed while it is being made or
/// another thread gives it something: that thread does it then, and only then is it connected again. Values that arrive
/// before that wait, and later ones wait behind them.
///
/// Unchecked: what is not constant is touched under the lock alone. What is connected is called outside of it.
final class RouteConnection<Value: Sendable>: Disposable, @unchecked Sendable {
    private let disposals: PendingDisposals
    private let lock = Locked()
    private var connection: Connection<Value>?
    private var waiting: [Value] = []
    /// Whether values are accepted at once, because none waits.
    private var hasCaughtUp = false
    private var acceptors: [UInt] = []
    private var isConnecting = false
    private var isDisposed = false
    private var isDisposedAfterwards = false

    init(after disposals: PendingDisposals) {
        self.disposals = disposals
    }

    /// Makes the connection, once no other is left to be disposed.
    func open(_ connect: @escaping @Sendable () -> Connection<Value>) {
        disposals.whenNone { [self] in
            let isOpen = lock.withLock {
                isConnecting = !isDisposed
                return isConnecting
            }
            guard isOpen else { return }
            let made = connect()
            let isTooLate = lock.withLock {
                connection = made
                isConnecting = false
                return isDisposed
            }
            if isTooLate { return dispose(made) }
            while let values = takeWaiting() {
                for value in values { pass(value, isNew: false) }
            }
        }
    }

    func accept(_ value: Value) {
        pass(value, isNew: true)
    }

    /// The values that wait. If there are none, the next value no longer waits.
    private func takeWaiting() -> [Value]? {
        lock.withLock {
            hasCaughtUp = waiting.isEmpty
            defer { waiting = [] }
            return hasCaughtUp ? nil : waiting
        }
    }

    /// Passes a value to the connection, unless that is disposed. A new value may have to wait.
    private func pass(_ value: Value, isNew: Bool) {
        let thread = CurrentThread.identity
        let open: Connection<Value>? = lock.withLock {
            if isDisposed { return nil }
            if isNew, !hasCaughtUp {
                waiting.append(value)
                return nil
            }
            acceptors.append(thread)
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
