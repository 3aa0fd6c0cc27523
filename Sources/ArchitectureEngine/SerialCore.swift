public import FunctionalCore
public import Synchronization

/// Accepts messages from any thread and processes them one at a time, in order. A thread that finds the queue idle drains
/// it: it processes its own message, and then those that arrived meanwhile.
///
/// A message that is sent while another one is processed is enqueued, also if it is sent by the handler of that one. So
/// causes are processed before consequences, and a chain of any length needs no stack. Only the draining thread changes
/// the state. The idea of a queue that drains itself comes from RxFeedback.
///
/// Unchecked: `state` is written by the thread that drains alone, and under `stateLock`, which others read under;
/// `inbox` is touched under `inboxLock` alone.
@usableFromInline
package final class SerialCore<State, Message: ChainedMessage>: @unchecked Sendable {
    /// Whether anybody is draining, and whether anything waits in the inbox for who does.
    @usableFromInline
    enum Phase {
        @inlinable static var idle: UInt8 { 0 }
        @inlinable static var draining: UInt8 { 1 }
        @inlinable static var backlog: UInt8 { 2 }
    }

    @usableFromInline let phase = Atomic<UInt8>(Phase.idle)
    // Exclusivity is what the lock is for.
    @exclusivity(unchecked)
    @usableFromInline var inbox: [Queued] = []
    @exclusivity(unchecked)
    @usableFromInline var foreign = 0
    // What the drain works through: the two change places, so that a chain of messages allocates nothing.
    @exclusivity(unchecked)
    @usableFromInline var batch: [Queued] = []
    // How many messages of the batch come after the one that is being processed.
    @exclusivity(unchecked)
    @usableFromInline var remaining = 0
    // Used by the draining thread alone.
    @exclusivity(unchecked)
    @usableFromInline var chains: ChainGuard
    /// The sender that is being called, for the chain guard. Only the draining thread may use this.
    @exclusivity(unchecked)
    @usableFromInline package var sender: ObjectIdentifier?

    @usableFromInline let inboxLock = Locked()
    @usableFromInline let stateLock = Locked()
    @usableFromInline package let state: UnsafeMutablePointer<State>
    // The thread that is inside a transition, or 0, with the lowest bit set if it does not hold the lock of the state;
    // and the thread that drains.
    @usableFromInline let changing = Atomic<UInt>(0)
    @usableFromInline let drainer = Atomic<UInt>(0)

    // What the messages of a core that calls back into itself are reported as: the name of its owner's type.
    @usableFromInline let owner: Any.Type

    /// The number of messages of other threads after which a drain continues elsewhere, so that no thread drains forever.
    @inlinable static var fairShare: Int { 1_000 }

    /// A message in the queue, and its chain: `nil` for the root of a chain.
    @usableFromInline
    struct Queued {
        @usableFromInline let message: Message
        @usableFromInline let chain: Chain?

        @inlinable
        init(message: Message, chain: Chain?) {
            self.message = message
            self.chain = chain
        }
    }

    /// Creates a core that no thread drains. With `isEntered`, the thread that calls `adopt()` drains it.
    ///
    /// - Parameter maximumChain: How many messages may repeat a sender among their causes; see `Chain`.
    @inlinable
    package init(
        state: State, owner: Any.Type, maximumChain: Int = defaultMaximumChain, isEntered: Bool = false
    ) {
        chains = ChainGuard(maximumChain: maximumChain)
        if isEntered { phase.store(Phase.draining, ordering: .relaxed) }
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
        self.owner = owner
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    // MARK: - Messages

    /// Processes `message` at once if no thread drains the queue, and enqueues it otherwise. Returns whether it has been
    /// processed.
    ///
    /// `handOver` is called when this thread has done its share of the work of others; it has to arrange that
    /// `drain(handle:handOver:)` is called elsewhere.
    @inlinable
    @inline(__always)
    package func send(_ message: Message, handle: (Message) -> Void, handOver: () -> Void) -> Bool {
        guard enter() else {
            guard post(message) == .drain else { return false }
            drain(handle: handle, handOver: handOver)
            return true
        }
        handle(message)
        if !leave() { drain(handle: handle, handOver: handOver) }
        return true
    }

    /// Begins draining, unless another thread is draining.
    @inlinable
    @inline(__always)
    package func enter() -> Bool {
        guard
            phase.compareExchange(expected: Phase.idle, desired: Phase.draining, ordering: .acquiring).exchanged
        else { return false }
        drainer.store(CurrentThread.identity, ordering: .relaxed)
        return true
    }

    /// Goes on draining on this thread what was entered by none or by another, which has left it to this one.
    @inlinable
    package func adopt() {
        drainer.store(CurrentThread.identity, ordering: .relaxed)
    }

    /// Whether it is the calling thread that drains.
    @inlinable
    package var isDrainingHere: Bool {
        drainer.load(ordering: .relaxed) == CurrentThread.identity
    }

    /// Ends draining, if nothing waits.
    @inlinable
    @inline(__always)
    package func leave() -> Bool {
        drainer.store(0, ordering: .relaxed)
        return phase.compareExchange(expected: Phase.draining, desired: Phase.idle, ordering: .releasing).exchanged
    }

    /// What became of a message that was posted.
    @usableFromInline
    package enum Posting {
        /// The draining thread will process it.
        case enqueued
        /// It is enqueued, and the caller is to drain the queue.
        case drain
        /// It was dropped, as its chain was stopped.
        case stopped
    }

    /// Enqueues a message, also from within a transition.
    ///
    /// - Parameter isCounted: Whether the chain guard counts the message, and may drop it.
    @inlinable
    @inline(never)
    package func post(_ message: Message, isCounted: Bool = false) -> Posting {
        guard isDrainingHere else { return enqueue(Queued(message: message, chain: nil), isForeign: true) }
        let isKnown = sender != nil
        let sender = sender ?? ObjectIdentifier(self)
        switch chains.admit(from: sender, isKnown: isKnown, isCounted: isCounted) {
        case .admitted(let chain): return enqueue(Queued(message: message, chain: chain), isForeign: false)
        case .near(let chain): return postNearLimit(message, chain, from: sender)
        }
    }

    @inlinable
    @inline(never)
    func postNearLimit(_ message: Message, _ chain: Chain, from sender: ObjectIdentifier) -> Posting {
        let name = message.causeName
        if let named = chains.named(name, in: chain) {
            return enqueue(Queued(message: message, chain: named), isForeign: false)
        }
        if let stop = chains.stop(chain, at: name, from: sender) {
            let report = Message.stoppedChain(stop, dropping: message)
            _ = enqueue(Queued(message: report, chain: ChainGuard.report()), isForeign: false)
        }
        return .stopped
    }

    @inlinable
    func enqueue(_ queued: Queued, isForeign: Bool) -> Posting {
        inboxLock.lock()
        defer { inboxLock.unlock() }
        inbox.append(queued)
        if isForeign { foreign += 1 }
        return phase.exchange(Phase.backlog, ordering: .acquiringAndReleasing) == Phase.idle ? .drain : .enqueued
    }

    /// Processes messages until the queue is empty. The caller is the draining thread.
    @inlinable
    @inline(never)
    package func drain(handle: (Message) -> Void, handOver: () -> Void) {
        var share = Self.fairShare
        repeat {
            drainer.store(CurrentThread.identity, ordering: .relaxed)
            share -= takeBatch()
            for index in batch.indices {
                remaining = batch.count - index - 1
                chains.enter(batch[index].chain)
                handle(batch[index].message)
            }
            chains.enter(nil)
            batch.removeAll(keepingCapacity: batch.count <= Self.fairShare)
            if share <= 0, phase.load(ordering: .relaxed) == Phase.backlog {
                drainer.store(0, ordering: .relaxed)
                return handOver()
            }
        } while !leave()
    }

    /// Moves the queue into the batch. Returns how many of its messages other threads have sent.
    @inlinable
    func takeBatch() -> Int {
        inboxLock.lock()
        defer { inboxLock.unlock() }
        phase.store(Phase.draining, ordering: .relaxed)
        swap(&inbox, &batch)
        defer { foreign = 0 }
        return foreign
    }

    /// Whether no message waits behind the one that is being processed. Only the draining thread may ask.
    package var isQueueEmpty: Bool {
        remaining == 0 && phase.load(ordering: .relaxed) == Phase.draining
    }

    // MARK: - State

    /// Changes the state in place. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    package func change(_ transition: (inout State) -> Void) {
        stateLock.lock()
        changing.store(drainer.load(ordering: .relaxed), ordering: .relaxed)
        transition(&state.pointee)
        changing.store(0, ordering: .relaxed)
        stateLock.unlock()
    }

    /// Evaluates a transition that does not change the state; other threads may read the state meanwhile. Only the
    /// draining thread may call this.
    @inlinable
    @inline(__always)
    package func look<Result>(_ transition: (State) -> Result) -> Result {
        changing.store(drainer.load(ordering: .relaxed) | 1, ordering: .relaxed)
        defer { changing.store(0, ordering: .relaxed) }
        return transition(state.pointee)
    }

    /// Swaps the state with another one, so that the caller decides where the old state is released. Only the draining
    /// thread may call this.
    @inlinable
    @inline(__always)
    package func exchange(_ other: inout State) {
        stateLock.lock()
        swap(&state.pointee, &other)
        stateLock.unlock()
    }

    /// Reads the state. May be called from any thread, but not from within a transition of this core, which traps.
    @inlinable
    @inline(__always)
    package func read<Part>(_ part: (borrowing State) -> Part) -> Part {
        if isChangingHere { refuseFromTransition("asked for its state") }
        if !stateLock.tryLock() { waitForState() }
        defer { stateLock.unlock() }
        return part(state.pointee)
    }

    /// Locks the state that another thread uses. Traps if that thread waits for the calling one.
    @usableFromInline
    @inline(never)
    func waitForState() {
        let thread = CurrentThread.identity
        let isDeadlock = StateWaits.begin(on: thread, for: { [unowned self] in changing.load(ordering: .relaxed) })
        if isDeadlock { refuseInCycle() }
        stateLock.lock()
        StateWaits.end(on: thread)
    }

    private func refuseInCycle() -> Never {
        programmerError(
            """
            \(owner) was asked for its state from within a transition of another component, loop or store, while one \
            of its own transitions waits for the state of that one. Neither would ever end. \
            To fix, read the other state before the transition, and give the transition the value.
            """
        )
    }

    /// Whether the calling thread is inside a transition of this core.
    @inlinable
    package var isChangingHere: Bool {
        changing.load(ordering: .relaxed) & ~1 == CurrentThread.identity
    }

    /// Traps: the owner was used from within one of its own transitions in a way that needs the state.
    @usableFromInline
    @inline(never)
    package func refuseFromTransition(_ what: String) -> Never {
        programmerError(
            """
            \(owner) was \(what) from inside one of its own transitions. \
            To fix, use the state that the transition is given, or read the state before the transition. An observer of \
            another component or store, which a transition has sent to, runs inside that transition, too.
            """
        )
    }
}

