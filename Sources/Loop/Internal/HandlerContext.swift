import ArchitectureEngine

/// The context in which an effect is handled: the connection, and the effect's work if its route has a policy.
///
/// Every kind of handler is a function of a context. A synchronous handler calls `finish()` before it returns. A handler
/// that lasts is started by `start(isFinite:_:)`.
@usableFromInline
struct HandlerContext<Event>: Sendable {
    @usableFromInline let connection: HandlerConnection<Event>
    @usableFromInline let work: PolicyWork?

    @inlinable
    init(connection: HandlerConnection<Event>, work: PolicyWork? = nil) {
        self.connection = connection
        self.work = work
    }

    /// Whether the connection has ended, or the policy has cancelled the effect.
    var isStopped: Bool {
        connection.hasEnded || work?.item.isCancelled == true
    }

    /// Sends an event to the loop, unless the context is stopped.
    @inlinable
    func send(_ event: Event) {
        if let work { work.deliver { connection.send(event) } } else { connection.send(event) }
    }

    /// Notes that the effect has been handled, so that the policy may start the next effect.
    @inlinable
    func finish() {
        work?.finish()
    }

    /// Starts a handler, and retains its disposable until the callback ends. If the connection ends or the policy
    /// cancels the effect before that, the disposable is disposed.
    ///
    /// - Parameter isFinite: Whether the handling ends by itself, so that a caller may wait for it.
    func start(isFinite: Bool = true, _ handle: (EffectCallback<Event>) -> any Disposable) {
        guard let handling = connection.begin(isFinite: isFinite) else { return finish() }
        let callback = EffectCallback(context: self) {
            // Released after the policy has started the next effect: a caller that waits then waits for that, too.
            let finished = connection.finish(handling)
            finish()
            withExtendedLifetime(finished) {}
        }
        let disposable = handle(callback)
        connection.retain(disposable, callback, of: handling)
        work?.item.onCancel { _ in
            guard let finished = connection.finish(handling) else { return }
            disposable.dispose()
            finish()
            withExtendedLifetime(finished) {}
        }
    }
}

/// The work of an effect in the queue of its route's policy.
@usableFromInline
struct PolicyWork: Sendable {
    let item: WorkItem
    let queue: PolicyQueue

    /// Calls `body`, unless the policy has cancelled the work or replaced it by a newer one.
    @usableFromInline
    func deliver(_ body: () -> Void) {
        queue.deliver(item, body)
    }

    @usableFromInline
    func finish() {
        queue.finish(item)
    }
}
