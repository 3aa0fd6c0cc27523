public import ArchitectureEngine
import Dispatch
public import FunctionalCore
public import Synchronization

/// The runtime of a loop. Emitters of events hold it weakly, so the loop can be deallocated while they continue.
///
/// Unchecked: only the draining thread accesses the mutable state. Any other access could be a data race.
@usableFromInline
final class LoopRoot<Model: Sendable, Event: Sendable, Effect: Sendable>: @unchecked Sendable {
    @usableFromInline let core: SerialCore<Model, Message>
    @usableFromInline let setup: LoopSetup<Model, Event, Effect>
    @usableFromInline let disposal = Atomic<Bool>(false)
    @usableFromInline let settling = Settling()

    // Unchecked exclusivity: only the draining thread accesses these. Observers that are added or removed during a
    // notification take effect after it.
    @exclusivity(unchecked)
    @usableFromInline var isNotifying = false
    @exclusivity(unchecked)
    @usableFromInline var observers = Observers<Model>()
    @exclusivity(unchecked)
    @usableFromInline var joining: [Observer<Model>] = []
    @exclusivity(unchecked)
    @usableFromInline var effectHandler: Connection<Effect>?
    @exclusivity(unchecked)
    @usableFromInline var eventSource: EventSourceConnection<Model>?
    /// Calls from within the current transition, which are performed when it has ended.
    @exclusivity(unchecked)
    @usableFromInline var postponed: [() -> Void] = []

    @usableFromInline let actorQueue = AtomicLazyReference<ActorQueue>()

    /// A message in the queue.
    @usableFromInline
    enum Message {
        case event(Event)
        indirect case perform(() -> Void)
        indirect case stoppedChain(ChainStop)
    }

    /// A root at which the one who made it is: until `begin` everything waits.
    @inlinable
    init(model: Model, setup: LoopSetup<Model, Event, Effect>) {
        core = SerialCore(
            state: model, owner: setup.owner, maximumChain: setup.maximumChain, isEntered: true)
        self.setup = setup
        prepareSettling()
    }

    /// The main actor's observers share one, so that they are called in the order they registered.
    @usableFromInline
    var mainActorQueue: ActorQueue {
        actorQueue.load() ?? actorQueue.storeIfNil(ActorQueue(of: MainActor.shared))
    }

    @inlinable
    var isDisposed: Bool { disposal.load(ordering: .acquiring) }

    @inlinable
    var queue: LoopQueue? { setup.queue }
}

// MARK: - Beginning and ending

extension LoopRoot {
    /// Connects the effect handler and the event source, dispatches the first effects, and then processes the events that
    /// were enqueued meanwhile.
    @inlinable
    func begin(
        connectEffectHandler: () -> Connection<Effect>,
        connectEventSource: () -> EventSourceConnection<Model>?,
        observers: [Observer<Model>] = [],
        first: (Model) -> First<Model, Effect>
    ) {
        core.adopt()
        // Asked after each step: any of them may have disposed it, and another thread even before the first.
        connect: if !isDisposed {
            let first = first(core.state.pointee)
            var model = first.model
            core.exchange(&model)
            if isDisposed { break connect }
            effectHandler = connect(connectEffectHandler)
            if isDisposed { break connect }
            eventSource = connectEventSource()
            if isDisposed { break connect }
            eventSource?.accept?(first.model)
            for observer in observers where !isDisposed {
                self.observers.append(observer)
                observer.accept(core.state)
            }
            perform(first.effects)
        }
        // The thread that disposed the loop could not dispose what was connected afterwards.
        if isDisposed { tearDown() }
        if !core.leave() { drain() }
    }

    /// Ends everything. Events that wait are dropped, as are those that come later. Thread-safe.
    ///
    /// Called from within a transition, it disposes the connections right after that. If another thread is handling an
    /// event, the connections are disposed after the event, on the loop's queue, or for a raw loop on a thread of their
    /// own: the draining thread of a raw loop may be the very work that a disposable waits for.
    func dispose() {
        if disposal.exchange(true, ordering: .acquiringAndReleasing) { return }
        settling.close()
        afterTransition { [self] in
            if core.isDrainingHere { return tearDown() }
            guard queue == nil else { return send(.perform { [self] in tearDown() }) }
            guard core.enter() else { return send(.perform { [self] in tearDownElsewhere() }) }
            tearDown()
            if !core.leave() { drain() }
        }
    }

