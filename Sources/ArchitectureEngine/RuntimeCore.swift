public import FunctionalCore
public import Synchronization

/// The fields of a runtime: its queue, its state, its observers, and its waiting callers. `Runtime` uses them.
///
/// Unchecked: see `MessageQueue` for the fields without a lock. Under the lock of the state, the draining thread
/// changes the state, and other threads read it.
@usableFromInline
package final class RuntimeCore<State, Payload, Failure>: MessageQueue<Payload>, @unchecked Sendable {
    @usableFromInline let lockedState: Locked<State>
    // The thread that is inside a transition, or 0 if no thread is. The lowest bit is set if the transition does not
    // hold the lock of the state.
    @usableFromInline let changing = Atomic<UInt>(0)

    // The name of the owner's type, for messages to the user.
    @usableFromInline let owner: Any.Type
    @usableFromInline package let scheduler: Scheduler
    @usableFromInline package let isInline: Bool
    /// Whether a message is processed at once if the queue is idle, without a record in a trace.
    @usableFromInline package let isDirect: Bool
    /// The recorder of the owner's trace, or `nil` if the owner has no trace.
    @usableFromInline package let tracer: Tracer?

    /// The observers of the state. Only the draining thread may use the two lists, and no change of one calls an observer.
    /// So exclusive access is not checked, for speed.
    @exclusivity(unchecked)
    @safe
    @usableFromInline package var observers = CancellableList<Observer<State>>()
    /// The observers of failures.
    @exclusivity(unchecked)
    @safe
    @usableFromInline package var failureObservers = CancellableList<Observer<Failure>>()
    /// The finite work, and the callers that wait for its end.
    @usableFromInline package let settling = Settling()
    private let lazyMainActorQueue = AtomicLazyReference<ActorQueue>()

    /// Creates a core.
    ///
    /// - Parameters:
    ///   - owner: The type by which the user knows the owner, for messages.
    ///   - maximumChain: The number of messages that may repeat a sender among their causes; see `Chain`. A trace may
    ///     replace the default.
    ///   - isSuspended: Whether messages are only enqueued, as if a thread were draining. A thread that calls
    ///     `takeOver()` becomes the draining thread, and ends the drain like any other draining thread.
    ///   - trace: Records what happens. The initializer of the runtime must then call `observeForTrace()`.
    ///   - tracer: Records what happens, in place of a new tracer of `trace`.
    @inlinable
    package init(
        state: State, owner: Any.Type, scheduler: Scheduler = .inline(nil), maximumChain: Int = defaultMaximumChain,
        isSuspended: Bool = false, trace: Trace? = nil, tracer: Tracer? = nil
    ) {
        lockedState = Locked(state)
        self.owner = owner
        self.scheduler = scheduler
        isInline = if case .inline = scheduler { true } else { false }
        self.tracer = tracer ?? trace.map { Tracer($0, owner: owner) }
        isDirect = isInline && self.tracer == nil
        checkCount(maximumChain, of: "The maximumChain of \(owner)")
        let isDefault = maximumChain == defaultMaximumChain
        super.init(
            maximumChain: isDefault ? self.tracer?.maximumChain ?? maximumChain : maximumChain,
            isSuspended: isSuspended)
    }

    /// The queue of the main actor. All observers on the main actor share this queue, so that they are called in
    /// registration order.
    @usableFromInline
    package var mainActorQueue: ActorQueue {
        lazyMainActorQueue.load() ?? lazyMainActorQueue.storeIfNil(ActorQueue(of: MainActor.shared))
    }
}

extension RuntimeCore {
    /// Calls each observer, in order. Returns whether one of them is cancelled.
    ///
    /// The list is a copy: an observer may register others, or cancel some, while it is called.
    @inlinable
    func notify<Value>(_ notified: CancellableList<Observer<Value>>, of value: Borrowed<Value>) -> Bool {
        var areSomeCancelled = false
        let before = confined.sender
        // The list retains its observers; a retain and a release for each call would cost as much as the call. So no
        // name refers to an observer: the compiler would retain it, since its call may change any memory.
        unsafe notified.entries.withUnsafeBufferPointer { observers in
            for index in observers.indices {
                guard let entry = unsafe observers[index].map(Unretained.init) else { continue }
                entry.with { observer in
                    if !observer.isCancelled {
                        confined.sender = ObjectIdentifier(observer)
                        observer.accept(value)
                    }
                    // Its own call, or a released owner, may have cancelled it.
                    if observer.isCancelled { areSomeCancelled = true }
                }
            }
        }
        confined.sender = before
        return areSomeCancelled
    }
}

/// Where messages are processed.
@usableFromInline
package enum Scheduler: Sendable {
    /// Each message is processed on the thread that sends it. After its fair share of messages from other threads, a
    /// drain continues in a task on the executor.
    case inline((any TaskExecutor)?)
    /// Messages are processed in calls that the closure makes later, one after the other. The argument of the closure
    /// is the function that drains the queue.
    case queue(@Sendable (@escaping @Sendable () -> Void) -> Void)

    /// The executor of the tasks that messages start.
    package var executor: (any TaskExecutor)? { if case .inline(let executor) = self { executor } else { nil } }
}

/// The number of messages that may repeat a sender among their causes, unless the owner sets another number.
@inlinable
package var defaultMaximumChain: Int { 2_000_000 }
