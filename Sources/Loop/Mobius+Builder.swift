public import ArchitectureEngine
public import Dispatch
public import FunctionalCore

extension Mobius {
    /// A builder that holds the configuration of a loop, and creates loops and controllers.
    ///
    /// A builder is a value: its methods return a changed copy. A builder creates any number of loops, each
    /// with its own connections to the effect handler and the event source.
    public struct Builder<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
        @usableFromInline var sharedSetup: SharedLoopSetup<Model, Event, Effect>
        /// The handler of the effects. To see each effect that the loop passes on, wrap it with `contramap(_:)`.
        @usableFromInline let effectHandler: AnyConnectable<Effect, Event>
        @usableFromInline var eventSource: AnyConnectable<Model, Event>?
        /// The function that creates the consumer of a loop's events. It is called once for each loop, since a
        /// transformer may keep state. The inlinable initializer forms the closure, so that it is specialized and as
        /// fast as `dispatchEvent`.
        @usableFromInline var makeConsumer: @Sendable (LoopRuntime<Model, Event, Effect>) -> EventConsumer<Event>
        /// Whether the consumer passes events through a transformer, instead of sending them directly to the loop.
        @usableFromInline var isTransforming = false

        @inlinable
        init(update: Update<Model, Event, Effect>, effectHandler: AnyConnectable<Effect, Event>) {
            sharedSetup = SharedLoopSetup(LoopSetup(update: update))
            self.effectHandler = effectHandler
            makeConsumer = { runtime in { [weak runtime] in runtime?.send($0, until: $1) } }
        }
    }
}

// MARK: - Configuring

