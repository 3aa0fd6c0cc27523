public import ArchitectureEngine
import FunctionalCore
public import Synchronization

/// The runtime of a loop. It calls the update for each event, notifies the event source and the observers of a new
/// model, and passes the effects to the effect handler.
///
/// Unchecked: only the draining thread uses the variables. A change of a variable ends before the next access to it
/// begins. So exclusive access is not checked, for speed.
@usableFromInline
final class LoopRuntime<Model: Sendable, Event: Sendable, Effect: Sendable>: ObservableRuntime, @unchecked Sendable {
    @usableFromInline let core: RuntimeCore<Model, Event, Never>
    @usableFromInline let sharedSetup: SharedLoopSetup<Model, Event, Effect>
    @usableFromInline let disposal = Atomic<Bool>(false)
    /// Whether code may be tracking the model. Tracked reads set this flag, and a check that finds no tracking resets
    /// it. At first, it is `true` if the loop has a controller. The flag saves each event a load of the bridge, which
    /// would retain the bridge.
    @usableFromInline let mayBeTracked: Atomic<Bool>
    /// Whether the loop was closed from within a transition. If so, observers are not notified of the result of this
    /// transition, and its effects are not handled.
    @exclusivity(unchecked) @safe
    @usableFromInline var isCutShort = false
    /// The priority of the message whose effects were passed last; see `Settling.priority`.
    @exclusivity(unchecked) @safe
    @usableFromInline var passedPriority: UInt8 = 0
    let lazyObservation = AtomicLazyReference<ObservationBridge>()
    @exclusivity(unchecked) @safe
    @usableFromInline var effectHandler: Connection<Effect>?
    @exclusivity(unchecked) @safe
    @usableFromInline var eventSource: Connection<Model>?
    /// The function that records a new model and the number of observers that are notified of it. `nil` if the loop has
    /// no trace, has not started, or has ended.
    @exclusivity(unchecked) @safe
    private var recordChange: ((Borrowed<Model>, Int) -> Void)?

    /// Creates a runtime that only enqueues messages until `begin` is called.
    @inlinable
    init(model: Model, setup sharedSetup: SharedLoopSetup<Model, Event, Effect>) {
        let setup = sharedSetup.value
        core = RuntimeCore(
            state: model, owner: setup.owner, scheduler: setup.scheduler, maximumChain: setup.maximumChain,
            isSuspended: true, carrying: setup.carrying, tracer: setup.tracer)
        self.sharedSetup = sharedSetup
        mayBeTracked = Atomic(setup.observation != nil)
    }

    @inlinable
    var setup: LoopSetup<Model, Event, Effect> { sharedSetup.value }

    @inlinable
    var isDisposed: Bool { disposal.load(ordering: .acquiring) }

    @inlinable
    func drops(_ event: Event) -> Bool { isDisposed }

    @usableFromInline
    func drop(_ event: Event) { setup.drop(event) }
}

// MARK: - Events

extension LoopRuntime {
    @inlinable
    @inline(__always)
    func handle(_ event: Event) {
        if let logger = setup.logger { return handle(event, telling: logger) }
        // Observers that register after the change have seen the new model.
        let observers = core.currentObservers
        conclude(change(by: event), notifying: observers)
    }

    @inlinable
    @inline(never)
    func handle(_ event: Event, telling logger: AnyMobiusLogger<Model, Event, Effect>) {
        logger.willUpdate(model: core.state.value, event: event)
        // The logger may have disposed the loop.
        guard !isDisposed else { return drop(event) }
        let observers = core.currentObservers
        // While `old` retains the model, an update in place copies the model.
        let old = logger.usesPreviousModel ? core.state.value : nil
        let change = change(by: event)
        if change.isModelNew { recordNewModel(notifying: observers) }
        let next = Next(model: change.isModelNew ? core.state.value : nil, effects: change.effects)
        if let old {
            logger.didUpdate(model: old, event: event, next: next)
        } else {
            logger.didUpdate(event: event, next: next)
        }
        conclude(change, notifying: observers)
    }

    /// If the loop has a trace, records a new model, and the number of `observers` that will be notified of it.
    @usableFromInline
    func recordNewModel(notifying observers: CancellableList<Observer<Model>>?) {
        recordChange?(core.state, isCutShort ? 0 : observers?.count ?? 0)
    }

    /// Calls the update and changes the model. If the update returns a model, the old model is released after the
    /// change, because the `deinit` of an object in it may call the loop.
    @inlinable
    @inline(__always)
    func change(by event: Event) -> Change<Effect> {
        if let next = setup.update.next {
            return MemoryLayout<Model>.size > 1024 ? changeApart(by: event, next) : change(by: event, next)
        }
        var change = Change<Effect>(isModelNew: false, effects: [])
        core.change(isCounted: false) { model in change = setup.update.apply(&model, event) }
        return change
    }

    /// Calls `change(by:_:)`, whose stack frame contains models. It would be part of the frame of an update in place.
    @inlinable
    @inline(never)
    func changeApart(by event: Event, _ next: (Model, Event) -> Next<Model, Effect>) -> Change<Effect> {
        change(by: event, next)
    }

    /// Changes the model to the one that `next` returns.
    @inlinable
    @inline(__always)
    func change(by event: Event, _ next: (Model, Event) -> Next<Model, Effect>) -> Change<Effect> {
        let answer = core.evaluate { model in next(model, event) }
        guard var model = answer.model else { return Change(isModelNew: false, effects: answer.effects) }
        core.swapState(&model)
        return Change(isModelNew: true, effects: answer.effects)
    }

