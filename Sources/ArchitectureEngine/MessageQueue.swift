public import FunctionalCore
public import Synchronization

/// The message queue of a runtime, with the guard that stops endless chains of messages. `RuntimeCore` inherits from
/// this class.
///
/// The queue accepts messages from any thread and processes them one at a time, in order. If the scheduler is inline, a
/// thread that sends a message while the queue is idle becomes the draining thread: it processes its own message, and
/// then the messages that arrived meanwhile. Otherwise the scheduler chooses the draining thread.
///
/// A message that is sent while another message is processed is enqueued, even if the draining thread sends it. So a
/// message is processed before the messages that it causes, and a long chain of messages does not grow the stack. Only
/// the draining thread changes the state. The idea of a queue that drains itself comes from RxFeedback.
///
/// The queue is a class of its own because it does not depend on the type of the state. The payloads of all stores have
/// the same type, so one specialized queue serves all stores. Unspecialized code looks up type metadata for each
/// message.
///
/// Unchecked: only the draining thread uses the fields that no lock protects. `leave` publishes its changes with
/// release ordering. The next draining thread acquires them in `enter`, or in the call of `enqueue` that starts the
/// next drain.
@usableFromInline
package class MessageQueue<Payload>: Confined<Drain<Payload>>, @unchecked Sendable {
    /// The phase of the queue: idle, draining with an empty inbox, or draining with messages in the inbox (`backlog`).
    @usableFromInline
    enum Phase {
        @inlinable static var idle: UInt8 { 0 }
        @inlinable static var draining: UInt8 { 1 }
        @inlinable static var backlog: UInt8 { 2 }
    }

    @usableFromInline final let phase = Atomic<UInt8>(Phase.idle)
    @usableFromInline final let inbox: Locked<Inbox<Payload>>
    // The identity of the draining thread, or 0 if no thread drains. Relaxed access is enough, because each thread only
    // compares this value with its own identity.
    @usableFromInline final let drainer = Atomic<UInt>(0)

    /// The number of messages from other threads after which a thread stops draining, and the scheduler continues the
    /// drain elsewhere. So no thread drains forever.
    @inlinable static var fairShare: Int { 1_000 }

    /// The task-local values that each message takes from its sender, or `nil` if there are none.
    @usableFromInline final let carrying: CarriedValues?

    @inlinable
    init(maximumChain: Int, isSuspended: Bool, carrying: CarriedValues?) {
        inbox = Locked(Inbox())
        self.carrying = carrying
        super.init(confined: Drain(maximumChain: maximumChain))
        if isSuspended { phase.store(Phase.draining, ordering: .relaxed) }
    }
}

/// The fields that only the draining thread uses.
@usableFromInline
package struct Drain<Payload> {
    // The messages that the draining thread is processing. This array is swapped with the array of the inbox, so that a
    // chain of messages allocates no further arrays.
    @usableFromInline var batch: [QueuedMessage<Payload>] = []
    @usableFromInline var chains: ChainGuard
    // Whether no message of the batch comes after the message that is being processed.
    @usableFromInline var isLast = true
    // The priority of the message that is being processed, or 0 if its sender is processing it.
    @usableFromInline var priority: UInt8 = 0
    /// The sender that the draining thread is calling, or `nil` if it is unknown. The chain guard attributes messages
    /// to it; see `Chain`.
    @usableFromInline package var sender: ObjectIdentifier?

    @inlinable
    init(maximumChain: Int) {
        chains = ChainGuard(maximumChain: maximumChain)
    }
}

@usableFromInline
struct Inbox<Payload> {
    @usableFromInline var messages: [QueuedMessage<Payload>] = []
    // The number of elements of `messages` that were sent by threads other than the draining thread.
    @usableFromInline var foreignCount = 0

    @inlinable
    init() {}
}

// MARK: - Draining

extension MessageQueue {
    /// Makes the calling thread the draining thread if the queue is idle. May be called only if the scheduler is
    /// inline.
    ///
    /// - Returns: Whether the queue was idle, so that the calling thread is now the draining thread.
    @inlinable
    @inline(__always)
    package func enter() -> Bool {
        guard
            phase.compareExchange(expected: Phase.idle, desired: Phase.draining, ordering: .acquiring).exchanged
        else { return false }
        drainer.store(CurrentThread.identity, ordering: .relaxed)
        return true
    }

    /// Makes the calling thread the draining thread of a queue that was created with `isSuspended: true`.
    @inlinable
    package func takeOver() {
        drainer.store(CurrentThread.identity, ordering: .relaxed)
    }

    /// Whether the calling thread is the draining thread.
    @inlinable
    package var isDrainingHere: Bool {
        drainer.load(ordering: .relaxed) == CurrentThread.identity
    }

    /// Whether no thread drains the queue, and no message waits in it.
    package var isIdle: Bool { phase.load(ordering: .acquiring) == Phase.idle }

    /// Ends the drain if the inbox is empty. Returns whether the drain has ended.
    @inlinable
    @inline(__always)
    package func leave() -> Bool {
        drainer.store(0, ordering: .relaxed)
        return phase.compareExchange(expected: Phase.draining, desired: Phase.idle, ordering: .releasing).exchanged
    }

