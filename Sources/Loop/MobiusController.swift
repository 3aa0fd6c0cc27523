import ArchitectureEngine
import Dispatch
import FunctionalCore

/// Runs a loop on a queue, shows its model in views, and can be stopped and started again.
///
/// ```swift
/// let controller = Mobius.loop(update: update, effectHandler: effectHandler)
///     .withEventSource(source)
///     .withLogger(SimpleLogger(tag: "my loop"))
///     .makeController(from: model, initiate: initiate)
///
/// controller.connectView(view)
/// controller.start()   // when the view appears
/// controller.stop()    // when it is gone
/// ```
///
/// A controller is stopped when it is made. Each start makes a loop of the model that the last one left, asks
/// `initiate` what to begin with, and connects effect handler, event source and views; a stop disconnects all of them.
/// What was sent before a stop and not handled yet is dropped, and so is whatever a handler, a source or a view sends
/// after it: nothing of one start reaches the next.
///
/// Events may be sent from any thread. Update function, handlers, event sources' subscriptions and loggers run on the
/// loop's queue, one at a time. Views are given models on the view's queue, and are connected and disposed by the
/// thread that starts and stops; views of the main actor on that actor.
///
/// The calls here may come from any thread, and from handlers and views. ``start()`` and ``stop()`` wait for the loop's
/// queue, unless they are called on it; ``stopAndWait()`` blocks no thread. The update function may stop its controller,
/// which takes effect right after the update; it must not read the model. A mistake, such as a second start, traps with a
/// message that says what to do; with several owners, use ``startIfStopped()`` and ``stopIfRunning()``. A controller
/// that nobody holds any more stops. After Mobius' type of this name, in which `stop` from a view, and an event that
/// comes a little late, are fatal.
public final class MobiusController<Model: Sendable, Event: Sendable, Effect: Sendable>: @unchecked Sendable {
    // Unchecked: `state`, `views`, `leftViews`, `isStopping` and `streams` are used under the lock alone.
    private let builder: Mobius.Builder<Model, Event, Effect>
    private let initiate: Initiate<Model, Effect>?
    private let loopQueue: LoopQueue
    private let viewQueue: DispatchQueue
    private let turn = Turn(owner: MobiusController<Model, Event, Effect>.self)
    private let lock = Lock()
    private var state: State
    private var views: [ControlledView<Model, Event>] = []
    /// Those of earlier starts that may not be disposed yet.
    private var leftViews: [LeftView] = []
    /// Whether a thread is disposing the views of a stop.
    private var isStopping = false
    private var streams: [ModelStream<Model>] = []

    private enum State {
        case stopped(Model)
        case running(Session)
    }

    /// A view of an earlier start. What still disposes it retains it.
    private struct LeftView {
        weak var view: ViewSession<Model, Event>?
    }

    /// What one start has made.
    private struct Session {
        let root: LoopRoot<Model, Event, Effect>
        let views: [ViewSession<Model, Event>]
        let streams: [ModelStream<Model>]

        /// Disposes the views. All are closed before: any of them may start the controller again.
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
        lock.free()
    }

    /// Calls `body` when no other thread is starting or stopping. On the loop's queue at once: those may be waiting for
    /// it.
    private func inTurn(_ body: () -> Void) {
        if loopQueue.isHere { body() } else { turn.take(body) }
    }

    private func refuse(
        _ what: String, _ remedy: String, _ file: StaticString = #fileID, _ line: UInt = #line
    ) -> Never {
        fault("\(MobiusController.self) \(what). To fix, \(remedy).", file: file, line: line)
    }
}

// MARK: - Starting and stopping

extension MobiusController {
    /// Whether it was started and not stopped. Any thread.
    public var running: Bool {
        lock.withLock { if case .running = state { true } else { false } }
    }

    /// Starts a loop from the model as it was left. When this returns, everybody is connected, and the effects of
    /// `initiate` were handed over.
    ///
    /// A view that is still to be disposed by an earlier start is connected after that, and given the models that have
    /// come until then. If another thread is stopping the controller, it is started after that. Traps if it is running;
    /// ``startIfStopped()`` does not.
    public func start() {
        if !startIfStopped() { refuse("was started while it is running", "call stop() first") }
    }