    /// If the model is new, notifies the event source, the observers and the code that tracks the model. Then passes
    /// the effects to the effect handler. Does nothing if `isCutShort` is `true`.
    @inlinable
    @inline(__always)
    func conclude(_ change: Change<Effect>, notifying observers: CancellableList<Observer<Model>>?) {
        if isCutShort { return }
        if change.isModelNew {
            if let eventSource {
                core.attribute(to: eventSourceSender) { eventSource.accept(core.state.value) }
            }
            if let observers { core.publish(to: observers) }
            notifyReaders()
        }
        if !change.effects.isEmpty { pass(change.effects) }
    }

    @inlinable
    func pass(_ effects: [Effect]) {
        if core.priority != passedPriority { passPriority() }
        for effect in effects {
            // The property is read for each effect, because an effect may dispose the loop.
            guard let effectHandler else { break }
            core.attribute(to: self) { effectHandler.accept(effect) }
        }
    }

    @usableFromInline
    @inline(never)
    func passPriority() {
        passedPriority = core.priority
        core.settling.priority = passedPriority
    }

    @usableFromInline
    func report(_ stop: ChainStop, dropping event: Event) {
        let sender =
            switch stop.sender {
            case ObjectIdentifier(self): "The effect handler"
            case ObjectIdentifier(core): "An update"
            case ObjectIdentifier(eventSourceSender): "The event source"
            default: "An observer"
            }
        let text = stop.description(of: "\(sender) of \(setup.owner)")
        if let stopObserver = setup.stopObserver { stopObserver(text) } else { FunctionalCore.report(text) }
    }

    @usableFromInline
    static func name(of event: Event, in tracer: Tracer?) -> String { tracer.text(of: event) }

    @inlinable
    static func message(in event: Event) -> any Sendable { event }

    @usableFromInline
    func source(of sender: ObjectIdentifier?) -> TraceEvent.Source {
        switch sender {
        case nil: .transition
        case ObjectIdentifier(self): .effect
        case ObjectIdentifier(eventSourceSender): .eventSource
        default: .observer
        }
    }
}

// MARK: - Beginning

extension LoopRuntime {
    /// Connects the effect handler and the event source, notifies the event source and `observers` of the first model,
    /// and passes the first effects to the effect handler. Then processes the events that were enqueued meanwhile. If
    /// the loop is disposed, skips the remaining steps, and disposes the connections that were made.
    @inlinable
    func begin(
        _ effectHandler: AnyConnectable<Effect, Event>,
        _ eventSource: AnyConnectable<Model, Event>?,
        sendingTo consumer: @escaping EventConsumer<Event>,
        observers: [Observer<Model>] = [],
        first: (Model) -> First<Model, Effect>
    ) {
        core.takeOver()
        // `isDisposed` is checked before the first step and after each step, because any step and any other thread may
        // dispose the loop.
        connect: if !isDisposed {
            let first = first(core.state.value)
            var model = first.model
            core.swapState(&model)
            if setup.tracer != nil { recordBeginning() }
            notifyReaders()
            if isDisposed { break connect }
            self.effectHandler = connect(effectHandler, as: .effect, sendingTo: consumer)
            if isDisposed { break connect }
            self.eventSource = eventSource.map { connect($0, as: .eventSource, sendingTo: consumer) }
            if isDisposed { break connect }
            self.eventSource?.accept(first.model)
            for observer in observers where !isDisposed {
                core.observers.append(observer)
                core.attribute(to: observer) { observer.accept(core.state) }
            }
            pass(first.effects)
        }
        // The thread that disposed the loop could not dispose connections that were made afterwards.
        if isDisposed { tearDown() }
        if !core.leave() { drain() }
    }

    /// Connects the effect handler or the event source, with this loop as `ConnectingLoop.current`. So a router counts
    /// its finite work for this loop, and handlers and event sources report their errors to the loop's observer of
    /// errors.
    @usableFromInline
    func connect<Value>(
        _ connectable: AnyConnectable<Value, Event>, as source: TraceEvent.Source,
        sendingTo consumer: @escaping EventConsumer<Event>
    ) -> Connection<Value> {
        // This code is not specialized. So it does not use `setup`, which would copy all of the setup. It calls
        // `connect(as:sendingTo:)` only for a trace, because that function looks up types.
        let loop = ConnectingLoop(
            settling: core.settling, tracer: core.tracer, errorObserver: sharedSetup.value.errorObserver,
            executor: sharedSetup.value.executor, carrying: sharedSetup.value.carrying)
        return ConnectingLoop.$current.withValue(loop) {
            core.tracer == nil || connectable.type == nil
                ? connectable.connectClosure(consumer)
                : connectable.connect(as: source) { consumer($0, nil) }
        }
    }

    /// Returns a consumer that forwards to `consumer`. If the loop has a trace, the returned consumer also records
    /// events that arrive after the loop was deallocated.
    @usableFromInline
    func recordingDrops(_ consumer: @escaping EventConsumer<Event>) -> EventConsumer<Event> {
        guard let tracer = core.tracer else { return consumer }
        return { [weak self] event, cancellation in
            if self == nil { tracer.recordDrop(of: event, because: .ended) }
            consumer(event, cancellation)
        }
    }

    /// Records the model that the loop starts from.
    @usableFromInline
    func recordBeginning() {
        recordChange = core.tracer?.changes(from: core.state.value)
    }

    /// Returns the tracer, if the caller must record the end of the loop. Returns `nil` if an earlier call returned the
    /// tracer, or if the beginning was not recorded.
    func takeTracer() -> Tracer? {
        defer { recordChange = nil }
        return recordChange == nil ? nil : core.tracer
    }
}