    /// From now on drops events, also those that wait. Thread-safe; `tearDown` is to follow.
    func close() {
        disposal.store(true, ordering: .releasing)
        settling.close()
    }

    /// Calls `body`: now, or if the calling thread is inside a transition, right after that.
    func afterTransition(_ body: @escaping () -> Void) {
        // Only the draining thread can be inside a transition.
        if core.isChangingHere { postponed.append(body) } else { body() }
    }

    @usableFromInline
    @inline(never)
    func performPostponed() {
        let bodies = postponed
        postponed = []
        for body in bodies { body() }
    }

    /// Disposes the handler, the observers and the source on another thread. Only the draining thread may call this,
    /// between two messages.
    private func tearDownElsewhere() {
        let (handler, source) = (effectHandler, eventSource)
        (effectHandler, eventSource) = (nil, nil)
        let observers = joining + observers.removeAll().compactMap { $0 }
        joining = []
        // Not a task: the disposables may block the thread.
        DispatchQueue.global().async {
            handler?.dispose()
            for observer in observers { observer.cancellation.cancel() }
            source?.dispose()
        }
    }

    /// Disposes the handler, the observers and the source. Must be called by the draining thread, or on the loop's queue,
    /// where no other thread drains. A second call does nothing.
    @usableFromInline
    func tearDown() {
        let (handler, source) = (effectHandler, eventSource)
        (effectHandler, eventSource) = (nil, nil)
        handler?.dispose()
        for observer in joining { observer.cancellation.cancel() }
        joining = []
        if isNotifying {
            observers.markCancelled()
            send(.perform { [self] in removeCancelled() })
        } else {
            observers.cancelAll()
        }
        source?.dispose()
    }
}

// MARK: - Events

extension LoopRoot {
    /// Has an event handled. Any thread.
    @inlinable
    @inline(__always)
    func dispatch(_ event: Event) {
        guard queue == nil, core.enter() else { return send(.event(event)) }
        handle(event)
        if !core.leave() { drain() }
    }

    /// Leaves a message for its turn.
    @inlinable
    @inline(never)
    func send(_ message: Message) {
        let isEvent = if case .event = message { true } else { false }
        if core.post(message, isCounted: isEvent) == .drain { schedule() }
    }

    @inlinable
    func schedule() {
        if let queue { queue.async { [self] in drain() } } else { drain() }
    }

    @inlinable
    @inline(never)
    func drain() {
        core.drain(handle: handle, handOver: handOver)
    }

    @inlinable
    func handOver() {
        if queue == nil { Task { [self] in drain() } } else { schedule() }
    }

    @inlinable
    func handle(_ message: Message) {
        switch message {
        case .event(let event): handle(event)
        case .perform(let body): body()
        case .stoppedChain(let stop): report(stop)
        }
    }

    @usableFromInline
    func report(_ stop: ChainStop) {
        let sender =
            switch stop.sender {
            case ObjectIdentifier(self): "The effect handler"
            case ObjectIdentifier(core): "An update"
            case eventSource.map({ ObjectIdentifier($0) }): "The event source"
            default: "An observer"
            }
        FunctionalCore.report(stop.description(of: "\(sender) of \(setup.owner)"))
    }

    @inlinable
    @inline(__always)
    func handle(_ event: Event) {
        if isDisposed { return }
        if let logger = setup.logger { return handle(event, telling: logger) }
        if !joining.isEmpty { join() }
        conclude(change(by: event))
    }

    /// Calls the update and changes the model. If the update returns a model, the old one is released after the change,
    /// because objects that it releases may call the loop.
    @inlinable
    @inline(__always)
    func change(by event: Event) -> Change<Effect> {
        guard let next = setup.update.next else {
            var change = Change<Effect>(isModelNew: false, effects: [])
            core.change { model in change = setup.update.apply(&model, event) }
            return change
        }
        let answer = core.look { model in next(model, event) }
        guard var model = answer.model else { return Change(isModelNew: false, effects: answer.effects) }
        core.exchange(&model)
        return Change(isModelNew: true, effects: answer.effects)
    }

