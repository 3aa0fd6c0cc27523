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
public final class MobiusController<Model: Sendable, Event: Sendable, Effect: Sendable>: @unchecked Sendable {
    // Unchecked: `state`, `views`, `leftViews`, `isStopping` and `streams` are used under the lock alone.
    private let builder: Mobius.Builder<Model, Event, Effect>
    private let initiate: Initiate<Model, Effect>?
    private let loopQueue: LoopQueue
    private let viewQueue: DispatchQueue
    private let turn = RecursiveLock(owner: MobiusController<Model, Event, Effect>.self)
    private let lock = Locked()
    private var state: State
    private var views: [LateConnectable<Model, Event>] = []
    /// The views of earlier starts that may not have been disposed yet.
    private var leftViews: [LeftView] = []
    /// Whether a thread is disposing the views of a stop.
    private var isStopping = false
    private var streams: [ModelStream<Model>] = []

    private enum State {
        case stopped(Model)
        case running(Session)
    }

    /// A view of an earlier start. The closure that is going to dispose it retains it.
    private struct LeftView {
        weak var view: LateConnection<Model, Event>?
    }

    /// The loop, the views and the streams of one start.
    private struct Session {
        let root: LoopRoot<Model, Event, Effect>
        let views: [LateConnection<Model, Event>]
        let streams: [ModelStream<Model>]

        /// Closes all views, calls `whenClosed`, and then disposes the views. All are closed first, since each of them
        /// may start the controller again when it is disposed.
        func closeViews(_ whenClosed: () -> Void = {}) {
            for view in views { view.close() }
            whenClosed()
            for view in views { view.finish() }
        }
    }

    init(
        builder: Mobius.Builder<Model, Event, Effect>,
        model: Model,
        initiate: Initiate<Model, Effect>?,
        loopQueue: DispatchQueue,
        viewQueue: DispatchQueue
    ) {
        self.loopQueue = LoopQueue(target: loopQueue, owner: MobiusController<Model, Event, Effect>.self)
        self.builder = builder.on(self.loopQueue)
        self.initiate = initiate
        self.viewQueue = viewQueue
        state = .stopped(model)
    }

    deinit {
        if case .running(let session) = state {
            session.root.dispose()
            session.root.afterTransition { session.closeViews() }
        }
        for stream in streams { stream.finish() }
    }

    /// Calls `body` while no other thread starts or stops the controller. On the loop's queue it calls `body` at once,
    /// since the thread that starts or stops may be waiting for the queue.
    private func inTurn(_ body: () -> Void) {
        if loopQueue.isHere { body() } else { turn.take(body) }
    }

    private func refuse(
        _ what: String, _ remedy: String, _ file: StaticString = #fileID, _ line: UInt = #line
    ) -> Never {
        programmerError("\(MobiusController.self) \(what). To fix, \(remedy).", file: file, line: line)
    }
}

// MARK: - Starting and stopping

extension MobiusController {
    /// A Boolean value that indicates whether the controller has been started and not been stopped since. Thread-safe.
    public var running: Bool {
        lock.withLock { if case .running = state { true } else { false } }
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
            guard let session = makeSession() else { return }
            isStarted = true
            let consumer = builder.makeConsumer(of: session.root)
            for view in session.views { view.open(consumer) }
            let observers = session.views.map { view in Observer<Model> { view.accept($0.pointee) } }
            loopQueue.run {
                builder.begin(
                    session.root, consumer, observers: observers + session.streams.map { $0.observer() },
                    first: { builder.initiate(initiate, $0) })
            }
        }
        return isStarted
    }

    private func makeSession() -> Session? {
        // Released outside of the lock: models and streams may run code of their own when they are released.
        let (session, _, _) = lock.withLock { () -> (Session?, State, [ModelStream<Model>]) in
            let (old, oldStreams) = (state, streams)
            guard case .stopped(let model) = old else { return (nil, old, oldStreams) }
            let root = LoopRoot(model: model, setup: builder.setup)
            streams.removeAll { $0.hasEnded }
            let session = Session(root: root, views: views.map { LateConnection($0) }, streams: streams)
            state = .running(session)
            return (session, old, oldStreams)
        }
        return session
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
        let (state, left) = lock.withLock { (self.state, leftViews.compactMap(\.view)) }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            guard case .running(let session) = state else { return notify(done, whenDisposed: left) }
            loopQueue.async { [self] in
                end(session)
                notify(done, whenDisposed: session.views)
            }
        }
    }

    private func notify(_ done: CheckedContinuation<Void, Never>, whenDisposed views: [LateConnection<Model, Event>]) {
        let disposals = DispatchGroup()
        for view in views {
            disposals.enter()
            view.whenDisposed { disposals.leave() }
        }
        disposals.notify(queue: .global()) { done.resume() }
    }

    /// Stops the running session. Returns whether this call did it, and `nil` if no session is running.
    private func stopSession() -> Bool? {
        let (state, left, isStopping) = lock.withLock {
            (self.state, leftViews.compactMap(\.view), self.isStopping)
        }
        // The view could not know that it was closed while it was given the model.
        if left.contains(where: { $0.isBusyHere }) { return false }
        guard case .running(let session) = state else {
            if !isStopping { return nil }
            inTurn {}
            return false
        }
        var isFirst = true
        session.root.afterTransition { [self] in inTurn { isFirst = end(session) } }
        return isFirst
    }

    /// Ends a session. Returns whether it had not ended before.
    @discardableResult
    private func end(_ session: Session) -> Bool {
        session.root.close()
        loopQueue.run { session.root.tearDown() }
        var isFirst = false
        session.closeViews {
            let model = session.root.core.read { $0 }
            isFirst = lock.withLock {
                guard case .running(let current) = state, current.root === session.root else { return false }
                state = .stopped(model)
                isStopping = true
                leftViews += session.views.map { LeftView(view: $0) }
                return true
            }
        }
        // Released outside of the lock.
        let left = lock.withLock {
            if isFirst { isStopping = false }
            let left = leftViews.compactMap(\.view)
            leftViews = left.filter { $0.isLeft }.map { LeftView(view: $0) }
            return left
        }
        withExtendedLifetime(left) {}
        return isFirst
    }
}

