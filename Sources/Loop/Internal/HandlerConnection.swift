import ArchitectureEngine
import FunctionalCore
import Synchronization

/// One connection of an effect handler: the effects that are being handled, and what its routes have connected.
///
/// Disposables, handlers and consumers are called outside of the lock.
@usableFromInline
final class HandlerConnection<Event>: Sendable {
    /// The executor for the tasks of asynchronous handlers; `nil` is the global executor.
    let executor: (any TaskExecutor)?
    @usableFromInline let output: Consumer<Event>
    @usableFromInline let ending = Atomic<Bool>(false)
    private let fields = Locked(Fields())
    /// The loop that connects the handler, if a loop does.
    private let loop = ConnectingLoop.current
    /// Records what the handlers do, if a loop with a trace connects the handler.
    var tracer: Tracer? { loop?.tracer }

    private struct Fields {
        var handlings: [Int: Handling] = [:]
        var handlingCount = 0
        /// The attachments by the index of their route.
        var attachments: [Int: any Attachment] = [:]
    }

    /// An effect that is being handled.
    struct Handling {
        /// The finite work, if the handling ends by itself. The work ends when the handling is released.
        let work: FiniteWork?
        /// The disposable and the callback, or `nil` while the handler is starting. The callback is retained, because a
        /// handler that only drops its callback does not end it.
        var stop: (disposable: any Disposable, callback: EffectCallback<Event>)?
    }

    @usableFromInline
    init(executor: (any TaskExecutor)?, output: @escaping Consumer<Event>) {
        self.executor = executor
        self.output = output
    }

    @inlinable var hasEnded: Bool { ending.load(ordering: .acquiring) }

    /// Sends an event to the loop, unless the connection has ended.
    @inlinable
    func send(_ event: Event) {
        if !hasEnded { output(event) }
    }

    /// Reports an error that nothing has turned into an event, unless the connection has ended.
    func report(_ error: any Error, of source: Mobius.ErrorSource) {
        if !hasEnded { Mobius.report(error, of: source, to: loop?.errorObserver) }
    }

    /// Disposes everything that is under way, in the order in which it began. A second call does nothing.
    @usableFromInline
    func end() {
        let (handlings, attachments) = fields.withLock { fields -> ([Int: Handling], [Int: any Attachment]) in
            if ending.exchange(true, ordering: .acquiringAndReleasing) { return ([:], [:]) }
            defer {
                // A handler that is starting is disposed by the thread that starts it.
                fields.handlings = fields.handlings.filter { $0.value.stop == nil }
                fields.attachments = [:]
            }
            return (fields.handlings, fields.attachments)
        }
        for (_, handling) in handlings.sorted(by: { $0.key < $1.key }) { handling.stop?.disposable.dispose() }
        for (_, attachment) in attachments.sorted(by: { $0.key < $1.key }) { attachment.dispose() }
    }
}

// MARK: - Handlings

extension HandlerConnection {
    /// Begins finite work of the loop. The work ends when it is released, at the latest.
    func beginWork() -> FiniteWork? {
        loop?.settling.begin()
    }

    /// Begins a handling, and returns its number. Returns `nil` if the connection has ended.
    func begin(isFinite: Bool) -> Int? {
        let work = isFinite ? beginWork() : nil
        return fields.withLock { fields in
            if hasEnded { return nil }
            fields.handlingCount += 1
            fields.handlings[fields.handlingCount] = Handling(work: work)
            return fields.handlingCount
        }
    }

    /// Retains what stops a handling, unless the handling has finished. Disposes it if the connection has ended.
    func retain(_ disposable: any Disposable, _ callback: EffectCallback<Event>, of handling: Int) {
        // The removed handling is released outside of the lock.
        let (isTooLate, _) = fields.withLock { fields -> (Bool, Handling?) in
            if hasEnded, let removed = fields.handlings.removeValue(forKey: handling) { return (true, removed) }
            fields.handlings[handling]?.stop = (disposable, callback)
            return (false, nil)
        }
        if isTooLate { disposable.dispose() }
    }

    /// Removes a handling. Returns it, to be released afterwards, or `nil` if it has been removed before.
    func finish(_ handling: Int) -> Handling? {
        fields.withLock { $0.handlings.removeValue(forKey: handling) }
    }
}

// MARK: - Attachments

/// The part of a route that each connection has one of: a connection to a connectable, or the works of a policy.
@usableFromInline
typealias Attachment = AnyObject & Disposable

extension PolicyQueues: Disposable {
    package func dispose() {
        close()
    }
}

extension HandlerConnection {
    /// Adds the attachment of a route, which is disposed when the connection ends. Must be called while the handler is
    /// being connected.
    @usableFromInline
    func attach(_ attachment: any Attachment, at index: Int) {
        fields.withLock { $0.attachments[index] = attachment }
    }

    /// Cancels the effects of this id whose route has a policy for ids of this type.
    func cancel<ID: Hashable & Sendable>(_ id: ID) {
        let attachments = fields.withLock { $0.attachments.values.compactMap { $0 as? PolicyQueues<ID> } }
        for queues in attachments { queues.cancel(for: id) }
    }

    /// Returns the attachment of a route, or `nil` if the connection has ended.
    func attachment(at index: Int) -> (any Attachment)? {
        fields.withLock { $0.attachments[index] }
    }
}

/// Ends a connection when the last copy of the `Connection` that retains this is released. Handlings retain only the
/// connection itself.
@usableFromInline
final class HandlerConnectionOwner<Event>: Sendable {
    @usableFromInline let connection: HandlerConnection<Event>

    @usableFromInline
    init(executor: (any TaskExecutor)?, output: @escaping Consumer<Event>) {
        connection = HandlerConnection(executor: executor, output: output)
    }

    deinit { connection.end() }
}

// MARK: - Contexts

/// The context in which an effect is handled: the connection, and the effect's work if its route has a policy.
///
/// Every kind of handler is a function of a context. A synchronous handler calls `finish()` before it returns. A
/// handler that lasts is started by `start(isFinite:_:)`.
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
