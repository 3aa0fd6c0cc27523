public import FunctionalCore

/// The engine of a component, a loop or a store. It consists of a queue, a state that only the queue's messages change,
/// and observers of the state. Callers can wait until the runtime has settled. A conforming type defines how it handles
/// a payload: an input, an event or an action. The extensions contain everything else. They are inlinable, so that the
/// compiler specializes the path of a message for the types of a client. Other code takes about four times as long.
///
/// To read the engine, begin here. Then read `MessageQueue` for the queue, `RuntimeCore` for the other fields,
/// `RuntimeCore+State` for the state and the notification of its observers, and `Observer` for the observers.
@usableFromInline
package protocol Runtime: AnyObject, Sendable {
    associatedtype StateValue: Sendable
    associatedtype Payload
    associatedtype Failure

    var core: RuntimeCore<StateValue, Payload, Failure> { get }

    /// Processes a payload. The draining thread calls this, for payloads from the queue and within `send(_:)`.
    func handle(_ payload: Payload)

    /// Returns whether a payload is dropped when its turn comes, because the owner has ended or the payload was
    /// cancelled.
    func drops(_ payload: Payload) -> Bool

    /// Drops a payload in place of `handle(_:)`, and records the drop if the runtime has a trace.
    func drop(_ payload: Payload)

    /// Reports a chain of messages that was stopped at `payload`, which is dropped. The draining thread calls this.
    func report(_ stop: ChainStop, dropping payload: Payload)

    /// Returns the name of a payload for the report of a stopped chain, with the redactions of the tracer.
    static func name(of payload: Payload, in tracer: Tracer?) -> String

    /// Returns the input, the event or the action of a payload, for a trace.
    static func message(in payload: Payload) -> any Sendable

    /// Returns the kind of a sender, for a trace. `sender` is `nil` if the sender is unknown.
    func source(of sender: ObjectIdentifier?) -> TraceEvent.Source

    /// Traps, because the runtime was used from within one of its own transitions.
    ///
    /// - Parameter use: The use, as a participle: "observed".
    func refuse(_ use: String) -> Never
}

// MARK: - Messages

extension Runtime {
    /// Processes a payload on this thread if the scheduler is inline and the queue is idle. Otherwise sends it through
    /// the queue. If `cancellation` is cancelled when its turn comes, drops it. May be called from any thread.
    ///
    /// A component has a `send` of its own, which returns a handle.
    @inlinable
    @inline(__always)
    package func send(_ payload: Payload, until cancellation: Cancellation? = nil) {
        if !processNow({ process(payload, from: nil, until: cancellation) }) {
            _ = sendThroughQueue(payload, until: cancellation)
        }
    }

    /// Calls `body` to process a message, and then processes the messages that were sent meanwhile. Returns `false`
    /// without calling `body` if the scheduler is not inline or the queue is not idle.
    @inlinable
    @inline(__always)
    package func processNow(_ body: () -> Void) -> Bool {
        guard core.isInline, core.enter() else { return false }
        body()
        if !core.leave() { drain() }
        return true
    }

    /// Enqueues a payload. If no thread drains the queue, drains it: on this thread if the scheduler is inline, and
    /// asynchronously otherwise.
    ///
    /// - Returns: `false` if the payload was dropped, because its chain was stopped.
    @inlinable
    @inline(never)
    package func sendThroughQueue(_ payload: Payload, until cancellation: Cancellation? = nil) -> Bool {
        let tracer = core.tracer
        let sender = tracer.map { origin(in: $0) }
        switch core.post(payload, from: sender, until: cancellation, in: tracer, name: Self.name(of:in:)) {
        case .enqueued: break
        case .drain: schedule()
        case .stopped:
            recordDrop(of: payload, because: .endlessChain)
            return false
        }
        return true
    }

