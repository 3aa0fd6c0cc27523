public import ArchitectureEngine
public import FunctionalCore
import Synchronization

/// One connection of an effect handler: the effects that are being handled, and the attachments of its routes.
///
/// Disposables, handlers and consumers are called outside of the lock.
@usableFromInline
final class HandlerConnection<Event>: Sendable {
    /// The executor for the tasks of asynchronous handlers; `nil` is the global executor.
    let executor: (any TaskExecutor)?
    /// The consumer of the events. `Mobius.Builder.makeConsumer` builds it: it sends an event to the loop. `send(_:)` calls
    /// it.
    @usableFromInline let output: EventConsumer<Event>
    @usableFromInline let ending = Atomic<Bool>(false)
    private let fields = Locked(Fields())
    /// The loop that connects the handler, or `nil` if no loop does.
    private let loop = ConnectingLoop.current
    /// The recorder of the loop's trace, or `nil` if the loop has no trace.
    @usableFromInline let tracer: Tracer?
    /// Whether the loop carries task-local values.
    @usableFromInline let isCarrying: Bool
    /// The function that records an event that is not sent. `nil` if the loop has no trace.
    @usableFromInline let recordDrop: (@Sendable (Event) -> Void)?

    private struct Fields {
        var handlings: [Int: Handling] = [:]
        var handlingCount = 0
        /// The attachments by the number of their route, with their positions in the order of attachment.
        var attachments: [Int: (position: Int, attachment: any Attachment)] = [:]

        /// The attachments in the order of attachment.
        var orderedAttachments: [any Attachment] {
            attachments.values.sorted { $0.position < $1.position }.map(\.attachment)
        }
    }

    /// An effect that is being handled.
    struct Handling {
        let work: Work
        /// The work in the trace, or `nil` if the loop has no trace.
        let traced: TracedWork?
        /// The disposable and the callback, or `nil` while the handler is starting. The callback is retained, because a
        /// handler that only drops its callback does not end it.
        var stop: (disposable: any Disposable, callback: EffectCallback<Event>)?
    }

    init(executor: (any TaskExecutor)?, output: @escaping EventConsumer<Event>) where Event: Sendable {
        self.executor = executor ?? loop?.executor
        self.output = output
        let tracer = loop?.tracer
        self.tracer = tracer
        isCarrying = loop?.carrying != nil
        recordDrop = if let tracer { { event in tracer.recordDrop(of: event, because: .ended) } } else { nil }
    }

    @inlinable var hasEnded: Bool { ending.load(ordering: .acquiring) }

    /// Sends an event to the loop, unless the connection has ended. Returns whether the event was sent.
    @inlinable
    func send(_ event: Event, until cancellation: Cancellation? = nil) -> Bool {
        if hasEnded { return false }
        output(event, cancellation)
        return true
    }

    /// Sends an event of a work item to the loop, unless the policy has cancelled or replaced the work item, or the
    /// connection has ended. If the event has to wait, the loop drops it when the work item is cancelled or replaced
    /// before its turn. Returns whether the event was sent.
    @usableFromInline
    func send(_ event: Event, of work: Work, in queue: PolicyQueue) -> Bool {
        var isSent = false
        queue.deliver(work) { cancellation in isSent = send(event, until: cancellation) }
        return isSent
    }

    /// Reports an error that no handler has turned into an event, unless the connection has ended.
    ///
    /// - Parameter work: The traced work that fails, or `nil` if there is none.
    func report(_ error: any Error, of source: Mobius.ErrorSource, failing work: TracedWork? = nil) {
        if hasEnded { return }
        if let work {
            work.fail(error)
        } else if let tracer {
            tracer.record(.failed(work: nil, error: tracer.redacted(error)))
        }
        Mobius.report(error, of: source, to: loop?.errorObserver, tracer)
    }

    /// Ends the connection: stops the effects that are being handled, in the order in which they began, and then
    /// disposes the attachments, in the order in which they were added. A second call does nothing.
    @usableFromInline
    func end() {
        let ended = fields.withLock { fields in
            if ending.exchange(true, ordering: .acquiringAndReleasing) { return Fields() }
            defer {
                // A handler that is starting is disposed by the thread that starts it.
                fields.handlings = fields.handlings.filter { $0.value.stop == nil }
                fields.attachments = [:]
            }
            return fields
        }
        for (_, handling) in ended.handlings.sorted(by: { $0.key < $1.key }) {
            handling.traced?.cancel()
            handling.stop?.disposable.dispose()
            handling.work.pause()
        }
        for attachment in ended.orderedAttachments { attachment.dispose() }
    }
}

