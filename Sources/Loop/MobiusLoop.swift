public import ArchitectureEngine
import FunctionalCore

/// A raw loop: keeps the model, applies events to it, and hands effects to their handler.
///
/// ```swift
/// let loop = Mobius.loop(update: update, effectHandler: effectHandler).start(from: 2)
/// loop.addObserver { model in print(model) }  // 2
/// loop.dispatchEvent(.increment)              // 3
/// ```
///
/// It is synchronous: from one thread, ``dispatchEvent(_:)`` returns when the update function was called, the model is
/// new, observers were told, the effects were handed over, and all that was answered by events at once was handled in
/// the same way. It does not wait for what handlers send later. That makes it fit for synchronous interfaces: dispatch,
/// then read ``latestModel``. An app that is stopped and started again, or shows its model in a view, is better served
/// by a ``MobiusController``.
///
/// It may be used from any thread. Events are handled one at a time, in the order they come: one that is dispatched
/// while another is being handled waits its turn, from within as from other threads, and whoever is handling events
/// handles it too. Nothing is lost, and each thread's events keep their order. Observers and handlers run on the thread
/// that handles the event.
///
/// The loop is disposed by ``dispose()``, or when its last reference is dropped, which does the same. After Mobius' type
/// of this name, which is for one thread only.
public final class MobiusLoop<Model: Sendable, Event: Sendable, Effect: Sendable>: Disposable {
    @usableFromInline let root: LoopRoot<Model, Event, Effect>
    /// What events pass on their way to the loop, if anything.
    @usableFromInline let entry: Consumer<Event>?

    @inlinable
    init(root: LoopRoot<Model, Event, Effect>, entry: Consumer<Event>?) {
        self.root = root
        self.entry = entry
    }

    deinit { root.dispose() }
}

// MARK: - Events

extension MobiusLoop {
    /// Processes an event: updates the model, notifies observers, and handles the effects. May be called from any thread.
    ///
    /// If no other event is being processed, all of that has happened when this returns, and events that handlers have
    /// sent at once have been processed as well. Otherwise the event is enqueued: if this is called by an observer, a
    /// handler or the update function of the loop, or while another thread processes an event. It is then processed in
    /// turn, possibly by that other thread after this has returned. ``settled()`` waits for it.
    ///
    /// Traps if the loop is disposed.
    @inlinable
    public func dispatchEvent(_ event: Event) {
        if root.isDisposed { refuse("given the event \(event)") }
        if let entry { entry(event) } else { root.dispatch(event) }
    }

    @usableFromInline
    @inline(never)
    func refuse(_ what: String) -> Never {
        fault(
            """
            \(MobiusLoop.self) was \(what) after it was disposed. \
            To fix, keep no disposed loop, or use a MobiusController, which may be stopped at any time.
            """
        )
    }
}

// MARK: - Waiting

extension MobiusLoop {
    /// Waits until all events are processed and no handler of a router is at work that ends by itself.
    ///
    /// Such work is an `async` handler, a program, a handler that has not ended its callback, and an effect that a policy
    /// or a queue holds. Event sources, connectables and handlers that return an asynchronous sequence do not count.
    /// Observers without isolation have then been notified; observers on an actor may not have been, see
    /// ``settledIncludingObservers()``.
    ///
    /// Returns at once if the loop is disposed, and when it is disposed. May be called from any thread, but not by a
    /// handler of the loop, which would wait for itself.
    ///
    /// ```swift
    /// loop.dispatchEvent(.load)
    /// try await loop.settled()
    /// ```
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await root.settled(includingObservers: false)
    }

    /// Waits until all events are processed, no handler is at work that ends by itself, and all observers have been
    /// notified, also those on the main actor and on other actors; see ``settled()``.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settledIncludingObservers() async throws {
        try await root.settled(includingObservers: true)
    }
}

// MARK: - The model

extension MobiusLoop {
    /// The model as it is now, also after the loop was disposed. Thread-safe, but traps in the update function.
    ///
    /// Prefer ``addObserver(_:)``, which misses nothing.
    @inlinable
    public var latestModel: Model {
        root.model
    }

    /// Calls `observer` with the model as it is now, and then with each that an update returns, equal or not.
    ///
    /// Observers are called in the order in which they were added, before the effects are handled. They run in the
    /// isolation that they are formed in: on the main actor in a class of the main actor's, at once where that is
    /// possible and in order always; without isolation, on the thread that handles the event. One that is added while
    /// an event is being handled is called at once, and then from the next model on.
    ///
    /// What is returned may be dropped: the observer then lives as long as the loop. Once it was disposed no further
    /// call begins. A loop that was disposed cannot be observed: that stops the process with a message.
    @inlinable
    @discardableResult
    public func addObserver(
        @_inheritActorContext _ observer: @escaping @Sendable @isolated(any) (Model) -> Void
    ) -> any Disposable {
        if root.isDisposed { refuse("observed") }
        let isolation = observer.isolation
        guard isolation != nil else {
            let call = unisolated(observer)
            return root.attach(Observer { call($0.pointee) })
        }
        return root.attach(Observer(isolation: isolation, by: root.mainMailbox, unisolated(observer)))
    }

    /// The model as it is now, and then each new one; ends with the loop.
    ///
    /// - Parameter buffering: What becomes of models that come faster than they are taken. Without limit nothing is
    ///   skipped; `.bufferingNewest(1)` keeps the latest alone.
    public func models(
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Model> {
        if root.isDisposed { refuse("observed") }
        return AsyncStream(bufferingPolicy: buffering) { continuation in
            let registration = root.attach(
                Observer(Cancellation { continuation.finish() }) { continuation.yield($0.pointee) })
            continuation.onTermination = { _ in registration.cancel() }
        }
    }
}

// MARK: - The end

extension MobiusLoop: CustomDebugStringConvertible {
    /// Disposes the effect handler, then the observers, then the event source. What waits is dropped, as is what comes
    /// later.
    ///
    /// Thread-safe. If another thread is handling an event, the connections are disposed after that event, on a thread of
    /// their own, and this does not wait for it: so a disposable may wait for its own work. That event is
    /// finished: its observers are still notified, and its effects handled. Called in a handler or an
    /// observer of this loop, it disposes them at once, the handler too; called in the update function, for example by a
    /// value that the update drops, right after the update. In all other cases an effect handler is never disposed while
    /// it accepts. A second call does nothing.
    public func dispose() {
        root.dispose()
    }

    /// The loop's type and model; a disposed loop's type.
    public var debugDescription: String {
        root.isDisposed
            ? "disposed \(MobiusLoop.self)!"
            : "\(MobiusLoop.self){ \(String(reflecting: latestModel)) }"
    }
}