extension Mobius.Builder {
    /// Returns a builder with an observer of errors. The observer replaces any earlier observer.
    ///
    /// ```swift
    /// .onError { error, source in log("\(source) failed: \(error)") }
    /// ```
    ///
    /// The observer receives each error that an effect handler, an event source or the clock of a policy throws, unless
    /// an `onError` closure receives it. It is called by the task or the thread that fails. Without an observer, the
    /// error and its source are written to standard error.
    ///
    /// The errors of cancelled work are not reported. Work is cancelled when its loop ends, and when a policy cancels
    /// its effect. A `CancellationError` of other work is reported like any error.
    public func onError(
        _ observer: @escaping @Sendable (any Error, Mobius.ErrorSource) -> Void
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.errorObserver = observer }
    }

    /// Returns a builder with loggers, which replace any earlier loggers and are called in this order.
    public func withLogger(
        _ logger: any MobiusLogger<Model, Event, Effect>,
        _ others: any MobiusLogger<Model, Event, Effect>...
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.logger = AnyMobiusLogger(all: [logger] + others) }
    }

    /// Returns a builder with a logger, which replaces any earlier loggers.
    public func withLogger<Logger: MobiusLogger>(_ logger: Logger) -> Mobius.Builder<Model, Event, Effect>
    where Logger.Model == Model, Logger.Event == Event, Logger.Effect == Effect {
        with { $0.setup.logger = AnyMobiusLogger(logger) }
    }

    /// Returns a builder whose loops pass every event through `transformer` before it is processed.
    ///
    /// These are the events of the effect handler, of the event source, of views and of `dispatchEvent`. A transformer
    /// may delay events, drop them, or send several events for one event. It is called once for each loop, so that the
    /// consumer it returns may keep state. If there are several transformers, an event passes through them in reverse
    /// order: the last transformer comes first.
    public func withEventConsumerTransformer(
        _ transformer: @escaping ConsumerTransformer<Event>
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { builder in
            builder.makeConsumer = { [makeConsumer] runtime in
                let send = makeConsumer(runtime)
                let consumer = transformer { send($0, nil) }
                return { event, _ in consumer(event) }
            }
            builder.isTransforming = true
        }
    }

    /// Returns a builder whose loops stop a handler or an observer that keeps answering its own events.
    ///
    /// A chain consists of an event and the events that follow from it synchronously. The sender of an event is the
    /// effect handler, an observer, the event source, or the update function. An event repeats a sender if its sender
    /// has also sent one of the events that led to it. An example is the answer of the effect handler to an event that
    /// it has sent itself. In each chain, the loop counts the events that repeat a sender. It drops every such event
    /// after the first `count`, so that the chain does not block its thread forever. Events that pass through a task or
    /// a queue begin a chain of their own.
    ///
    /// A stopped chain is reported on standard error with its last sixteen events. The model keeps its value, and the
    /// loop goes on processing other events.
    ///
    /// - Parameter count: The number of events of a chain that may repeat a sender. The default of a loop is 2,000,000.
    ///   A start traps if it is negative.
    public func withMaximumChain(_ count: Int) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.maximumChain = count }
    }

    /// Returns a builder with an executor for the tasks of the effect handler and of the event source.
    ///
    /// It is the executor of the `async` handlers and the policies of routers that have no executor of their own, and
    /// of an event source that is an asynchronous sequence. A closure with an isolation runs in this isolation. With
    /// the executor of a `VirtualScheduler`, a loop runs in virtual time:
    ///
    /// ```swift
    /// let scheduler = VirtualScheduler()
    /// let loop = Mobius.beginnerLoop { (count: Int, step: Int) in count + step }
    ///     .withEventSource { ticks(of: scheduler.clock) }
    ///     .withExecutor(scheduler.executor)
    ///     .start(from: 0)
    /// scheduler.advance(by: .seconds(3))
    /// ```
    ///
    /// - Parameter executor: The executor; `nil` is the global executor.
    public func withExecutor(_ executor: (any TaskExecutor)?) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.executor = executor }
    }

    /// Returns a builder whose loops carry task-local values from the sender of an event to the work that the event
    /// causes; see `CarriedValues`.
    ///
    /// ```swift
    /// Mobius.loop(update: update, effectHandler: router).withCarriedValues(.taskLocals(Request.$id))
    /// ```
    ///
    /// - Parameter values: The task-locals, or `nil` to carry none.
    public func withCarriedValues(_ values: CarriedValues?) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.carrying = values }
    }

    /// Returns a builder whose loops record in `trace` what they do.
    ///
    /// ```swift
    /// let events = TraceBuffer()
    /// let loop = Mobius.loop(update: update, effectHandler: effectHandler)
    ///     .withTrace(Trace(to: events))
    ///     .start(from: 2)
    /// loop.dispatchEvent(.increment)
    /// for event in events.all { print(event) }
    /// loop.dispose()
    /// ```
    ///
    /// Each loop is an owner in the trace. All loops of one controller are the same owner, which is created at each
    /// start and closed at each stop. A trace does not change what a loop does. It contains:
    /// - the events that the loop processes, with what sent them and what caused them
    /// - the events that are dropped, because the loop, their handler or their effect had ended, or because their chain
    ///   was stopped
    /// - the model that the loop starts from, and each new model
    /// - a work for each effect, from the call of its handler until it has been handled
    /// - a work for the event source
    /// - the errors that an observer of errors receives
    ///
    /// An effect's work is for the parameters of its route, or for the effect itself if there is no route. If the
    /// handler returns before the effect has been handled, the work is suspended. If the handler throws an error that
    /// no `onError` closure handles, the work has failed. The work is the cause of the events of its handler, also of
    /// those that a callback sends from another thread.
    ///
    /// A handler or an event source that is a ``Connectable`` of your own, or any other ``EventSource``, is a work as
    /// well, until the loop ends. It is the cause of events that come from threads for which the trace knows no cause.
    /// For such a handler, an effect's work ends when the connection has accepted the effect.
    ///
    /// The works that a stop cancels are recorded before the end of the loop, except those of connections that are
    /// being used when the loop ends.
    public func withTrace(_ trace: Trace) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.trace = trace }
    }

    /// Returns a builder whose loops process their events on `queue` and notify `observation`.
    func on(_ queue: LoopQueue, notifying observation: ObservationBridge) -> Self {
        with { builder in
            var setup = builder.setup
            (setup.queue, setup.observation) = (queue, observation)
            builder.sharedSetup = SharedLoopSetup(setup).asOwner()
        }
    }

    var setup: LoopSetup<Model, Event, Effect> {
        get { sharedSetup.value }
        set { sharedSetup = SharedLoopSetup(newValue) }
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var builder = self
        change(&builder)
        return builder
    }
}