// MARK: - Waiting

extension MobiusController {
    /// Waits until all events have been processed and the effect handler has no finite work under way.
    ///
    /// See ``MobiusLoop/settled()`` for what counts as finite work. If the controller is stopped meanwhile, the wait
    /// ends. If the controller is not running, this returns immediately. Views may not have been given the last model
    /// yet.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await runningRoot?.settled(includingObservers: false)
    }

    private var runningRoot: LoopRoot<Model, Event, Effect>? {
        lock.withLock { if case .running(let session) = state { session.root } else { nil } }
    }
}

// MARK: - The model

extension MobiusController {
    /// The model of the running loop, or the model that the last loop left. Thread-safe.
    ///
    /// Traps in the update function: use the model that the update function is given.
    public var model: Model {
        let state = lock.withLock { self.state }
        switch state {
        case .stopped(let model): return model
        case .running(let session): return session.root.model
        }
    }

    /// Replaces the model that the next start begins with. Traps if the controller is running.
    ///
    /// - Parameters:
    ///   - model: The new model.
    ///   - file: The file that the message of a programmer error names.
    ///   - line: The line that the message of a programmer error names.
    public func replaceModel(_ model: Model, file: StaticString = #fileID, line: UInt = #line) {
        inTurn {
            // Released outside of the lock: a model may run code of its own when it is released.
            let old: State? = lock.withLock {
                guard case .stopped = state else { return nil }
                let old = state
                state = .stopped(model)
                return old
            }
            if old == nil {
                refuse("was given another model while running", "call stop() first, or send an event", file, line)
            }
        }
    }

