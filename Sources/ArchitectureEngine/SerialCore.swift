public import FunctionalCore
public import Synchronization

/// Takes messages from any thread and has them handled one at a time, in the order they came: whoever finds nobody at
/// it handles its own message, and then those that came meanwhile.
///
/// What is sent while a message is being handled waits its turn, also from within; so causes come before consequences
/// for everyone, and a chain of any length needs no stack. Handling a message is the right to change the state: nobody
/// else writes. The idea of a queue that drains itself comes from RxFeedback.
///
/// Unchecked: `state` is written by the thread that drains alone, and under `stateLock`, which others read under;
/// `inbox` is touched under `inboxLock` alone.
@usableFromInline
package final class SerialCore<State, Message>: @unchecked Sendable {
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
    @usableFromInline var inbox: [Message] = []
    @exclusivity(unchecked)
    @usableFromInline var foreign = 0
    // What the drain works through: the two change places, so that a chain of messages allocates nothing.
    @exclusivity(unchecked)
    @usableFromInline var batch: [Message] = []

    // The lock of the state, that of the inbox, and the state, in one piece: there may be very many cores.
    @usableFromInline let stateLock: Lock
    @usableFromInline package let state: UnsafeMutablePointer<State>
    // The thread that is inside a transition, or 0; and the one that drains.
    @usableFromInline let changing = Atomic<UInt>(0)
    @usableFromInline let drainer = Atomic<UInt>(0)

    // What the messages of a core that calls back into itself are reported as: the name of its owner's type.
    @usableFromInline let owner: Any.Type

    /// After so many messages of other threads a drain hands over, so that no thread works for the rest for ever.
    @inlinable static var fairShare: Int { 1_000 }

    /// A core at which nobody is. With `isEntered`, one at which somebody is already: who takes it over by `adopt()`.
    @inlinable
    package init(state: State, owner: Any.Type, isEntered: Bool = false) {
        if isEntered { phase.store(Phase.draining, ordering: .relaxed) }
        (stateLock, self.state) = Self.makeMemory()
        self.state.initialize(to: state)
        self.owner = owner
    }

    deinit {
        state.deinitialize(count: 1)
        inboxLock.end()
        stateLock.end()
        (UnsafeMutableRawPointer(state) - Self.offsetOfState).deallocate()
    }

    // MARK: - Memory

    @usableFromInline
    static func makeMemory() -> (Lock, UnsafeMutablePointer<State>) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: offsetOfState + MemoryLayout<State>.size, alignment: max(16, MemoryLayout<State>.alignment))
        _ = Lock(in: memory + Lock.size)
        return (Lock(in: memory), (memory + offsetOfState).bindMemory(to: State.self, capacity: 1))
    }

    private static var offsetOfState: Int {
        let alignment = MemoryLayout<State>.alignment
        return (2 * Lock.size + alignment - 1) / alignment * alignment
    }

    @usableFromInline
    var inboxLock: Lock {
        Lock(madeIn: UnsafeMutableRawPointer(state) - Self.offsetOfState + Lock.size)
    }

    // MARK: - Messages

    /// Has `handle` called with `message`: here and now, or by the thread that is draining, when its turn comes.
    /// Returns whether it has been handled.
    ///
    /// `handOver` is called when this thread has done its share of the work of others: it sees to it that
    /// `drain(handle:handOver:)` is called elsewhere.
    @inlinable
    @inline(__always)
    package func send(_ message: Message, handle: (Message) -> Void, handOver: () -> Void) -> Bool {
        guard enter() else {
            guard post(message) else { return false }
            drain(handle: handle, handOver: handOver)
            return true
        }
        handle(message)
        if !leave() { drain(handle: handle, handOver: handOver) }
        return true
    }

    /// Begins draining, if nobody is.
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

    /// Leaves a message for who drains. Returns whether that is now the caller.
    @inlinable
    @inline(never)
    package func post(_ message: Message) -> Bool {
        let thread = CurrentThread.identity
        if changing.load(ordering: .relaxed) == thread { calledBack("sent \(message)") }
        inboxLock.lock()
        defer { inboxLock.unlock() }
        inbox.append(message)
        if drainer.load(ordering: .relaxed) != thread { foreign += 1 }
        return phase.exchange(Phase.backlog, ordering: .acquiringAndReleasing) == Phase.idle
    }

    /// Handles what waits until nothing does. The caller is the one who drains.
    @inlinable
    @inline(never)
    package func drain(handle: (Message) -> Void, handOver: () -> Void) {
        var share = Self.fairShare
        repeat {
            drainer.store(CurrentThread.identity, ordering: .relaxed)
            share -= takeBatch()
            for index in batch.indices { handle(batch[index]) }
            batch.removeAll(keepingCapacity: batch.count <= Self.fairShare)
            if share <= 0, phase.load(ordering: .relaxed) == Phase.backlog {
                drainer.store(0, ordering: .relaxed)
                return handOver()
            }
        } while !leave()
    }

    /// Takes what waits over; returns how many messages of it other threads sent.
    @inlinable
    func takeBatch() -> Int {
        inboxLock.lock()
        defer { inboxLock.unlock() }
        phase.store(Phase.draining, ordering: .relaxed)
        swap(&inbox, &batch)
        defer { foreign = 0 }
        return foreign
    }

    // MARK: - State

    /// Changes the state, in place. Only who drains may call this.
    @inlinable
    @inline(__always)
    package func change(_ transition: (inout State) -> Void) {
        changing.store(drainer.load(ordering: .relaxed), ordering: .relaxed)
        stateLock.lock()
        transition(&state.pointee)
        stateLock.unlock()
        changing.store(0, ordering: .relaxed)
    }

    /// What `transition` makes of the state, which it does not change; others may read it meanwhile. Only who drains
    /// may call this.
    @inlinable
    @inline(__always)
    package func look<Result>(_ transition: (State) -> Result) -> Result {
        changing.store(drainer.load(ordering: .relaxed), ordering: .relaxed)
        defer { changing.store(0, ordering: .relaxed) }
        return transition(state.pointee)
    }

    /// Puts another state in the place of the state, and hands that back: so it goes away where the caller wants it to.
    /// Only who drains may call this.
    @inlinable
    @inline(__always)
    package func exchange(_ other: inout State) {
        stateLock.lock()
        swap(&state.pointee, &other)
        stateLock.unlock()
    }

    /// Reads the state as it is now. Any thread, but not from inside a transition.
    @inlinable
    @inline(__always)
    package func read<Part>(_ part: (borrowing State) -> Part) -> Part {
        if changing.load(ordering: .relaxed) == CurrentThread.identity { calledBack("asked for its state") }
        stateLock.lock()
        defer { stateLock.unlock() }
        return part(state.pointee)
    }

    /// Whether the calling thread is inside a transition of this core.
    @inlinable
    package var isChangingHere: Bool {
        changing.load(ordering: .relaxed) == CurrentThread.identity
    }

    /// Stops the process: the owner's own transition called it.
    @usableFromInline
    @inline(never)
    package func calledBack(_ what: String) -> Never {
        fault(
            """
            \(owner) was \(what) from inside one of its own transitions. \
            To fix, use the state that the transition is given, and send from an effect or an observer.
            """
        )
    }
}
