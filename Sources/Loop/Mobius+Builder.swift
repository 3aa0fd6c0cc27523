public import ArchitectureEngine
public import Dispatch
public import FunctionalCore

extension Mobius {
    /// A builder that holds the configuration of a loop, and creates loops and controllers.
    ///
    /// A builder is a value: each `with…` method returns a changed copy. A builder creates any number of loops, each
    /// with its own connections to the effect handler and the event source.
    public struct Builder<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
        @usableFromInline var setup: LoopSetup<Model, Event, Effect>
        @usableFromInline let effectHandler: AnyConnectable<Effect, Event>
        @usableFromInline var eventSource: AnyConnectable<Model, Event>?
        /// Creates the consumer of a loop's events. It is called once for each loop, since a transformer may keep
        /// state. The closure is formed where the types are known, so that it is specialized and as fast as
        /// `dispatchEvent`.
        @usableFromInline var makeConsumer: @Sendable (LoopRuntime<Model, Event, Effect>) -> Consumer<Event>
        /// Whether the consumer does more than to send an event to the loop.
        @usableFromInline var isTransforming = false

        @inlinable
        init(update: Update<Model, Event, Effect>, effectHandler: AnyConnectable<Effect, Event>) {
            setup = LoopSetup(update: update)
            self.effectHandler = effectHandler
            makeConsumer = { runtime in { [weak runtime] event in runtime?.send(event) } }
        }
    }
}

// MARK: - Configuring

extension Mobius.Builder {
    /// Returns a builder with an event source, which replaces any earlier one.
    ///
    /// A loop subscribes to the source when it starts, and disposes the subscription when it ends. To use several
    /// sources, combine them with a ``CompositeEventSourceBuilder``.
    public func withEventSource<Source: EventSource>(_ source: Source) -> Mobius.Builder<Model, Event, Effect>
    where Source.Event == Event {
        with {
            $0.eventSource = AnyConnectable { consumer in
                let subscription = source.subscribe(consumer: consumer)
                return Connection(acceptClosure: { _ in }, disposeClosure: { subscription.dispose() })
            }
        }
    }

    /// Returns a builder with an event source that depends on the model.
    ///
    /// The source replaces any earlier event source.
    ///
    /// The source accepts the model that a loop starts from, and then each new one, before the observers are notified.
    public func withEventSource<Source: Connectable & Sendable>(
        _ source: Source
    ) -> Mobius.Builder<Model, Event, Effect> where Source.Input == Model, Source.Output == Event {
        with { $0.eventSource = AnyConnectable(source) }
    }

    /// Returns a builder whose event source is an asynchronous sequence, which replaces any earlier event source.
    ///
    /// Each start of a loop creates a sequence. A task consumes it, and is cancelled with the loop. If the sequence
    /// ends or fails, the loop continues without it.
    ///
    /// ```swift
    /// .withEventSource { AsyncStream { … } }
    /// .withEventSource { socket.messages } onError: { error in .disconnected("\(error)") }
    /// ```
    ///
    /// - Parameters:
    ///   - events: A function that returns the sequence.
    ///   - onError: Returns the event to send if the sequence fails, or `nil` to send none. Called by the task. Without
    ///     it, the error is reported as ``withErrorObserver(_:)`` documents.
    public func withEventSource<Events: AsyncSequence & SendableMetatype>(
        _ events: @escaping @Sendable () -> Events,
        onError: (@Sendable (any Error) -> Event?)? = nil
    ) -> Mobius.Builder<Model, Event, Effect>
    where Events.Element == Event, Events.AsyncIterator: SendableMetatype {
        withEventSource(
            AnyEventSource { consumer in
                let observer = ConnectingLoop.current?.errorObserver
                let onError =
                    onError ?? { error in
                        Mobius.report(error, of: .eventSource, to: observer)
                        return nil
                    }
                let task = Task {
                    do {
                        for try await event in events() {
                            // A sequence may ignore the cancellation of its task. Its further events are dropped.
                            if Task.isCancelled { break }
                            consumer(event)
                        }
                    } catch {
                        if !Task.isCancelled, let event = onError(error) { consumer(event) }
                    }
                }
                return task.asDisposable
            })
    }

    /// Returns a builder with an observer of errors, which replaces any earlier one.
    ///
    /// ```swift
    /// .withErrorObserver { error, source in log("\(source) failed: \(error)") }
    /// ```
    ///
    /// The observer receives each error that an effect handler or an event source throws, unless an `onError` closure
    /// is given for it. It is called by the task or the thread that fails. Without an observer, the error and its source
    /// are written to standard error.
    ///
    /// Nothing reports errors of work that was cancelled, because its loop has ended or its policy has replaced it. A
    /// `CancellationError` of other work is reported like any error.
    public func withErrorObserver(
        _ observer: @escaping @Sendable (any Error, Mobius.ErrorSource) -> Void
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.errorObserver = observer }
    }

    /// Returns a builder with loggers, which replace any earlier ones and are called in this order.
    public func withLogger(
        _ logger: any MobiusLogger<Model, Event, Effect>,
        _ others: any MobiusLogger<Model, Event, Effect>...
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.logger = AnyMobiusLogger(all: [logger] + others) }
    }

    /// Returns a builder with a logger, which replaces any earlier ones.
    public func withLogger<Logger: MobiusLogger>(_ logger: Logger) -> Mobius.Builder<Model, Event, Effect>
    where Logger.Model == Model, Logger.Event == Event, Logger.Effect == Effect {
        with { $0.setup.logger = AnyMobiusLogger(logger) }
    }

    /// Returns a builder whose loops pass every event through `transformer` before it is processed.
    ///
    /// These are the events of the effect handler, of the event source, of views and of `dispatchEvent`. A transformer
    /// may delay events, drop them, or send several for one. It is called once for each loop, so that the consumer it
    /// returns may keep state. If there are several transformers, an event passes through them in reverse order: the
    /// one that was added last comes first.
    public func withEventConsumerTransformer(
        _ transformer: @escaping ConsumerTransformer<Event>
    ) -> Mobius.Builder<Model, Event, Effect> {
        with { builder in
            builder.makeConsumer = { [makeConsumer] runtime in transformer(makeConsumer(runtime)) }
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
    ///   A negative number counts as 0.
    public func withMaximumChain(_ count: Int) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.maximumChain = count }
    }

    /// Returns a builder whose loops record in `trace` what they do.
    public func withTrace(_ trace: Trace) -> Mobius.Builder<Model, Event, Effect> {
        with { $0.setup.trace = trace }
    }

    /// Returns a builder whose loops process their events on `queue` and notify `observation`.
    func on(_ queue: LoopQueue, notifying observation: ObservationBridge) -> Self {
        with { ($0.setup.queue, $0.setup.observation) = (queue, observation) }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
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
        let runtime = LoopRuntime(model: model, setup: setup)
        let consumer = makeConsumer(runtime)
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

    /// Returns what `initiate` returns for `model`, and reports both to the logger.
    func initiate(_ initiate: Initiate<Model, Effect>?, _ model: Model) -> First<Model, Effect> {
        guard let initiate else { return First(model: model) }
        setup.logger?.willInitiate(model: model)
        let first = initiate(model)
        setup.logger?.didInitiate(model: model, first: first)
        return first
    }
}
