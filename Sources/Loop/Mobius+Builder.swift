public import ArchitectureEngine
public import Dispatch

extension Mobius {
    /// What a loop is made of, before it is started. A value: each `with…` returns another one.
    ///
    /// It makes any number of loops, each with connections of its own.
    public struct Builder<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
        @usableFromInline var setup: LoopSetup<Model, Event, Effect>
        @usableFromInline let effectHandler: AnyConnectable<Effect, Event>
        /// Makes what takes events for a loop. Formed where the types are known, so that it is as fast as
        /// `dispatchEvent`.
        @usableFromInline let makeEntry: @Sendable (LoopRoot<Model, Event, Effect>) -> Consumer<Event>
        @usableFromInline var connectEventSource:
            (@Sendable (@escaping Consumer<Event>) -> EventSourceConnection<Model>)?
        @usableFromInline var transformer: ConsumerTransformer<Event>?

        @inlinable
        init(update: Update<Model, Event, Effect>, effectHandler: AnyConnectable<Effect, Event>) {
            setup = LoopSetup(update: update)
            self.effectHandler = effectHandler
            makeEntry = { root in { [weak root] event in root?.dispatch(event) } }
        }
    }
}

// MARK: - Configuring

extension Mobius.Builder {
    /// The same with an event source, in the place of any that there was. It is subscribed to when a loop starts.
    ///
    /// Several are made one by ``CompositeEventSourceBuilder``.
    public func withEventSource<Source: EventSource>(_ source: Source) -> Mobius.Builder<Model, Event, Effect>
    where Source.Event == Event {
        with {
            $0.connectEventSource = { consumer in
                let subscription = source.subscribe(consumer: consumer)
                return EventSourceConnection(accept: nil, dispose: { subscription.dispose() })
            }
        }
    }

    /// The same with an event source that depends on the model: it is given the model that a loop starts from, and each
    /// new one, before anybody else.
    public func withEventSource<Source: Connectable & Sendable>(
        _ source: Source
    ) -> Mobius.Builder<Model, Event, Effect> where Source.Input == Model, Source.Output == Event {
        with {
            $0.connectEventSource = { consumer in
                let connection = source.connect(consumer)
                return EventSourceConnection(
                    accept: { connection.accept($0) }, dispose: { connection.dispose() })
            }
        }
    }

    /// The same with an asynchronous sequence as its event source: each start makes one, and takes its events in a task
    /// that is cancelled with the loop.
    ///
    /// ```swift
    /// .withEventSource { AsyncStream { … } }
    /// ```
    public func withEventSource<Events: AsyncSequence & SendableMetatype>(
        _ events: @escaping @Sendable () -> Events
    ) -> Mobius.Builder<Model, Event, Effect>
    where Events.Element == Event, Events.Failure == Never, Events.AsyncIterator: SendableMetatype {
        withEventSource(AsyncEventSource(events))
    }

    /// The same with loggers, in the place of any that there were; they are told in the order in which they stand here.
    public func withLogger(
        _ logger: any MobiusLogger<Model, Event, Effect>,
        _ others: any MobiusLogger<Model, Event, Effect>...
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.logger = AnyMobiusLogger(all: [logger] + others) }
    }

    /// The same with a logger, in the place of any that there were.
    public func withLogger<Logger: MobiusLogger>(_ logger: Logger) -> Mobius.Builder<Model, Event, Effect>
    where Logger.Model == Model, Logger.Event == Event, Logger.Effect == Effect {
        with { $0.setup.logger = AnyMobiusLogger(logger) }
    }

    /// The same with something that all events pass on their way to the loop: those of the effect handler, of the event
    /// source, of a view, and of `dispatchEvent`. It may delay them, drop them, or make several of one.
    ///
    /// Transformers add up: an event passes the one that was named last first.
    public func withEventConsumerTransformer(
        _ transformer: @escaping ConsumerTransformer<Event>
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { builder in
            guard let inner = builder.transformer else {
                builder.transformer = transformer
                return
            }
            builder.transformer = { consumer in transformer(inner(consumer)) }
        }
    }

    /// Returns a builder whose loops stop a chain of events when more than `count` of them repeat a sender.
    ///
    /// A loop counts, for each event that is sent from outside, the events that follow from it synchronously and whose
    /// sender (an effect handler, an observer, an event source) is already among their causes. If there are more than
    /// `count`, no further one is processed: a handler that answers itself without end does not block its thread for
    /// ever. The chain is reported on standard error with its last sixteen events; the model stays as it is, and the
    /// loop goes on with other events. Events that pass through a task or a queue are never counted. The default is
    /// 2,000,000.
    public func withMaximumChain(_ count: Int) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.maximumChain = count }
    }

    /// The same for loops that handle their events on `queue`.
    func on(_ queue: LoopQueue) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.queue = queue }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var builder = self
        change(&builder)
        return builder
    }
}