    @usableFromInline
    @inline(never)
    func handle(_ event: Event, telling logger: AnyMobiusLogger<Model, Event, Effect>) {
        logger.willUpdate(model: core.state.pointee, event: event)
        // The logger may have ended the loop.
        if isDisposed { return }
        if !joining.isEmpty { join() }
        // An update in place copies a model that is held here.
        let old = logger.usesPreviousModel ? core.state.pointee : nil
        let change = change(by: event)
        let next = Next(model: change.isModelNew ? core.state.pointee : nil, effects: change.effects)
        if let old {
            logger.didUpdate(model: old, event: event, next: next)
        } else {
            logger.didUpdate(event: event, next: next)
        }
        conclude(change)
    }

    /// Notifies the event source and the observers of the model if it is new, and dispatches the effects.
    @inlinable
    @inline(__always)
    func conclude(_ change: Change<Effect>) {
        if !postponed.isEmpty { performPostponed() }
        if change.isModelNew {
            if let eventSource, let accept = eventSource.accept {
                core.sender = ObjectIdentifier(eventSource)
                accept(core.state.pointee)
                core.sender = nil
            }
            if !observers.isEmpty { notify() }
        }
        if !change.effects.isEmpty { perform(change.effects) }
    }

    @inlinable
    func perform(_ effects: [Effect]) {
        for effect in effects {
            // Asked each time: it may be disposed by any of them.
            guard let effectHandler else { break }
            core.sender = ObjectIdentifier(self)
            effectHandler.accept(effect)
        }
        core.sender = nil
    }
}

// MARK: - The model

extension LoopRoot {
    /// The model as it is now. Thread-safe, but traps in the update function.
    @inlinable
    var model: Model {
        if core.isChangingHere { refuseInUpdate("was asked for its model") }
        return core.read { $0 }
    }

    /// Traps: the update function used its own loop.
    @usableFromInline
    @inline(never)
    func refuseInUpdate(_ what: String) -> Never {
        programmerError(
            """
            \(setup.owner) \(what) in its own update function. \
            To fix, use the model that the update function is given, or leave it to an effect.
            """
        )
    }
}

// MARK: - Observers

extension LoopRoot {
    @inlinable
    func notify() {
        isNotifying = true
        core.notify(&observers)
        isNotifying = false
    }

    /// Takes those up who came from within the handling of an event. They have seen the model as it is, so before it
    /// changes; and before anybody who comes later.
    @usableFromInline
    func join() {
        let joined = joining
        joining = []
        for observer in joined { observers.append(observer) }
    }

    private func removeCancelled() {
        join()
        observers.removeCancelled()
    }

    /// Adds an observer and shows it the model: at once, unless another thread is handling an event.
    @usableFromInline
    func attach(_ observer: Observer<Model>) -> Registration {
        if core.isChangingHere { refuseInUpdate("was observed") }
        if core.isDrainingHere {
            joining.append(observer)
            observer.accept(core.state)
        } else {
            send(
                .perform { [self] in
                    if isDisposed { return observer.cancellation.cancel() }
                    // Cancelled while it was enqueued.
                    if observer.isCancelled { return }
                    join()
                    observers.append(observer)
                    observer.accept(core.state)
                }
            )
        }
        return Registration { [weak self, cancellation = observer.cancellation] in
            cancellation.cancel()
            self?.send(
                .perform { [weak self] in
                    self?.join()
                    // Released after the change of the list.
                    _ = self?.observers.remove(cancellation)
                })
        }
    }
}

// MARK: - Settling

extension LoopRoot {
    /// Waits until the queue is empty and no handler is at work that ends by itself, and with `observers` until those on
    /// actors have been notified, too.
    func settled(includingObservers observers: Bool) async throws {
        try await settling.wait(flushing: observers ? mainActorQueue : nil)
    }

    @usableFromInline
    func prepareSettling() {
        settling.enqueue = { [weak self] check in
            self?.send(.perform { [weak self] in if let self { check(core.isQueueEmpty) } })
        }
    }

    /// Connects the effect handler, whose router counts its work for this loop.
    @usableFromInline
    func connect(_ effectHandler: () -> Connection<Effect>) -> Connection<Effect> {
        Settling.$connecting.withValue(settling, operation: effectHandler)
    }
}
