public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A loop that owns the model, applies events to it, and passes effects to the effect handler. Thread-safe.
///
/// ```swift
/// let loop = Mobius.loop(update: update, effectHandler: effectHandler).start(from: 2)
/// loop.addObserver { model in print(model) }  // 2
/// loop.dispatchEvent(.increment)              // 3
/// ```
///
/// The loop is synchronous. If no other event is being processed, ``dispatchEvent(_:)`` returns after these steps:
/// 1. The update function has been called, and the loop has stored the new model, if there is one.
/// 2. The event source, if it depends on the model, and the observers have been notified of the new model.
/// 3. The effects have been passed to the effect handler, in order.
/// 4. The events that handlers and observers have sent meanwhile have been processed in the same way.
///
/// The call does not wait for events that handlers send later. Synchronous code can dispatch an event, and read the
/// resulting model from ``latestModel`` right after the call. For a loop that is stopped and started again, or that
/// shows its model in views, use a ``MobiusController``.
///
/// Events are processed one at a time, in the order in which they are sent. An event that is sent while another event
/// is being processed, by the same or by another thread, is enqueued. The thread that processes events is the draining
/// thread: it also processes the events that are enqueued meanwhile. Effect handlers, and observers without isolation,
/// run on the draining thread. The loop drops an event only if it is disposed, if a policy has cancelled or replaced the
/// effect that has sent the event (see ``EffectRoute/policy(_:)``), or if it stops the event's chain; see
/// ``Mobius/Builder/withMaximumChain(_:)``.
///
/// A loop is disposed by ``dispose()``, or when its last reference is released. Its effect handler and its event source
/// do not retain it, so keep a reference for as long as the loop is to run. The type is based on Mobius' type of this
/// name, which must be used from one thread only.
public final class MobiusLoop<Model: Sendable, Event: Sendable, Effect: Sendable>: Disposable {
    @usableFromInline let runtime: LoopRuntime<Model, Event, Effect>
    /// The consumer of dispatched events, if the builder has an event consumer transformer.
    @usableFromInline let entry: EventConsumer<Event>?

    @inlinable
    init(runtime: LoopRuntime<Model, Event, Effect>, entry: EventConsumer<Event>?) {
        self.runtime = runtime
        self.entry = entry
    }

    deinit { runtime.dispose() }
}

// MARK: - Events

extension MobiusLoop {
    /// Processes an event: updates the model, notifies observers, and passes the effects to the effect handler.
    /// Thread-safe.
    ///
    /// If no other event is being processed, all of that has happened when this returns. Events that handlers and
    /// observers have sent meanwhile have been processed as well.
    ///
    /// If another event is being processed, the event is enqueued. This is the case if an observer, a handler or the
    /// update function of the loop calls this, or if another thread is processing an event. The draining thread then
    /// processes the event in turn, possibly after this has returned. ``settled()`` waits for it.
    ///
    /// Traps if the loop is disposed.
    @inlinable
    public func dispatchEvent(_ event: Event) {
        if runtime.isDisposed {
            refuse("sent the event \(LoopRuntime<Model, Event, Effect>.name(of: event, in: runtime.core.tracer))")
        }
        if let entry { entry(event, nil) } else { runtime.send(event) }
    }

    @usableFromInline
    @inline(never)
    func refuse(_ what: String) -> Never {
        programmerError(
            """
            \(MobiusLoop.self) was \(what) after it was disposed. \
            To fix, do not use a loop after disposing it, or use a MobiusController, which can be stopped at any time.
            """
        )
    }
}

// MARK: - Waiting

extension MobiusLoop {
    /// Waits until all events have been processed and the effect handler has no finite work under way.
    ///
    /// Finite work is work that ends by itself:
    /// - an `async` handler or a program that is running
    /// - a handler with a callback, until the callback ends
    /// - an effect that waits for a queue, for the clock of a policy, or until finite work of its policy has ended
    ///
    /// Event sources, connectables and handlers that return an asynchronous sequence do not count.
    ///
    /// Observers without isolation have then been notified. Observers on an actor may not have been; see
    /// ``settledIncludingObservers()``.
    ///
    /// If the loop is disposed meanwhile, the wait ends. If the loop has been disposed already, this returns
    /// immediately. May be called from any thread. An `async` handler of the loop must not call this, since it would
    /// wait for itself.
    ///
    /// ```swift
    /// loop.dispatchEvent(.load)
    /// try await loop.settled()
    /// ```
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await runtime.settled(includingObservers: false)
    }

    /// Waits until the loop has settled and observers on the main actor and on other actors have been notified.
    ///
    /// See ``settled()`` for when a loop has settled.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settledIncludingObservers() async throws {
        try await runtime.settled(includingObservers: true)
    }
}

// MARK: - The model

