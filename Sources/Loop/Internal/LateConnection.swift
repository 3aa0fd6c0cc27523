import ArchitectureEngine
import FunctionalCore

/// A description of the connectable of a route, of a view, or of the `entry` of a controller's session: the function
/// that connects it, and the place where its connections accept values.
struct LateConnectable<Input: Sendable, Output>: Sendable {
    /// The identity of a view. Only views use it.
    let id = ViewID()
    let place: ConnectionPlace
    let buffering: AsyncStream<Input>.Continuation.BufferingPolicy
    let barrier: DisposalBarrier
    let connect: @Sendable (@escaping Consumer<Output>) -> Connection<Input>

    /// Creates a description of a connectable. `object` identifies the connectable if it is a class instance. `connect`
    /// makes a connection to it.
    init(
        of object: Unchecked<AnyObject>?,
        at place: ConnectionPlace,
        buffering: AsyncStream<Input>.Continuation.BufferingPolicy = .unbounded,
        connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>
    ) {
        self.place = place
        self.buffering = buffering
        barrier = DisposalBarrier(of: object)
        self.connect = connect
    }

    /// Creates another description of the connectable of `other`, which is at the calling thread. The connections of
    /// both wait for one another.
    init<Other>(
        as other: LateConnectable<Other, Output>,
        connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>
    ) {
        (place, buffering, barrier) = (.caller, .unbounded, other.barrier)
        self.connect = connect
    }
}

/// A connection that a `LateConnectable` describes. It may be made late, and no thread disposes it while another thread
/// uses it.
///
/// If a closed connection to the same connectable has not been disposed yet, this connection is made after that
/// disposal. Values that arrive before the connection is made are enqueued, and so are later values until the queue is
/// empty. If the place is a queue or the main actor, every value is enqueued.
///
/// A closed connection accepts no values. If a thread is making it, or another thread is in its `accept`, the last of
/// these threads disposes it afterwards. Otherwise `finish()` disposes it: on the main actor if that is its place, and
/// else on the calling thread.
///
/// The connectable and the connection are called outside of the lock, and values are released outside of it.
final class LateConnection<Input: Sendable, Output>: Disposable {
    private let connectable: LateConnectable<Input, Output>
    private let state = Locked(LateConnectionState<Input>())

    init(_ connectable: LateConnectable<Input, Output>) {
        self.connectable = connectable
    }

    // MARK: Connecting

    /// Makes the connection, at once or late, unless it has been closed before. Values that the connectable emits are
    /// passed to `consumer`.
    func open(_ consumer: @escaping Consumer<Output>) {
        let (place, barrier) = (connectable.place, connectable.barrier)
        // A router whose connection is made later belongs to the loop that is connecting now.
        let loop = ConnectingLoop.current
        let connectHere: @Sendable () -> Void = { [self] in
            ConnectingLoop.$current.withValue(loop) { connect(consumer) }
        }
        place.perform {
            // The thread that disposes the earlier connection may not be on the main actor.
            barrier.whenNone { place.performFirst(connectHere) }
        }
    }

    private func connect(_ consumer: @escaping Consumer<Output>) {
        guard state.withLock({ $0.beginConnecting() }) else { return }
        let connection = connectable.connect(consumer)
        if state.withLock({ $0.endConnecting(connection) }) { return disposeConnection() }
        connectable.place.post { [self] in deliver() }
    }

    // MARK: Accepting

    /// Passes a value to the connection, at the place of the connectable, or enqueues the value.
    func accept(_ value: Input) {
        if connectable.place.isCaller, let connection = state.withLock({ $0.beginAccepting() }) {
            return pass(value, to: connection)
        }
        let (isFirst, skipped) = state.withLock { $0.enqueue(value, connectable.buffering) }
        withExtendedLifetime(skipped) {}
        if isFirst { connectable.place.post { [self] in deliver() } }
    }

    /// Passes the enqueued values to the connection. Values that arrive meanwhile form the next batch. Posts a call
    /// that passes that batch, or passes it itself if the place is the calling thread.
    private func deliver() {
        repeat {
            state.withLock { $0.beginBatch() }
            while let (connection, value) = state.withLock({ $0.next() }) { pass(value, to: connection) }
            guard state.withLock({ $0.endBatch() }) else { return }
            // If the place is the calling thread, a loop delivers the next batch, so that the stack does not grow with
            // each batch.
        } while connectable.place.isCaller
        connectable.place.post { [self] in deliver() }
    }

    private func pass(_ value: Input, to connection: Connection<Input>) {
        connection.accept(value)
        if state.withLock({ $0.endUse() }) { disposeConnection() }
    }

    // MARK: Disposing

    /// Closes the connection: drops the enqueued values, and accepts no further values. The caller must call `finish()`
    /// afterwards.
    func close() {
        let dropped = state.withLock { state -> Queue<Input>? in
            if state.isClosed { return nil }
            connectable.barrier.begin()
            return state.close()
        }
        withExtendedLifetime(dropped) {}
    }

    /// Disposes the closed connection, unless a thread that is making or using it will dispose it. A second call does
    /// nothing.
    func finish() {
        if state.withLock({ $0.finish() }) { connectable.place.performFirst { [self] in disposeConnection() } }
    }

    func dispose() {
        close()
        finish()
    }

    private func disposeConnection() {
        let connection = state.withLock { $0.beginDisposal() }
        connection?.dispose()
        state.withLock { $0.endDisposal() }
        connectable.barrier.end()
    }

    /// Whether the connection has not been disposed yet.
    var isLeft: Bool { state.withLock { !$0.isDisposed } }

    /// Whether the calling thread is in the connection's `accept` or `dispose`.
    var isBusyHere: Bool { state.withLock { $0.isUsedHere } }

    /// Calls `body` when all closed connections to the connectable have been disposed, including this one.
    func whenDisposed(_ body: @escaping @Sendable () -> Void) {
        connectable.barrier.whenNone(body)
    }
}