    /// Processes messages until the queue is empty. Must be called while the queue is not idle and no other thread
    /// drains it.
    ///
    /// The calling thread stops early if it has processed `fairShare` messages from other threads. It stops after the
    /// batch in which it reaches this number.
    ///
    /// - Returns: Whether the queue is empty. If it is not, the caller must let the scheduler continue the drain
    ///   elsewhere.
    @inlinable
    package func drain(_ process: (Message<Payload>) -> Void) -> Bool {
        var share = Self.fairShare
        repeat {
            drainer.store(CurrentThread.identity, ordering: .relaxed)
            share -= takeBatch()
            for index in confined.batch.indices {
                confined.isLast = index == confined.batch.count - 1
                confined.chains.begin(confined.batch[index].chain)
                confined.priority = confined.batch[index].priority
                process(confined.batch[index].message)
            }
            // A message that is processed without being enqueued has no cause, and its sender processes it.
            confined.chains.begin(nil)
            confined.priority = 0
            confined.batch.removeAll(keepingCapacity: confined.batch.count <= Self.fairShare)
            if share <= 0, phase.load(ordering: .relaxed) == Phase.backlog {
                drainer.store(0, ordering: .relaxed)
                return false
            }
        } while !leave()
        return true
    }

    /// Moves the messages of the inbox into the batch. Returns the number of these messages that come from other
    /// threads.
    @inlinable
    func takeBatch() -> Int {
        inbox.withLock { inbox in
            phase.store(Phase.draining, ordering: .relaxed)
            swap(&inbox.messages, &confined.batch)
            defer { inbox.foreignCount = 0 }
            return inbox.foreignCount
        }
    }

    /// The priority of the message that the draining thread processes, or 0 if its sender is processing it. Only the
    /// draining thread may read this.
    @inlinable
    package var priority: UInt8 { confined.priority }

    /// The context of a message or of work that the calling thread starts now. The draining thread starts it for the
    /// message that it processes, whose values are bound.
    package var currentContext: SendContext {
        SendContext(carrying: carrying, priority: isDrainingHere ? confined.priority : 0)
    }

    /// Calls `body`, which starts work that belongs to an earlier message, with the priority of that message. Only the
    /// draining thread may call this.
    ///
    /// - Parameter context: The context of the work, or `nil` if it belongs to the message that is being processed.
    package func inContext(_ context: SendContext?, _ body: () -> Void) {
        guard let context else { return body() }
        let before = confined.priority
        confined.priority = context.priority
        defer { confined.priority = before }
        body()
    }

    /// Whether no message waits after the message that is being processed. Only the draining thread may read this.
    package var isQueueEmpty: Bool {
        confined.isLast && phase.load(ordering: .relaxed) == Phase.draining
    }
}

// MARK: - Enqueueing

extension MessageQueue {
    /// Enqueues a payload. May be called from any thread, and from within a transition. If the calling thread is the
    /// draining thread, the chain guard may drop the payload.
    ///
    /// - Parameters:
    ///   - origin: The sender and the cause of the payload, or `nil` if the runtime has no trace.
    ///   - cancellation: The flag whose cancellation drops the payload in its turn, or `nil`.
    ///   - tracer: The tracer of the runtime, or `nil` if the runtime has no trace.
    ///   - name: Returns the name of a payload for the report of a stopped chain, with the redactions of the tracer.
    @inlinable
    @inline(never)
    package func post(
        _ payload: Payload, from origin: TraceOrigin?, until cancellation: Cancellation? = nil, in tracer: Tracer?,
        name: (Payload, Tracer?) -> String
    ) -> Posting {
        let isPlain = origin == nil && cancellation == nil
        let message: Message = isPlain ? .payload(payload) : .sent(payload, from: origin, until: cancellation)
        guard isDrainingHere else { return enqueue(message, in: nil, isForeign: true) }
        // If the sender is unknown, this object stands for it.
        let sender = confined.sender ?? ObjectIdentifier(self)
        switch confined.chains.admit(from: sender, isKnown: confined.sender != nil, isCounted: true) {
        case .admitted(let chain):
            return enqueue(message, in: chain, isForeign: false)
        case .near(let chain):
            let name = name(payload, tracer)
            if let named = confined.chains.named(name, in: chain) {
                return enqueue(message, in: named, isForeign: false)
            }
            if let stop = confined.chains.stop(chain, at: name, from: sender) {
                _ = enqueue(.stoppedChain(stop, payload), in: ChainGuard.chainOfReport(), isForeign: false)
            }
            return .stopped
        }
    }

    /// Enqueues a call of `body`. May be called from any thread, and from within a transition. The call is never
    /// dropped.
    package func post(_ body: @escaping () -> Void) -> Posting {
        guard isDrainingHere else { return enqueue(.perform(body), in: nil, isForeign: true) }
        let (sender, isKnown) = (confined.sender ?? ObjectIdentifier(self), confined.sender != nil)
        let chain = confined.chains.admit(from: sender, isKnown: isKnown, isCounted: false)
        return enqueue(.perform(body), in: chain.chain, isForeign: false)
    }

    @inlinable
    func enqueue(_ message: Message<Payload>, in chain: Chain?, isForeign: Bool) -> Posting {
        if carrying != nil { return enqueueBound(message, in: chain, isForeign: isForeign) }
        return append(message, in: chain, isForeign: isForeign)
    }

    @usableFromInline
    @inline(never)
    func enqueueBound(_ message: Message<Payload>, in chain: Chain?, isForeign: Bool) -> Posting {
        guard let carrying else { return append(message, in: chain, isForeign: isForeign) }
        return append(.bound(CapturedValues(carrying), message), in: chain, isForeign: isForeign)
    }

    @inlinable
    func append(_ message: Message<Payload>, in chain: Chain?, isForeign: Bool) -> Posting {
        // A message of the draining thread has the priority of the message that it processes.
        let priority = isForeign ? SendContext.currentPriority : confined.priority
        return inbox.withLock { inbox in
            inbox.messages.append(QueuedMessage(message: message, chain: chain, priority: priority))
            if isForeign { inbox.foreignCount += 1 }
            return phase.exchange(Phase.backlog, ordering: .acquiringAndReleasing) == Phase.idle ? .drain : .enqueued
        }
    }
}
