import ArchitectureEngine

/// The connection of a route. It is given nothing once it was disposed, and not disposed while another thread gives it
/// something: that thread does it then.
///
/// Unchecked: what is not constant is touched under the lock alone. What is connected is called outside of it.
final class RouteConnection<Value>: Disposable, @unchecked Sendable {
    private let connection: Connection<Value>
    private let lock = Lock()
    private var acceptors: [UInt] = []
    private var isDisposed = false
    private var isLeftToAcceptors = false

    init(_ connection: Connection<Value>) {
        self.connection = connection
    }

    deinit { lock.free() }

    func accept(_ value: Value) {
        let thread = CurrentThread.identity
        let begins = lock.withLock {
            if !isDisposed { acceptors.append(thread) }
            return !isDisposed
        }
        guard begins else { return }
        connection.accept(value)
        let disposes = lock.withLock {
            if let index = acceptors.lastIndex(of: thread) { acceptors.remove(at: index) }
            return isLeftToAcceptors && acceptors.isEmpty
        }
        if disposes { connection.dispose() }
    }

    func dispose() {
        let thread = CurrentThread.identity
        let disposes = lock.withLock {
            if isDisposed { return false }
            isDisposed = true
            isLeftToAcceptors = acceptors.contains { $0 != thread }
            return !isLeftToAcceptors
        }
        if disposes { connection.dispose() }
    }
}
