import ArchitectureEngine
import Dispatch
import FunctionalCore

/// A controller that runs a loop on a queue, shows its model in views, and can be stopped and started again.
/// Thread-safe.
///
/// ```swift
/// let controller = Mobius.loop(update: update, effectHandler: effectHandler)
///     .withEventSource(source)
///     .withLogger(SimpleLogger(tag: "my loop"))
///     .makeController(from: model, initiate: initiate)
///
/// controller.connectView(view)
/// controller.start()   // when the view appears
/// controller.stop()    // when the view disappears
/// ```
///
/// A controller is stopped when it is created. Each start creates a loop from the model that the last loop left. It
/// calls `initiate`, which returns the model and the effects to begin with, and connects the effect handler, the event
/// source and the views. A stop disposes all of these connections.
///
/// Events that are enqueued at a stop are dropped. Events that a handler, a source or a view sends after the stop are
/// dropped as well, so that no event of an earlier loop reaches a later one.
///
/// Events are sent by views, by the effect handler and by the event source, from any thread. The controller calls the
/// update function, `initiate`, effect handlers, loggers and the event source's `subscribe(consumer:)` on the loop's
/// queue, one at a time. Views are given models on the view queue. The thread that starts the controller connects
/// them, and the thread that stops it disposes them; see ``start()`` and ``stop()`` for exceptions. ``stopAndWait()``
/// disposes them on the loop's queue. Views of the main actor are connected, given models and disposed on the main
/// actor.
///
/// All methods may be called from any thread, also by handlers and views. ``start()`` and ``stop()`` wait for the
/// loop's queue, unless they are called on it. ``stopAndWait()`` blocks no thread. The update function may stop its
/// controller; the stop takes effect right after the update. The update function must not read the model.
///
/// A programmer error, such as a second start, traps with a message that says what to do. If a controller has several
/// owners, use ``startIfStopped()`` and ``stopIfRunning()``. Releasing the last reference to a running controller stops
/// its loop, without waiting for the loop's queue.
///
/// The type is based on Mobius' type of this name. There, `stop` from a view and an event that arrives after a stop are
/// fatal.
public final class MobiusController<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    private let builder: Mobius.Builder<Model, Event, Effect>
    private let initiate: Initiate<Model, Effect>?
    private let loopQueue: LoopQueue
    let viewQueue: DispatchQueue
    private let turn = RecursiveLock(owner: MobiusController<Model, Event, Effect>.self)
    private let state: Locked<ControllerState<Model, Event, Effect>>
    let observation: ObservationBridge

    init(
        builder: Mobius.Builder<Model, Event, Effect>,
        model: Model,
        initiate: Initiate<Model, Effect>?,
        loopQueue: DispatchQueue,
        viewQueue: DispatchQueue
    ) {
        self.loopQueue = LoopQueue(target: loopQueue, owner: MobiusController<Model, Event, Effect>.self)
        observation = ObservationBridge()
        self.builder = builder.on(self.loopQueue, notifying: observation)
        self.initiate = initiate
        self.viewQueue = viewQueue
        state = Locked(ControllerState(model: model))
    }

    deinit {
        let (session, streams) = state.withLock { ($0.session, $0.streams) }
        if let session {
            session.runtime.dispose()
            session.runtime.end { session.closeViews() }
        }
        for stream in streams { stream.finish() }
    }

    /// The current phase of the controller. Reading it does not copy the rest of the state.
    var phase: ControllerState<Model, Event, Effect>.Phase { state.withLock { $0.phase } }

    /// The running session. Reading it does not copy the rest of the state.
    private var session: ControllerSession<Model, Event, Effect>? { state.withLock { $0.session } }

    /// Changes the state. Replaced parts are released outside of the lock, because models, views and streams may run
    /// code of their own when they are released.
    @discardableResult
    func update<Result>(_ change: (inout ControllerState<Model, Event, Effect>) -> Result) -> Result {
        let (result, replaced) = state.withLock { state in
            let replaced = state
            return (change(&state), replaced)
        }
        return withExtendedLifetime(replaced) { result }
    }

    /// Changes the state while no other thread starts or stops the controller. Traps if the controller is running.
    func updateStopped<Result>(
        _ misuse: String, _ remedy: String, _ file: StaticString, _ line: UInt,
        _ change: (inout ControllerState<Model, Event, Effect>) -> Result
    ) -> Result {
        var result: Result?
        inTurn {
            result = update { state in
                if case .stopped = state.phase { change(&state) } else { nil }
            }
        }
        guard let result else { refuse(misuse, remedy, file, line) }
        return result
    }

    /// Calls `body` while no other thread starts or stops the controller. On the loop's queue, `body` is called at
    /// once, since the thread that starts or stops the controller may be waiting for the queue.
    func inTurn(_ body: () -> Void) {
        if loopQueue.isHere { body() } else { turn.take(body) }
    }

    func refuse(
        _ what: String, _ remedy: String, _ file: StaticString = #fileID, _ line: UInt = #line
    ) -> Never {
        programmerError("\(MobiusController.self) \(what). To fix, \(remedy).", file: file, line: line)
    }
}