// MARK: - Making

extension Mobius.Builder {
    /// Creates and starts a loop without a controller.
    ///
    /// The calling thread connects the effect handler and then the event source. When this returns, the effects have
    /// been passed to the effect handler, in order. The events that the handler and the event source sent while they
    /// were being connected have been processed.
    ///
    /// - Parameters:
    ///   - model: The first model.
    ///   - effects: The effects to handle first.
    @inlinable
    public func start(from model: Model, effects: [Effect] = []) -> MobiusLoop<Model, Event, Effect> {
        let runtime = LoopRuntime(model: model, setup: sharedSetup.asOwner())
        let consumer = runtime.recordingDrops(makeConsumer(runtime))
        runtime.begin(
            effectHandler, eventSource, sendingTo: consumer, first: { First(model: $0, effects: effects) })
        return MobiusLoop(runtime: runtime, entry: isTransforming ? consumer : nil)
    }

    /// Returns a stopped controller that runs its loops on a global queue.
    ///
    /// The view queue is the main queue; see ``makeController(from:initiate:loopQueue:viewQueue:)``.
    ///
    /// - Parameters:
    ///   - model: The first model.
    ///   - initiate: A function that is called at each start. It returns the model to start from, and effects.
    ///   - qos: The quality of service of the global queue.
    public func makeController(
        from model: Model,
        initiate: Initiate<Model, Effect>? = nil,
        qos: DispatchQoS.QoSClass = .userInitiated
    ) -> MobiusController<Model, Event, Effect> {
        makeController(from: model, initiate: initiate, loopQueue: .global(qos: qos))
    }

    /// Returns a stopped controller that runs its loops on the given queue.
    ///
    /// If `loopQueue` is a serial queue other than the main queue, only one thread at a time should start or stop the
    /// controller. Otherwise two threads can deadlock: a thread that starts or stops the controller waits for
    /// `loopQueue`. If work that is running on `loopQueue` starts or stops the controller at the same time, that work
    /// waits for the thread.
    ///
    /// If `loopQueue` itself targets a serial queue of yours, do not start or stop the controller on that queue: the
    /// controller cannot detect that it runs there, and would wait for itself.
    ///
    /// - Parameters:
    ///   - model: The first model.
    ///   - initiate: A function that is called at each start. It returns the model to start from, and effects.
    ///   - loopQueue: The target of the controller's own serial queue, on which its loops run. Other work on
    ///     `loopQueue` may start and stop the controller.
    ///   - viewQueue: The queue on which views are given models, except views of the main actor.
    public func makeController(
        from model: Model,
        initiate: Initiate<Model, Effect>? = nil,
        loopQueue: DispatchQueue,
        viewQueue: DispatchQueue = .main
    ) -> MobiusController<Model, Event, Effect> {
        MobiusController(
            builder: self, model: model, initiate: initiate, loopQueue: loopQueue, viewQueue: viewQueue)
    }

    /// Returns the result of `initiate` for `model`, and reports the model and the result to the logger. Without
    /// `initiate`, returns `model` without effects.
    func initiate(_ initiate: Initiate<Model, Effect>?, _ model: Model) -> First<Model, Effect> {
        guard let initiate else { return First(model: model) }
        setup.logger?.willInitiate(model: model)
        let first = initiate(model)
        setup.logger?.didInitiate(model: model, first: first)
        return first
    }
}