/// How many messages may repeat a sender among their causes, unless the owner says otherwise.
@inlinable
package var defaultMaximumChain: Int { 2_000_000 }

/// The threads that wait for a state that another thread uses, so that two transitions that wait for each other are
/// found.
private enum StateWaits {
    private static let lock = Locked()
    // For each waiting thread the holder of what it waits for: the thread in a transition, or 0.
    nonisolated(unsafe) private static var holders: [UInt: () -> UInt] = [:]

    /// Registers that `thread` waits for what `holder` says has it. Returns whether that waits for `thread` in turn,
    /// directly or through others; then nothing is registered.
    ///
    /// Each thread registers before it waits, so the last one of a cycle finds all others. A thread in a transition
    /// holds its state until the transition ends, so what is found is a deadlock.
    static func begin(on thread: UInt, for holder: @escaping () -> UInt) -> Bool {
        lock.withLock {
            var next = holder()
            for _ in 0...holders.count {
                // A transition that does not hold its state lets others read it.
                if next == 0 || next & 1 != 0 { break }
                if next == thread { return true }
                guard let wait = holders[next] else { break }
                next = wait()
            }
            holders[thread] = holder
            return false
        }
    }

    static func end(on thread: UInt) {
        _ = lock.withLock { holders.removeValue(forKey: thread) }
    }
}