// MARK: - Starting and stopping

extension MobiusController {
    /// A Boolean value that indicates whether the controller has been started and not been stopped since. Thread-safe.
    public var running: Bool {
        session != nil
    }

    /// Starts a loop from the current model.
    ///
    /// When this returns, the effect handler, the event source and the views are connected, and the effects of
    /// `initiate` have been passed to the effect handler. Some views are connected later:
    /// - A view of the main actor is connected there asynchronously if this is called on another thread. The same holds
    ///   if an earlier call to the view is pending.
    /// - A view that still has a connection from before the last stop is connected as soon as that connection has been
    ///   disposed. Until then, the models of the new loop are buffered for the view.
    ///
    /// If another thread is stopping the controller, the start happens after that stop. Traps if the controller is
    /// running; see ``startIfStopped()``.
    public func start() {
        if !startIfStopped() { refuse("was started while running", "call stop() first, or use startIfStopped()") }
    }

    /// Starts a loop as ``start()`` does, unless the controller is running.
    ///
    /// If several threads call this at once, one of them starts the loop, and the others return when it has started.
    ///
    /// - Returns: Whether this call started the loop.
    @discardableResult
    public func startIfStopped() -> Bool {
        var isStarted = false
        inTurn {
            let session = update { $0.begin { model in LoopRuntime(model: model, setup: builder.sharedSetup) } }
            guard let session else { return }
            isStarted = true
            let consumer = session.runtime.recordingDrops(builder.makeConsumer(session.runtime))
            session.entry.open { consumer($0, nil) }
            for view in session.views { view.open { consumer($0, nil) } }
            let observers = session.views.map { view in Observer<Model> { view.accept($0.value) } }
            loopQueue.run {
                session.runtime.begin(
                    builder.effectHandler, builder.eventSource, sendingTo: consumer,
                    observers: observers + session.streams.map { $0.observer() },
                    first: { builder.initiate(initiate, $0) })
            }
        }
        return isStarted
    }

    /// Stops the loop, and keeps its model for the next start.
    ///
    /// No further event is processed. When this returns, the effect handler, the event source and the views have been
    /// disposed, in this order, with these exceptions:
    /// - If another thread is passing a model to a view, that thread disposes the view as soon as the view has accepted
    ///   the model.
    /// - If another thread is passing an effect to a handler, that thread disposes the handler as soon as the handler
    ///   has accepted the effect.
    /// - A view of the main actor is disposed there asynchronously if this is called on another thread.
    /// - In the update function, for example in the `deinit` of a value that the update drops, the stop takes effect
    ///   right after the update.
    ///
    /// A view may call this. The controller has already stopped when it disposes a view. So the view may start the
    /// controller again or replace the model. A view that is disposed late, as described above, should use
    /// ``startIfStopped()``, since another thread may have started the controller by then. If a view calls `stop()`
    /// while it is being disposed, the call does nothing, even if the controller has been started again.
    ///
    /// A view that calls this while it accepts a model stops only the loop that the model comes from. If another thread
    /// has stopped that loop meanwhile, the call does nothing, even if the controller has been started again.
    ///
    /// If another thread is starting the controller, the stop happens after that start. If another thread is stopping
    /// it, this waits for that stop. Traps if the controller is not running; see ``stopIfRunning()``. Also traps if
    /// handlers or views of two controllers each stop the other controller, which would be a deadlock; see
    /// ``stopAndWait()``.
    public func stop() {
        if stopSession() == nil {
            refuse("was stopped while not running", "call start() first, or use stopIfRunning()")
        }
    }