    /// Returns an asynchronous sequence of the current model and each new one, which continues across stops and starts.
    ///
    /// Each later start yields the model that its loop starts from, even if that model is not new. A model that
    /// ``replaceModel(_:file:line:)`` sets is yielded when the controller starts from it. The sequence does not retain
    /// the controller, and ends when the controller is deallocated. Traps in the update function.
    ///
    /// - Parameter buffering: The policy for models that arrive faster than they are consumed. The default skips none;
    ///   `.bufferingNewest(1)` keeps only the latest.
    public func models(
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Model> {
        let (models, continuation) = AsyncStream.makeStream(of: Model.self, bufferingPolicy: buffering)
        let stream = ModelStream(continuation)
        // Released outside of the lock: the models of a stream may run code of their own when they are released.
        let (state, _) = lock.withLock {
            let old = streams
            streams.removeAll { $0.hasEnded }
            streams.append(stream)
            return (self.state, old)
        }
        switch state {
        case .stopped(let model):
            stream.begin(with: model)
        case .running(let session):
            // If the loop is disposed before the observer is registered, the stream begins with the last model.
            let cancellation = Cancellation { [core = session.root.core] in stream.begin(with: core.read { $0 }) }
            _ = session.root.attach(stream.observer(cancellation))
        }
        return models
    }
}

// MARK: - Views

extension MobiusController {
    /// Connects a view to the loop, from the next start on.
    ///
    /// While the loop runs, the view is given each model on the view queue, asynchronously. Its events are sent to the
    /// loop.
    ///
    /// If the view still has a connection from before the last stop, a start connects the view as soon as that
    /// connection has been disposed; see ``stop()``. If two controllers share a view that is an object, a start of one
    /// controller does the same for a connection that a stop of the other has not disposed yet. Two controllers that
    /// run at the same time each have a connection of their own to the view.
    ///
    /// For a class that is not `Sendable`, the compiler reports a call to a main actor-isolated method in a nonisolated
    /// context. The reason is that such a class matches only the other overload, which is for views of the main actor.
    /// Connect such a view in a `@MainActor` function.
    ///
    /// Traps if the controller is running, and if `buffering` is `.newest` with a limit below 1.
    ///
    /// - Parameters:
    ///   - view: The view. The thread that starts the controller connects it, and the thread that stops the controller
    ///     disposes it; see ``start()``, ``stop()`` and ``stopAndWait()`` for exceptions.
    ///   - buffering: The policy for models that arrive faster than the view accepts them.
    ///   - file: The file that the message of a programmer error names.
    ///   - line: The line that the message of a programmer error names.
    /// - Returns: An identifier with which to disconnect the view.
    @discardableResult
    public func connectView<View: Connectable & Sendable>(
        _ view: View,
        buffering: ViewBuffering = .unbounded,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ViewID where View.Input == Model, View.Output == Event {
        add(
            LateConnectable(of: view, at: .queue(viewQueue), buffering: buffering) { view.connect($0) }, file, line)
    }

    /// Connects a view of the main actor: it is connected, given models and disposed there.
    ///
    /// A start on the main actor connects the view synchronously, unless an earlier call to the view is pending. A stop
    /// on the main actor disposes it synchronously. In all other respects this overload behaves like the one for
    /// `Sendable` views.
    ///
    /// A class of the main actor declares an isolated conformance:
    ///
    /// ```swift
    /// extension Screen: @MainActor Connectable { … }
    /// ```
    ///
    /// For a class that is declared as `@MainActor final class Screen: Connectable`, the compiler reports that the
    /// conformance "crosses into main actor-isolated code".
    @MainActor
    @discardableResult
    public func connectView<View: Connectable>(
        _ view: View,
        buffering: ViewBuffering = .unbounded,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ViewID where View.Input == Model, View.Output == Event {
        // Unchecked: the closure is formed on the main actor, and is only called there.
        let connect = Unchecked({ (consumer: @escaping Consumer<Event>) in view.connect(consumer) })
        let place = ConnectionPlace.mainActor(ActorQueue(of: MainActor.shared))
        return add(
            LateConnectable(of: view, at: place, buffering: buffering) { connect.value($0) }, file, line)
    }

    /// Disconnects the only view. Traps if the controller is running, or if it has no view or more than one.
    public func disconnectView(file: StaticString = #fileID, line: UInt = #line) {
        remove(file, line) { views in
            guard views.count == 1 else {
                let remedy = views.isEmpty ? "connect a view first" : "use disconnectView(id:)"
                return ("was asked to disconnect its only view, but has \(views.count) views", remedy)
            }
            views = []
            return nil
        }
    }

    /// Disconnects the view that `id` was returned for. Traps if the controller is running, or if it has no such view.
    public func disconnectView(id: ViewID, file: StaticString = #fileID, line: UInt = #line) {
        remove(file, line) { views in
            guard let index = views.firstIndex(where: { $0.id == id }) else {
                return ("was asked to disconnect a view that it does not have", "disconnect each view once")
            }
            views.remove(at: index)
            return nil
        }
    }

    private func add(_ view: LateConnectable<Model, Event>, _ file: StaticString, _ line: UInt) -> ViewID {
        if case .newest(let limit) = view.buffering, limit < 1 {
            refuse("was given a view that buffers \(limit) models", "let it buffer at least 1", file, line)
        }
        inTurn {
            let isStopped = lock.withLock {
                guard case .stopped = state else { return false }
                views.append(view)
                return true
            }
            if !isStopped { refuse("was given a view while running", "call stop() first", file, line) }
        }
        return view.id
    }

    private func remove(
        _ file: StaticString, _ line: UInt, _ body: (inout [LateConnectable<Model, Event>]) -> (String, String)?
    ) {
        inTurn {
            // The removed views are released outside of the lock.
            let (mistake, old) = lock.withLock { () -> ((String, String)?, [LateConnectable<Model, Event>]) in
                guard case .stopped = state else {
                    return (("was asked to disconnect a view while running", "call stop() first"), [])
                }
                let old = views
                return (body(&views), old)
            }
            withExtendedLifetime(old) {}
            if let (what, remedy) = mistake { refuse(what, remedy, file, line) }
        }
    }
}