extension MobiusLoop: Observable {
    /// The current model. Thread-safe.
    ///
    /// A disposed loop keeps its last model. Traps in the update function: use the model that the update function is
    /// given. To receive every model, register an observer with ``addObserver(buffering:_:)``.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. The next model notifies, even if it equals
    /// the model that was read. Notifications arrive on the main actor, after the change. Code that tracks the model on
    /// the main actor misses no notification. Code on other threads may miss one, and should use
    /// ``addObserver(buffering:_:)`` or ``models(buffering:)``.
    @inlinable
    public var latestModel: Model {
        runtime.trackRead()
        return runtime.model
    }

    /// Registers an observer, which is notified of the current model and then of each new model.
    ///
    /// Each model that an update returns counts as new, even if it equals the previous model. Observers are notified in
    /// registration order, before the effects are passed to the effect handler.
    ///
    /// An observer is called in the isolation of its closure. By default, this is the isolation of the code that
    /// creates the closure:
    /// - An observer without isolation is called by the draining thread.
    /// - An observer on the main actor is called synchronously if the draining thread is the main thread and no earlier
    ///   call is pending. Otherwise the call is enqueued on the main actor.
    /// - An observer on another actor is called on that actor, asynchronously.
    ///
    /// All observers are called in the order of the models. If another thread is processing an event, the observer is
    /// registered after that event, possibly after this has returned. If a handler or another observer calls this on
    /// the draining thread, the new observer is notified of the current model at once.
    ///
    /// Dropping the returned registration does not cancel the observer, which is then retained until the loop is
    /// disposed. After the registration's `cancel()` has returned, no call begins, except one that another thread is
    /// just about to make.
    ///
    /// Traps if the loop is disposed, and in the update function.
    ///
    /// - Complexity: O(1), amortized, to register and to cancel.
    /// - Parameters:
    ///   - buffering: The policy for models that wait for the actor of `observer`. By default, no model is skipped.
    ///     With `.bufferingNewest(1)`, a slow observer on an actor receives only the latest of them. A limit of less
    ///     than 1 traps.
    ///   - observer: The closure to call with each model.
    /// - Returns: A registration that cancels the observer. It is a ``Disposable``, too.
    @inlinable
    @discardableResult
    public func addObserver(
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded,
        @_inheritActorContext _ observer: @escaping @Sendable @isolated(any) (Model) -> Void
    ) -> Registration {
        if runtime.isDisposed { refuse("observed") }
        return runtime.attach(
            Observer(
                isolation: observer.isolation, by: runtime.core.mainActorQueue, buffering: buffering,
                unisolated(observer)))
    }

    /// Returns an asynchronous sequence of the current model and each new model. It ends when the loop is disposed.
    ///
    /// Traps if the loop is disposed, and in the update function.
    ///
    /// - Parameter buffering: The policy for models that arrive faster than they are consumed. By default, no model is
    ///   skipped; `.bufferingNewest(1)` keeps only the latest model.
    public func models(
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Model> {
        if runtime.isDisposed { refuse("observed") }
        return AsyncStream(buffering: buffering) { runtime.attach($0) }
    }
}

// MARK: - The end

extension MobiusLoop: CustomDebugStringConvertible {
    /// Disposes the effect handler, cancels the observers, and disposes the event source, in this order. Thread-safe.
    ///
    /// Events that are enqueued are dropped, and so are events that are sent later. A second call does nothing.
    ///
    /// The connections to the effect handler and the event source are disposed at different times, depending on where
    /// this is called:
    /// - If no event is being processed, the connections are disposed before this returns.
    /// - If a handler or an observer calls this on the draining thread, the connections are disposed at once. That
    ///   includes the handler that is accepting an effect. In all other cases, no effect handler is disposed while it
    ///   accepts an effect.
    /// - In the update function, for example in the `deinit` of a value that the update drops, the connections are
    ///   disposed right after the update. The loop keeps the update's model, but notifies no observers and passes on no
    ///   effects.
    /// - If another thread is processing an event, the connections are disposed on a separate thread after that event.
    ///   This returns without waiting for the disposal. Observers are still notified of the event's model, and the
    ///   event's effects are still handled. On the separate thread, the disposable of a handler can wait for the work
    ///   that has sent the event; see ``Disposable``.
    public func dispose() {
        runtime.dispose()
    }

    /// The loop's type and model, or only the type if the loop is disposed or another thread is using the model.
    ///
    /// May be read from any thread, also from within an update. It neither waits nor tracks the model.
    public var debugDescription: String {
        if runtime.isDisposed { return "disposed \(MobiusLoop.self)!" }
        guard let model = runtime.core.stateIfUnlocked else { return "\(MobiusLoop.self) in an update" }
        return "\(MobiusLoop.self){ \(String(reflecting: model)) }"
    }
}
