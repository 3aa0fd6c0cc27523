public import FunctionalCore
import Synchronization

extension RuntimeCore {
    /// The address of the state. Only the draining thread may read there, and no thread may write.
    @inlinable
    package var state: UnsafePointer<State> { UnsafePointer(lockedState.address) }

    /// Changes the state in place. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    package func change(_ transition: (inout State) -> Void) {
        lockedState.lock()
        changing.store(drainer.load(ordering: .relaxed), ordering: .relaxed)
        transition(&lockedState.address.pointee)
        changing.store(0, ordering: .relaxed)
        lockedState.unlock()
    }

    /// Evaluates a transition that does not change the state; other threads may read the state meanwhile. Only the
    /// draining thread may call this.
    @inlinable
    @inline(__always)
    package func evaluate<Result>(_ transition: (State) -> Result) -> Result {
        changing.store(drainer.load(ordering: .relaxed) | 1, ordering: .relaxed)
        defer { changing.store(0, ordering: .relaxed) }
        return transition(state.pointee)
    }

    /// Swaps the state with another one, so that the caller decides where the old state is released. Only the draining
    /// thread may call this.
    @inlinable
    @inline(__always)
    package func swapState(_ other: inout State) {
        lockedState.lock()
        swap(&lockedState.address.pointee, &other)
        lockedState.unlock()
    }

    /// Reads the state. May be called from any thread, but not from within a transition of this core, which traps.
    @inlinable
    @inline(__always)
    package func read<Part>(_ part: (borrowing State) -> Part) -> Part {
        if isChangingHere { refuseFromTransition("asked for its state") }
        if !lockedState.tryLock() { waitForState() }
        defer { lockedState.unlock() }
        return part(state.pointee)
    }

    /// Locks the state that another thread uses. Traps if that thread waits for the calling one.
    @usableFromInline
    @inline(never)
    func waitForState() {
        let thread = CurrentThread.identity
        let isDeadlock = StateWaits.begin(on: thread, for: { [unowned self] in changing.load(ordering: .relaxed) })
        if isDeadlock { refuseInCycle() }
        lockedState.lock()
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

/// The threads that wait for a state that another thread uses, so that two transitions that wait for each other are
/// found.
private enum StateWaits {
    // For each waiting thread the thread that uses the state it waits for, or 0.
    private static let holders = Locked<[UInt: () -> UInt]>([:])

    /// Registers that `thread` waits for a state that the thread returned by `holder` uses. Returns whether that thread
    /// waits for `thread` in turn, directly or through others. In this case nothing is registered.
    ///
    /// Each thread registers before it waits, so the last one of a cycle finds all others. A thread in a transition
    /// holds its state until the transition ends, so a cycle that is found is a deadlock.
    static func begin(on thread: UInt, for holder: @escaping () -> UInt) -> Bool {
        holders.withLock { holders in
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
        _ = holders.withLock { $0.removeValue(forKey: thread) }
    }
}