// MARK: - Making

extension Mobius.Builder {
    /// Starts a raw loop. The effects, and what its handler and its event source emit while they are connected, have
    /// been handled when this returns.
    ///
    /// - Parameters:
    ///   - model: The first model.
    ///   - effects: Effects to be handled at once.
    @inlinable
    public func start(from model: Model, effects: [Effect] = []) -> MobiusLoop<Model, Event, Effect> {
        let root = LoopRoot(model: model, setup: setup)
        let consumer = makeConsumer(of: root)
        begin(root, consumer, first: { First(model: $0, effects: effects) })
        return MobiusLoop(root: root, entry: transformer == nil ? nil : consumer)
    }

    /// A controller of such loops, on a queue of its own that runs on the global one for `qos`; see
    /// ``makeController(from:initiate:loopQueue:viewQueue:)``.
    public func makeController(
        from model: Model,
        initiate: Initiate<Model, Effect>? = nil,
        qos: DispatchQoS.QoSClass = .userInitiated
    ) -> MobiusController<Model, Event, Effect> {
        makeController(from: model, initiate: initiate, loopQueue: .global(qos: qos))
    }

    /// A controller of such loops.
    ///
    /// - Parameters:
    ///   - model: The first model.
    ///   - initiate: Asked at each start for the model to start from, and effects.
    ///   - loopQueue: Where loops run: on a serial queue of the controller's own that has this one as its target. What
    ///     else runs on it may start and stop the controller. If it is serial itself, and not the main one, no other
    ///     thread should do so at the same time: both would wait for each other. A queue that has a serial queue of yours
    ///     as its target is not known to run on that: do not start or stop the controller there.
    ///   - viewQueue: Where views are given models.
    public func makeController(
        from model: Model,
        initiate: Initiate<Model, Effect>? = nil,
        loopQueue: DispatchQueue,
        viewQueue: DispatchQueue = .main
    ) -> MobiusController<Model, Event, Effect> {
        MobiusController(
            builder: self, model: model, initiate: initiate, loopQueue: loopQueue, viewQueue: viewQueue)
    }

    /// What takes events for as long as the loop lives. Made once for each loop: a transformer may keep what it has
    /// seen.
    @inlinable
    func makeConsumer(of root: LoopRoot<Model, Event, Effect>) -> Consumer<Event> {
        let entry = makeEntry(root)
        return transformer.map { $0(entry) } ?? entry
    }

    @inlinable
    func begin(
        _ root: LoopRoot<Model, Event, Effect>,
        _ consumer: @escaping Consumer<Event>,
        observers: [Observer<Model>] = [],
        first: (Model) -> First<Model, Effect>
    ) {
        root.begin(
            connectEffectHandler: { effectHandler.connect(consumer) },
            connectEventSource: { connectEventSource?(consumer) },
            observers: observers,
            first: first
        )
    }

    /// Asks `initiate` for what to start from, and tells the loggers.
    func initiate(_ initiate: Initiate<Model, Effect>?, _ model: Model) -> First<Model, Effect> {
        guard let initiate else { return First(model: model) }
        setup.logger?.willInitiate(model: model)
        let first = initiate(model)
        setup.logger?.didInitiate(model: model, first: first)
        return first
    }
}