    /// Starts a loop as ``start()`` does, unless the controller is running. Thread-safe: of several calls at once, one
    /// starts it, and the others return when that is done.
    ///
    /// - Returns: Whether this call started it.
    @discardableResult
    public func startIfStopped() -> Bool {
        var isStarted = false
        inTurn {
            guard let session = makeSession() else { return }
            isStarted = true
            let consumer = builder.makeConsumer(of: session.root)
            for view in session.views { view.open(consumer) }
            let observers = session.views.map { view in Observer<Model> { view.offer($0.pointee) } }
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
            let session = Session(root: root, views: views.map { ViewSession($0) }, streams: streams)
            state = .running(session)
            return (session, old, oldStreams)
        }
        return session
    }

    /// Stops the loop. When this returns, effect handler, event source and views are disposed, in this order, and
    /// nothing is handled any more; the model stays for the next start.
    ///
    /// A view that is just being given a model by another thread is disposed by that one, right after. When a view is
    /// disposed the controller has stopped: the view may start it again, or replace its model. A stop from a view that is
    /// just being disposed or was stopped meanwhile stops nothing, not even a start that the view has made there.
    ///
    /// If another thread is starting the controller, it is stopped after that, and if another is stopping it, this waits
    /// for it. Called in the update function, for example by a value that the update drops, it takes effect right after
    /// the update. Traps if the controller is not running, for which there is ``stopIfRunning()``, and if two controllers
    /// would wait for each other, for which there is ``stopAndWait()``.
    public func stop() {
        if stopSession() == nil {
            refuse("was stopped while it is not running", "call start() first")
        }
    }

    /// Stops the loop as ``stop()`` does, if the controller is running. Thread-safe: of several calls at once, one stops
    /// it, and the others return when that is done.
    ///
    /// - Returns: Whether this call stopped it.
    @discardableResult
    public func stopIfRunning() -> Bool {
        stopSession() ?? false
    }

    /// Stops the loop if the controller is running, and returns when effect handler, event source and views are disposed.
    ///
    /// Blocks no thread, so that handlers of two controllers may stop each other. Effect handler and event source are
    /// disposed on the loop's queue, and so are views that are not of the main actor. It also waits for views that are
    /// just being given a model.
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

    private func notify(_ done: CheckedContinuation<Void, Never>, whenDisposed views: [ViewSession<Model, Event>]) {
        let disposals = DispatchGroup()
        for view in views {
            disposals.enter()
            view.whenDisposed { disposals.leave() }
        }
        disposals.notify(queue: .global()) { done.resume() }
    }

    /// Stops what is running. Returns whether this call did it, and `nil` if nothing is running.
    private func stopSession() -> Bool? {
        let (state, left, isStopping) = lock.withLock {
            (self.state, leftViews.compactMap(\.view), self.isStopping)
        }
        // It could not know that it was closed while it was given the model.
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
    /// Waits until all events are processed and no handler is at work that ends by itself; see
    /// ``MobiusLoop/settled()``. Returns at once if the controller is stopped, and when it stops.
    ///
    /// Views have been offered the last model, but may not have taken it.
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
    /// The model: of the loop while it runs, and otherwise as it was left. Any thread.
    public var model: Model {
        let state = lock.withLock { self.state }
        switch state {
        case .stopped(let model): return model
        case .running(let session): return session.root.model
        }
    }

    /// Puts another model in the place of the one that the next start begins with. A mistake while it is running.
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
                refuse("was given another model while it is running", "call stop() first, or send an event", file, line)
            }
        }
    }

    /// The model as it is now, and then each new one, and the one that each further start begins with; ends when the
    /// controller goes away, which this does not keep alive.
    ///
    /// A model that ``replaceModel(_:file:line:)`` sets is yielded when the controller starts from it. May be called from
    /// any thread, but not from within an update function.
    ///
    /// - Parameter buffering: What becomes of models that come faster than they are taken. Without limit nothing is
    ///   skipped; `.bufferingNewest(1)` keeps the latest alone.
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
            // Where it was stopped before the observer came to it, there is a last model all the same.
            let cancellation = Cancellation { [core = session.root.core] in stream.begin(with: core.read { $0 }) }
            _ = session.root.attach(stream.observer(cancellation))
        }
        return models
    }
}

// MARK: - Views