    /// Calls `body` now if the scheduler is inline and the queue is idle. Otherwise enqueues a call of `body`. May be
    /// called from any thread.
    @usableFromInline
    package func perform(_ body: @escaping () -> Void) {
        let body = core.tracer == nil ? body : traced(body)
        if processNow(body) { return }
        if core.post(body) == .drain { schedule() }
    }

    /// Processes messages until the queue is empty, or until the scheduler must continue the drain elsewhere. Must be
    /// called while the queue is not idle and no other thread drains it.
    @inlinable
    @inline(never)
    package func drain() {
        let isEmpty = core.drain { process($0) }
        if !isEmpty { drainElsewhere() }
    }

    @inlinable
    @inline(__always)
    func process(_ message: Message<Payload>) {
        switch message {
        // Not recorded: with a trace, each payload in the queue has an origin.
        case .payload(let payload): if drops(payload) { drop(payload) } else { handle(payload) }
        case .sent(let payload, let origin, let cancellation): process(payload, from: origin, until: cancellation)
        case .perform(let body): body()
        case .bound(let values, let message): process(message, with: values)
        case .stoppedChain(let stop, let payload): report(stop, dropping: payload)
        }
    }

    @usableFromInline
    @inline(never)
    func process(_ message: Message<Payload>, with values: CapturedValues) { values.bind { process(message) } }

    /// Processes or drops a payload, and records this if the runtime has a trace. `origin` is `nil` if there is no
    /// trace, or if the calling thread sends the payload now.
    @inlinable
    @inline(__always)
    func process(_ payload: Payload, from origin: TraceOrigin?, until cancellation: Cancellation?) {
        if drops(payload) || cancellation?.isCancelled == true { return drop(payload, from: origin) }
        record(Self.message(in: payload), from: origin) { handle(payload) }
    }

    /// Calls `body`, which processes a message, and records the message if the runtime has a trace. `origin` is `nil` if
    /// there is no trace, or if the calling thread sends the message now.
    @inlinable
    @inline(__always)
    package func record<Result>(
        _ message: @autoclosure () -> any Sendable, from origin: TraceOrigin? = nil, _ body: () -> Result
    ) -> Result {
        guard let tracer = core.tracer else { return body() }
        return tracer.process(message(), from: origin, body)
    }

    /// Returns `false`, for runtimes that drop no payloads.
    @inlinable
    package func drops(_ payload: Payload) -> Bool { false }

    /// Drops a payload of a runtime that does nothing else with it.
    @usableFromInline
    package func drop(_ payload: Payload) { recordDrop(of: payload, because: .cancelled) }

    /// Drains the queue: on this thread if the scheduler is inline, and asynchronously otherwise.
    @inlinable
    func schedule() {
        if core.isInline { drain() } else { drainElsewhere() }
    }

    @usableFromInline
    func drainElsewhere() {
        switch core.scheduler {
        case .inline(let executor): SendContext().startTask(on: executor) { [self] in drain() }
        case .queue(let async): async { [self] in drain() }
        }
    }
}

/// A runtime whose state can be tracked by `withObservationTracking`.
@usableFromInline
package protocol ObservableRuntime: Runtime {
    /// The bridge that notifies code that tracks the state. It retains closures that retain the core, and is not in it.
    var observation: ObservationBridge { get }
}

// MARK: - The state

extension ObservableRuntime {
    /// Changes the state in place, and notifies the observers. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    package func commit(_ transition: (inout StateValue) -> Void) {
        core.change(transition)
        publish()
    }

    /// Notifies the observers of the state and the code that tracks it. Only the draining thread may call this.
    @inlinable
    @inline(__always)
    package func publish() {
        if !core.observers.isEmpty { core.publish(to: core.observers) }
        if observation.isTracked { notifyTracking() }
    }

    /// Notifies the code that tracks the state. The chain guard attributes the messages that this code sends to an
    /// unknown sender. Without this, if a middleware has passed on the action that changed the state, they would count
    /// as messages of that middleware.
    @usableFromInline
    @inline(never)
    package func notifyTracking() {
        let before = core.confined.sender
        core.confined.sender = nil
        // A trace has its own sender for these messages: an observer.
        TraceCause.asObserver(observation.notify)
        core.confined.sender = before
    }
}