    /// Stops the loop as ``stop()`` does, if the controller is running.
    ///
    /// If several threads call this at once, one of them stops the loop, and the others return when it has stopped.
    ///
    /// - Returns: Whether this call stopped the loop.
    @discardableResult
    public func stopIfRunning() -> Bool {
        stopSession() ?? false
    }

    /// Stops the loop if the controller is running, and waits until the effect handler, the event source and the views
    /// are disposed.
    ///
    /// This blocks no thread, so handlers of two controllers may stop each other. The effect handler and the event
    /// source are disposed on the loop's queue. Views are disposed there as well, except views of the main actor and
    /// views to which another thread is passing a model. This waits for those views, too. If the controller is not
    /// running, this waits only for views that an earlier stop has not disposed yet. It does not respond to
    /// cancellation of the calling task.
    public func stopAndWait() async {
        let (session, leftViews) = state.withLock { ($0.session, $0.leftViews) }
        if let session {
            await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
                loopQueue.async { [self] in
                    end(session)
                    ended.resume()
                }
            }
        }
        for view in session?.views ?? leftViews {
            await withCheckedContinuation { disposed in view.whenDisposed { disposed.resume() } }
        }
    }

    /// Stops the running session, or waits for a stop that another thread has begun.
    ///
    /// - Returns: `true` if this call ended the session, or enqueued its end in the update function. `false` if another
    ///   call ends it, or if a view of an earlier session is busy on this thread. `nil` if the controller is stopped.
    private func stopSession() -> Bool? {
        let (session, leftViews, isStopping) = state.withLock { ($0.session, $0.leftViews, $0.isStopping) }
        // A view that calls this while it accepts a model cannot know that its session has been stopped meanwhile.
        if leftViews.contains(where: { $0.isBusyHere }) { return false }
        guard let session else {
            if !isStopping { return nil }
            inTurn {}
            return false
        }
        var isFirst = true
        session.runtime.end { [self] in inTurn { isFirst = end(session) } }
        return isFirst
    }

    /// Ends a session and disposes its connections. Returns `false` if another call has ended the session.
    @discardableResult
    private func end(_ session: ControllerSession<Model, Event, Effect>) -> Bool {
        session.runtime.close()
        loopQueue.run { session.runtime.tearDown() }
        var isFirst = false
        session.closeViews {
            let model = session.runtime.core.read { $0.value }
            isFirst = update { $0.end(session, model) }
        }
        withExtendedLifetime(update { $0.forgetViews(hasStopped: isFirst) }) {}
        return isFirst
    }
}

// MARK: - Events and waiting

extension MobiusController {
    /// Sends an event to the running loop, which processes it on its queue. Thread-safe.
    ///
    /// Returns without waiting for the event to be processed; ``settled()`` waits for it. The event passes through the
    /// builder's event consumer transformers. An event that is sent while another thread starts the controller is
    /// processed by the new loop.
    ///
    /// If the controller is not running, the event is dropped, and the logger's ``MobiusLogger/didDrop(event:)`` is
    /// called. The same happens if the controller is stopped before the event is processed. This is not a programmer
    /// error, because a caller cannot foresee a stop by another thread.
    public func dispatchEvent(_ event: Event) {
        guard let session else {
            builder.setup.drop(event)
            return
        }
        // The session retains the runtime, and the consumer does not. The runtime reports the event if the controller
        // is stopped meanwhile.
        withExtendedLifetime(session) { session.entry.accept(event) }
    }

    /// Waits until all events have been processed and the effect handler has no finite work under way.
    ///
    /// See ``MobiusLoop/settled()`` for what counts as finite work. If the controller is stopped meanwhile, the wait
    /// ends. If the controller is not running, this returns immediately. Views may not have been given the last model
    /// yet.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await session?.runtime.settled(includingObservers: false)
    }
}