extension MobiusController {
    /// Connects a view: from the next start on it is given each model, on the view's queue, and its events reach the
    /// loop.
    ///
    /// A mistake while the controller is running.
    ///
    /// The compiler reports a class that is not `Sendable` as a call of a main actor-isolated method from outside: only
    /// the overload for views of the main actor takes it. Connect such a view in a `@MainActor` function.
    ///
    /// - Parameters:
    ///   - view: Connected and disposed by the thread that starts and stops. An object has one connection at a time, also
    ///     if it is connected to several controllers one after the other: a start connects it when the last connection
    ///     has been disposed.
    ///   - buffering: What becomes of models that come faster than the view takes them.
    ///   - file: The file that a message about a mistake names.
    ///   - line: The line that a message about a mistake names.
    /// - Returns: What to disconnect it by.
    @discardableResult
    public func connectView<View: Connectable & Sendable>(
        _ view: View,
        buffering: ViewBuffering = .unbounded,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ViewID where View.Input == Model, View.Output == Event {
        add(
            ControlledView(place: .queue(viewQueue), buffering: buffering, disposals: PendingDisposals(of: view)) {
                view.connect($0)
            }, file, line)
    }

    /// Connects a view of the main actor's: it is connected, given models and disposed there, at once where the caller
    /// is there. Otherwise the same as the other overload.
    ///
    /// A class of the main actor's conforms in isolation:
    ///
    /// ```swift
    /// extension Screen: @MainActor Connectable { … }
    /// ```
    ///
    /// Written as `@MainActor final class Screen: Connectable`, the compiler reports that the conformance "crosses into
    /// main actor-isolated code".
    @MainActor
    @discardableResult
    public func connectView<View: Connectable>(
        _ view: View,
        buffering: ViewBuffering = .unbounded,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ViewID where View.Input == Model, View.Output == Event {
        // It was formed on the main actor, and is touched on it alone.
        let connect = Unchecked({ (consumer: @escaping Consumer<Event>) in view.connect(consumer) })
        let place = ViewPlace.mainActor(Mailbox(of: MainActor.shared))
        let disposals = PendingDisposals(of: view)
        return add(
            ControlledView(place: place, buffering: buffering, disposals: disposals) { connect.value($0) }, file, line)
    }

    /// Disconnects the only view. A mistake while the controller is running, and where there is no view, or more than
    /// one.
    public func disconnectView(file: StaticString = #fileID, line: UInt = #line) {
        remove(file, line) { views in
            guard views.count == 1 else {
                let remedy = views.isEmpty ? "connect one first" : "say which: disconnectView(id:)"
                return ("was told to disconnect its view, and has \(views.count)", remedy)
            }
            views = []
            return nil
        }
    }

    /// Disconnects the view that `id` was returned for. A mistake while the controller is running, and where there is
    /// no such view.
    public func disconnectView(id: ViewID, file: StaticString = #fileID, line: UInt = #line) {
        remove(file, line) { views in
            guard let index = views.firstIndex(where: { $0.id == id }) else {
                return ("was told to disconnect a view that it does not have", "disconnect each view once")
            }
            views.remove(at: index)
            return nil
        }
    }

    private func add(_ view: ControlledView<Model, Event>, _ file: StaticString, _ line: UInt) -> ViewID {
        if case .newest(let limit) = view.buffering, limit < 1 {
            refuse("was given a view that keeps \(limit) models", "let it keep at least 1", file, line)
        }
        inTurn {
            let isStopped = lock.withLock {
                guard case .stopped = state else { return false }
                views.append(view)
                return true
            }
            if !isStopped { refuse("was given a view while it is running", "call stop() first", file, line) }
        }
        return view.id
    }

    private func remove(
        _ file: StaticString, _ line: UInt, _ body: (inout [ControlledView<Model, Event>]) -> (String, String)?
    ) {
        inTurn {
            // What is taken out under the lock is released after it.
            let (mistake, old) = lock.withLock { () -> ((String, String)?, [ControlledView<Model, Event>]) in
                guard case .stopped = state else {
                    return (("was told to disconnect a view while it is running", "call stop() first"), [])
                }
                let old = views
                return (body(&views), old)
            }
            withExtendedLifetime(old) {}
            if let (what, remedy) = mistake { refuse(what, remedy, file, line) }
        }
    }
}