extension Runtime {
    @usableFromInline
    package func refuse(_ use: String) -> Never { core.refuseFromTransition(use) }
}

// MARK: - Observers

extension Runtime {
    /// Registers an observer and notifies it of the state, both in a call that `perform(_:)` makes. Traps within a
    /// transition.
    @usableFromInline
    package func attach(_ observer: Observer<StateValue>) -> Registration {
        refuseWithinTransition("observed")
        perform { [self] in core.add(observer) }
        return registration(observer.cancellation) { $0.observers.remove($1) }
    }

    /// Calls `body` on the main actor with `owner` and the state after each change of the state, until `owner` is
    /// deallocated. If `initial` is `true`, also calls `body` with the current state.
    @MainActor
    package func observe<Owner: AnyObject>(
        with owner: Owner, initial: Bool = true, buffering: AsyncStream<StateValue>.Continuation.BufferingPolicy,
        _ body: @escaping @MainActor (Owner, StateValue) -> Void
    ) -> Registration {
        let cancellation = Cancellation()
        let observer = Observer(
            isolation: MainActor.shared, by: core.mainActorQueue, buffering: buffering, until: cancellation
        ) { [weak owner] state in
            if let owner { body(owner, state) } else { cancellation.cancel() }
        }
        return attach(initial ? observer : observer.dropFirst())
    }

    /// Registers an observer of failures, in a call that `perform(_:)` makes. Traps within a transition.
    package func attachToFailures(_ observer: Observer<Failure>) -> Registration {
        refuseWithinTransition("observed")
        perform { [self] in core.failureObservers.append(observer) }
        return registration(observer.cancellation) { $0.failureObservers.remove($1) }
    }

    package func refuseWithinTransition(_ use: String) {
        if core.isChangingHere { refuse(use) }
    }

    /// Returns the registration of an entry, such as an observer. Cancelling the registration cancels the entry at
    /// once, and removes it from its list in a call that `perform(_:)` makes.
    ///
    /// - Parameter remove: Removes the entry from its list and returns it. The entry is released after the removal,
    ///   because its deallocation may send a message.
    package func registration<Entry>(
        _ cancellation: Cancellation,
        remove: @escaping @Sendable (RuntimeCore<StateValue, Payload, Failure>, Cancellation) -> Entry?
    ) -> Registration {
        Registration { [weak self] in
            cancellation.cancel()
            // The enqueued closure captures the runtime weakly, too. Otherwise a closure in the queue of a suspended
            // runtime would retain the runtime forever.
            self?.perform { [weak self] in
                guard let self else { return }
                _ = remove(core, cancellation)
            }
        }
    }

    /// Notifies the observers of failures. If there are none, `text` is written to standard error. Only the draining
    /// thread may call this.
    package func report(_ failure: Failure, unobserved text: @autoclosure () -> String) {
        guard core.failureObservers.hasAny else { return FunctionalCore.report(text()) }
        core.notifyFailureObservers(of: failure)
    }
}

// MARK: - Waiting

extension Runtime {
    /// Returns whether the queue is idle. If it is not, enqueues a call of `body`.
    package func isIdle(orPost body: @escaping @Sendable () -> Void) -> Bool {
        if core.isIdle { return true }
        perform(body)
        return false
    }

    /// Waits until the queue is empty and no finite work is under way, or until `core.settling` is closed. If
    /// `isIncludingObservers` is `true`, also waits until the observers on actors have been notified.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    package func settled(includingObservers isIncludingObservers: Bool) async throws {
        try await core.settling.wait(flushing: isIncludingObservers ? core.mainActorQueue : nil) { [weak self] check in
            self?.perform { [weak self] in if let self { check(core.isQueueEmpty) } }
        }
    }
}
