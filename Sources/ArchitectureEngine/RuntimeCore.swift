public import FunctionalCore
public import Synchronization

/// The fields of a runtime: its queue, its state, its observers, and the callers that wait until it has settled. The
/// functions of `Runtime` use these fields.
///
/// Unchecked: `MessageQueue` documents who uses the fields without a lock. The draining thread holds the lock of the
/// state while it changes the state. Other threads hold this lock while they read the state.
@usableFromInline
package final class RuntimeCore<StateValue, Payload, Failure>: MessageQueue<Payload>, @unchecked Sendable {
    @usableFromInline let lockedState: Locked<StateValue>
    // The identity of the thread that is inside a transition, or 0 if no thread is. The lowest bit is set if the
    // transition does not hold the lock of the state.
    @usableFromInline let changing = Atomic<UInt>(0)
    // Changed under the lock of the state.
    @usableFromInline let changes = Atomic<Int>(0)

    // The type that messages to the user name as the owner of this core, such as a component.
    @usableFromInline let owner: Any.Type
    @usableFromInline package let scheduler: Scheduler
    @usableFromInline package let isInline: Bool
    /// The recorder of the owner's trace, or `nil` if the owner has no trace.
    @usableFromInline package let tracer: Tracer?

    /// The observers of the state.
    ///
    /// Only the draining thread may use this list and `failureObservers`, and changing a list calls no observer. So
    /// exclusive access to the lists is not checked, for speed.
    @exclusivity(unchecked)
    @safe
    @usableFromInline package var observers = CancellableList<Observer<StateValue>>()
    /// The observers of failures.
    @exclusivity(unchecked)
    @safe
    @usableFromInline package var failureObservers = CancellableList<Observer<Failure>>()
    /// The count of the finite work that is under way, and the callers that wait until the runtime has settled.
    @usableFromInline package let settling = Settling()
    private let lazyMainActorQueue = AtomicLazyReference<ActorQueue>()

    /// Creates a core.
    ///
    /// - Parameters:
    ///   - owner: The type that messages to the user name as the owner of the core.
    ///   - maximumChain: The maximum number of messages of one chain whose sender is already among their causes; see
    ///     `Chain`. If it is the default, the trace may set another maximum.
    ///   - isSuspended: Whether messages are only enqueued until a thread calls `takeOver()`. That thread becomes the
    ///     draining thread, and must process the messages and end the drain.
    ///   - carrying: The task-local values that work takes from the sender of its message, or `nil`.
    ///   - trace: The trace that records what happens, or `nil`. With a trace, the initializer of the runtime must call
    ///     `observeForTrace()`.
    ///   - tracer: The tracer to use instead of a new tracer of `trace`.
    @inlinable
    package init(
        state: StateValue, owner: Any.Type, scheduler: Scheduler = .inline(nil),
        maximumChain: Int = defaultMaximumChain, isSuspended: Bool = false, carrying: CarriedValues? = nil,
        trace: Trace? = nil, tracer: Tracer? = nil
    ) {
        lockedState = Locked(state)
        self.owner = owner
        self.scheduler = scheduler
        isInline = if case .inline = scheduler { true } else { false }
        self.tracer = tracer ?? trace.map { Tracer($0, owner: owner) }
        checkCount(maximumChain, of: "The maximumChain of \(owner)")
        let isDefault = maximumChain == defaultMaximumChain
        super.init(
            maximumChain: isDefault ? self.tracer?.maximumChain ?? maximumChain : maximumChain,
            isSuspended: isSuspended, carrying: carrying)
    }

    /// The queue of the main actor. All observers on the main actor share this queue, so that they are called in
    /// registration order.
    @usableFromInline
    package var mainActorQueue: ActorQueue {
        lazyMainActorQueue.load() ?? lazyMainActorQueue.storeIfNil(ActorQueue(of: MainActor.shared))
    }
}
