public import FunctionalCore
public import Synchronization

/// The message queue of a runtime, with the guard that stops endless chains. `RuntimeCore` inherits from this class.
///
/// The queue accepts messages from any thread and processes them one at a time, in order. A thread that finds the queue
/// idle drains it: it processes its own message, and then those that arrived meanwhile.
///
/// A message that is sent while another message is processed is enqueued, even if the handler of that other message
/// sends it. So causes are processed before consequences, and a chain of any length needs no stack. Only the draining
/// thread changes the state. The idea of a queue that drains itself comes from RxFeedback.
///
/// The queue is a separate class because it does not depend on the type of the state. All stores have the same type of
/// payload, so they use a specialized queue. Unspecialized code looks up metadata for each message.
///
/// Unchecked: the draining thread alone uses the fields without a lock. `leave` publishes them with release ordering,
/// and the next thread acquires them in `enter` or when it enqueues.
@usableFromInline
package class MessageQueue<Payload>: Confined<Drain<Payload>>, @unchecked Sendable {
    /// Whether a thread is draining, and whether messages wait in the inbox.
    @usableFromInline
    enum Phase {
        @inlinable static var idle: UInt8 { 0 }
        @inlinable static var draining: UInt8 { 1 }
        @inlinable static var backlog: UInt8 { 2 }
    }

    @usableFromInline final let phase = Atomic<UInt8>(Phase.idle)
    @usableFromInline final let inbox: Locked<Inbox<Payload>>
    // The thread that drains, or 0. A relaxed access is enough, because a thread only compares it with itself.
    @usableFromInline final let drainer = Atomic<UInt>(0)

    /// After this number of messages from other threads, a drain continues elsewhere, so that no thread drains forever.
    @inlinable static var fairShare: Int { 1_000 }

    @inlinable
    init(maximumChain: Int, isSuspended: Bool) {
        inbox = Locked(Inbox())
        super.init(confined: Drain(maximumChain: maximumChain))
        if isSuspended { phase.store(Phase.draining, ordering: .relaxed) }
    }
}

/// A message in the queue of a runtime.
@usableFromInline
package enum Message<Payload> {
    /// An input, an event or an action.
    case payload(Payload)
    /// An input, an event or an action of a traced runtime, and its origin.
    indirect case traced(Payload, TraceOrigin)
    /// A function to call in turn.
    indirect case perform(() -> Void)
    /// A chain that was stopped, and the payload that was dropped.
    indirect case stoppedChain(ChainStop, Payload)
}

/// What only the draining thread uses.
@usableFromInline
package struct Drain<Payload> {
    // The drain works through this. It swaps places with the inbox, so that a chain of messages allocates nothing.
    @usableFromInline var batch: [QueuedMessage<Payload>] = []
    // How many messages of the batch come after the one that is being processed.
    @usableFromInline var remaining = 0
    @usableFromInline var chains: ChainGuard
    /// The sender that is being called, for the chain guard.
    @usableFromInline package var sender: ObjectIdentifier?

    @inlinable
    init(maximumChain: Int) {
        chains = ChainGuard(maximumChain: maximumChain)
    }
}

@usableFromInline
struct Inbox<Payload> {
    @usableFromInline var messages: [QueuedMessage<Payload>] = []
    // The number of `messages` that other threads have sent.
    @usableFromInline var foreignCount = 0

    @inlinable
    init() {}
}

/// A message in the queue, and the chain of its causes. The chain is `nil` if no other message caused the message.
@usableFromInline
struct QueuedMessage<Payload> {
    @usableFromInline let message: Message<Payload>
    @usableFromInline let chain: Chain?

    @inlinable
    init(message: Message<Payload>, chain: Chain?) {
        self.message = message
        self.chain = chain
    }
}

/// The result of enqueueing a message.
@usableFromInline
package enum Posting {
    /// The message is enqueued, and the draining thread will process it.
    case enqueued
    /// The message is enqueued, and the caller must drain the queue.
    case drain
    /// The message was dropped, because its chain was stopped.
    case stopped
}

// MARK: - Draining

