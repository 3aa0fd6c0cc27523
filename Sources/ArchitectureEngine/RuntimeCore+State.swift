public import FunctionalCore
import Synchronization

// MARK: - The state

extension RuntimeCore {
    /// The state, which is read without a copy and without the lock. Only the draining thread may read this property.
    /// `change(_:)` changes the state.
    @inlinable
    package var state: Borrowed<StateValue> {
        @inline(__always) get { lockedState.borrowed }
    }

    /// Changes the state in place. Only the draining thread may call this.
    ///
    /// - Parameter isCounted: Whether `changeCount` counts the change. Loops have no rows, which need the count.
    @inlinable
    @inline(__always)
    package func change(isCounted: Bool = true, _ transition: (inout StateValue) -> Void) {
        lockedState.lock()
        // `drainer` is the calling thread.
        changing.store(drainer.load(ordering: .relaxed), ordering: .relaxed)
        transition(&lockedState.unlocked)
        if isCounted { changes.store(changes.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
        changing.store(0, ordering: .relaxed)
        lockedState.unlock()
    }

    /// The number of counted changes. A state that is read after this number has all these changes.
    @inlinable
    package var changeCount: Int { changes.load(ordering: .acquiring) }

    /// Calls a transition that only reads the state, and returns its result. Only the draining thread may call this.
    ///
    /// The call needs no lock, because no other thread changes the state. Other threads may read the state meanwhile.
    @inlinable
    @inline(__always)
    package func evaluate<Result>(_ transition: (StateValue) -> Result) -> Result {
        changing.store(drainer.load(ordering: .relaxed) | 1, ordering: .relaxed)
        defer { changing.store(0, ordering: .relaxed) }
        return transition(state.value)
    }

    /// Swaps the state with `other`, so that the caller decides where the old state is released. Only the draining
    /// thread may call this.
    @inlinable
    @inline(__always)
    package func swapState(_ other: inout StateValue) {
        lockedState.lock()
        swap(&lockedState.unlocked, &other)
        lockedState.unlock()
    }

    /// Returns the result of `part` for the current state. `part` is called under the lock of the state. It receives the
    /// address, because a build without optimization copies a value that is passed on. May be called from any thread.
    /// Traps within a transition of this core, and if the thread that holds the lock waits for the calling thread.
    @inlinable
    @inline(__always)
    package func read<Part>(_ part: (Borrowed<StateValue>) -> Part) -> Part {
        if isChangingHere { refuseFromTransition("asked for its state") }
        if !lockedState.tryLock() { waitForState() }
        defer { lockedState.unlock() }
        return part(state)
    }

    /// The state, or `nil` while a thread holds its lock. May be read from any thread, and from within a transition.
    package var stateIfUnlocked: StateValue? {
        guard lockedState.tryLock() else { return nil }
        defer { lockedState.unlock() }
        return state.value
    }

    /// Returns a function that reads the state, for the environment of a component or a store.
    ///
    /// The function may be called from any thread, and traps within a transition of this core. It retains the core, but
    /// neither the runtime nor its owner. After the owner has been deallocated, the function returns the last state.
    ///
    /// - Parameter transition: The user's name for a transition, such as "`update`".
    @usableFromInline
    package func reader(within transition: String) -> @Sendable () -> StateValue {
        { [self] in
            if isChangingHere { refuseReader(within: transition) }
            return read { $0.value }
        }
    }

    private func refuseReader(within transition: String) -> Never {
        programmerError(
            """
            The state of \(owner) was read through its environment from inside one of its own transitions. \
            To fix, read the state before \(transition) and pass the value on, or use the state that \(transition) \
            receives.
            """
        )
    }

    /// Waits for another thread to unlock the state, and locks it. Traps if the other thread waits for the calling
    /// thread.
    @usableFromInline
    @inline(never)
    func waitForState() {
        let mayWait = LockWaits.begin { [unowned self] in
            let thread = changing.load(ordering: .relaxed)
            // An odd number marks a transition that does not hold the lock. No thread waits for it.
            return thread & 1 == 0 ? thread : 0
        }
        if !mayWait { refuseInCycle() }
        lockedState.lock()
        LockWaits.end()
    }

    private func refuseInCycle() -> Never {
        programmerError(
            """
            \(owner) was asked for its state by code that one of its own transitions waits for. \
            Neither would ever end. \
            To fix, read the other state before the transition, and give the transition the value. \
            Do not start or stop a controller in a transition.
            """
        )
    }

    /// Whether the calling thread is inside a transition of this core. The lowest bit of `changing` is ignored, because
    /// the identity of a thread is an even number.
    @inlinable
    package var isChangingHere: Bool {
        changing.load(ordering: .relaxed) & ~1 == CurrentThread.identity
    }

    /// Traps, because a transition of the owner has used the owner in a way that needs the state.
    ///
    /// - Parameter what: The use, as a participle: "observed".
    @usableFromInline
    @inline(never)
    package func refuseFromTransition(_ what: String) -> Never {
        programmerError(
            """
            \(owner) was \(what) from inside one of its own transitions. \
            To fix, use the state that the transition is given, or read the state before the transition. If the \
            transition itself does not do this, the likely cause is the `deinit` of a value that it drops: let the \
            `deinit` send an input or an action instead, which is processed after the transition. An observer of \
            another component or store, which a transition has sent to, runs inside that transition, too.
            """
        )
    }
}

// MARK: - Observers

extension RuntimeCore {
    /// The current observers, or `nil` if there are no observers. Only the draining thread may read this.
    @inlinable
    package var currentObservers: CancellableList<Observer<StateValue>>? { observers.isEmpty ? nil : observers }

    /// Calls `body`. The chain guard attributes the messages that `body` sends to `sender`. Only the draining thread
    /// may call this.
    @inlinable
    @inline(__always)
    package func attribute<Result>(to sender: AnyObject, _ body: () -> Result) -> Result {
        let before = confined.sender
        confined.sender = ObjectIdentifier(sender)
        defer { confined.sender = before }
        return body()
    }

    /// Calls each observer that is not cancelled, in registration order. Returns whether at least one observer is
    /// cancelled.
    ///
    /// `notified` is a copy of the list of observers, because an observer may register and cancel observers while it is
    /// called.
    @inlinable
    @inline(never)
    func notify<Value>(_ notified: CancellableList<Observer<Value>>, of value: Borrowed<Value>) -> Bool {
        var areSomeCancelled = false
        let before = confined.sender
        // The list retains its observers. If a variable referred to an observer, the compiler would also retain and
        // release the observer for each call, which would cost as much as the call. `Unretained` avoids this.
        unsafe notified.entries.withUnsafeBufferPointer { observers in
            for index in observers.indices {
                guard let entry = unsafe observers[index].map(Unretained.init) else { continue }
                entry.with { observer in
                    if !observer.isCancelled {
                        confined.sender = ObjectIdentifier(observer)
                        observer.accept(value)
                    }
                    // The observer may have been cancelled during its call, for example because its owner was
                    // deallocated.
                    if observer.isCancelled { areSomeCancelled = true }
                }
            }
        }
        confined.sender = before
        return areSomeCancelled
    }

    /// Notifies `notified`, an earlier copy of `observers`, of the state. Observers that were registered later are not
    /// notified. Only the draining thread may call this.
    @inlinable
    package func publish(to notified: CancellableList<Observer<StateValue>>) {
        let released = notify(notified, of: state) ? observers.removeCancelled() : []
        withExtendedLifetime(released) {}
    }

    package func notifyFailureObservers(of failure: Failure) {
        let notified = failureObservers
        let areSomeCancelled = Borrowed.with(failure) { notify(notified, of: $0) }
        let released = areSomeCancelled ? failureObservers.removeCancelled() : []
        withExtendedLifetime(released) {}
    }

    /// Adds an observer and notifies it of the state. Only the draining thread may call this.
    package func add(_ observer: Observer<StateValue>) {
        // The observer was cancelled while its registration was enqueued.
        if observer.isCancelled { return }
        observers.append(observer)
        attribute(to: observer) { observer.accept(state) }
    }

    /// Removes all observers. Only the draining thread may call this.
    ///
    /// The observers of the state are also cancelled. The observers of failures are not cancelled, so that a failure
    /// that is enqueued on an actor still reaches its observer.
    package func removeObservers() {
        if observers.isEmpty, failureObservers.isEmpty { return }
        let (observers, failureObservers) = (observers, failureObservers)
        self.observers = CancellableList()
        self.failureObservers = CancellableList()
        for case let observer? in observers.entries { observer.cancellation.cancel() }
        withExtendedLifetime(failureObservers) {}
    }
}