// MARK: - Handlings

extension HandlerConnection {
    /// Begins to count a work as finite work of the loop that connects the handler, if one does.
    func activate(_ work: Work) {
        if let loop { work.activate(in: loop.settling) }
    }

    /// The context of the message whose effects the loop is passing to the handler.
    var currentContext: SendContext {
        loop.map { SendContext(carrying: $0.carrying, priority: $0.settling.priority) } ?? SendContext()
    }

    /// Records that the handling of an effect begins, and returns the number of the handling. Returns `nil` if the
    /// connection has ended.
    func begin(_ work: Work, _ traced: TracedWork?) -> Int? {
        fields.withLock { fields in
            if hasEnded { return nil }
            fields.handlingCount += 1
            fields.handlings[fields.handlingCount] = Handling(work: work, traced: traced)
            return fields.handlingCount
        }
    }

    /// Does nothing if the handling has finished. Otherwise retains its disposable and its callback, or disposes the
    /// disposable if the connection has ended.
    func retain(_ disposable: any Disposable, _ callback: EffectCallback<Event>, of handling: Int) {
        // The removed handling is released outside of the lock.
        let (isTooLate, _) = fields.withLock { fields -> (Bool, Handling?) in
            if hasEnded, let removed = fields.handlings.removeValue(forKey: handling) { return (true, removed) }
            fields.handlings[handling]?.stop = (disposable, callback)
            return (false, nil)
        }
        if isTooLate { disposable.dispose() }
    }

    /// Removes the handling with this number. Returns whether it was there.
    @discardableResult
    func finish(_ handling: Int) -> Bool {
        // The removed handling is released outside of the lock.
        let removed = fields.withLock { $0.handlings.removeValue(forKey: handling) }
        return removed != nil
    }
}

// MARK: - Attachments

/// An object that a route has for each handler connection: the connection to its connectable, or the queues of its
/// policy.
@usableFromInline
typealias Attachment = AnyObject & Disposable

extension PolicyQueues: Disposable {
    package func dispose() {
        close()
    }
}

extension HandlerConnection {
    /// Adds the attachment of the route with this number. The attachment is disposed when the connection ends. Must be
    /// called while the handler is being connected.
    @usableFromInline
    func attach(_ attachment: any Attachment, of number: Int) {
        fields.withLock { $0.attachments[number] = ($0.attachments.count, attachment) }
    }

    /// Returns a new connection to the target of a route, whose events are sent to the loop.
    func open<Input>(_ connectable: LateConnectable<Input, Event>) -> any Attachment {
        let attachment = LateConnection(connectable)
        attachment.open { [weak self, recordDrop] event in
            if self?.send(event) != true { recordDrop?(event) }
        }
        return attachment
    }

    /// Cancels the effects with this id, in all routes that have a policy with ids.
    func cancel<ID: Hashable & Sendable>(_ id: ID) {
        let attachments = fields.withLock { $0.orderedAttachments }
        for case let queues as PolicyQueues in attachments { queues.cancel(for: [AnyKey(id)]) }
    }

    /// Starts the effects with this id that wait for the clock of a policy, or all these effects if `id` is `nil`.
    func flush(_ id: AnyKey? = nil) {
        let attachments = fields.withLock { $0.orderedAttachments }
        for case let queues as PolicyQueues in attachments { queues.flush(id) }
    }

    /// Returns the attachment of the route with this number, or `nil` if it has none or the connection has ended.
    @usableFromInline
    func attachment(of number: Int) -> (any Attachment)? {
        fields.withLock { $0.attachments[number]?.attachment }
    }
}

/// The owner of a handler connection. It ends the connection when it is deallocated, which is when the last copy of its
/// `Connection` is released. Handlings retain only the handler connection.
@usableFromInline
final class HandlerConnectionOwner<Event>: Sendable {
    @usableFromInline let connection: HandlerConnection<Event>

    @usableFromInline
    init(executor: (any TaskExecutor)?, output: @escaping EventConsumer<Event>) where Event: Sendable {
        connection = HandlerConnection(executor: executor, output: output)
    }

    deinit { connection.end() }
}