extension MessageQueue {
    /// Starts draining, unless another thread is draining. Returns whether it did. The scheduler must be inline.
    @inlinable
    @inline(__always)
    package func enter() -> Bool {
        guard
            phase.compareExchange(expected: Phase.idle, desired: Phase.draining, ordering: .acquiring).exchanged
        else { return false }
        drainer.store(CurrentThread.identity, ordering: .relaxed)
        return true
    }

    /// Whether no thread is draining. Another thread may start draining right afterwards.
    @inlinable
    var isIdle: Bool { phase.load(ordering: .relaxed) == Phase.idle }

    /// Makes the calling thread the draining thread of a suspended core.
    @inlinable
    package func takeOver() {
        drainer.store(CurrentThread.identity, ordering: .relaxed)
    }

    /// Whether the calling thread is the draining thread.
    @inlinable
    package var isDrainingHere: Bool {
        drainer.load(ordering: .relaxed) == CurrentThread.identity
    }

    /// Ends draining if no message waits. Returns whether draining has ended.
    @inlinable
    @inline(__always)
    package func leave() -> Bool {
        drainer.store(0, ordering: .relaxed)
        return phase.compareExchange(expected: Phase.draining, desired: Phase.idle, ordering: .releasing).exchanged
    }

    /// Processes messages until the queue is empty. The caller is the draining thread.
    ///
    /// The thread stops early when it has processed `fairShare` messages of other threads, after the batch that reaches
    /// this number.
    ///
    /// - Returns: Whether the queue is empty. If it is not, the caller must continue the drain elsewhere.
    @inlinable
    package func drain(_ process: (Message<Payload>) -> Void) -> Bool {
        var share = Self.fairShare
        repeat {
            drainer.store(CurrentThread.identity, ordering: .relaxed)
            share -= takeBatch()
            for index in confined.batch.indices {
                confined.remaining = confined.batch.count - index - 1
                confined.chains.enter(confined.batch[index].chain)
                process(confined.batch[index].message)
            }
            // A message that is processed at once has no cause.
            confined.chains.enter(nil)
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

    /// Whether no message waits after the message that is being processed. Only the draining thread may read this.
    package var isQueueEmpty: Bool {
        confined.remaining == 0 && phase.load(ordering: .relaxed) == Phase.draining
    }
}

// MARK: - Enqueueing

extension MessageQueue {
    /// Enqueues a payload. May be called from within a transition. The chain guard counts the payload, and may drop it.
    ///
    /// - Parameters:
    ///   - origin: The origin of the payload, in a traced runtime.
    ///   - tracer: The tracer of the runtime, if it is traced.
    ///   - name: Returns the name of a payload for the report of a stopped chain, as the tracer redacts it.
    @inlinable
    @inline(never)
    package func post(
        _ payload: Payload, from origin: TraceOrigin?, in tracer: Tracer?, name: (Payload, Tracer?) -> String
    ) -> Posting {
        let message = origin.map { Message.traced(payload, $0) } ?? .payload(payload)
        guard isDrainingHere else { return enqueue(message, in: nil, isForeign: true) }
        // The core stands for an unknown sender.
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

    /// Enqueues a call of `body`. May be called from within a transition. The call is never dropped.
    package func post(_ body: @escaping () -> Void) -> Posting {
        guard isDrainingHere else { return enqueue(.perform(body), in: nil, isForeign: true) }
        let (sender, isKnown) = (confined.sender ?? ObjectIdentifier(self), confined.sender != nil)
        let chain = confined.chains.admit(from: sender, isKnown: isKnown, isCounted: false)
        return enqueue(.perform(body), in: chain.chain, isForeign: false)
    }

    @inlinable
    func enqueue(_ message: Message<Payload>, in chain: Chain?, isForeign: Bool) -> Posting {
        inbox.withLock { inbox in
            inbox.messages.append(QueuedMessage(message: message, chain: chain))
            if isForeign { inbox.foreignCount += 1 }
            return phase.exchange(Phase.backlog, ordering: .acquiringAndReleasing) == Phase.idle ? .drain : .enqueued
        }
    }
}
