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
/// The calls here may come from any thread, and from handlers and views, but not from inside an update function.
/// ``start()`` and ``stop()`` wait for the loop's queue, unless they are called on it. A mistake, such as a second
/// start, stops the process with a message that says what to do. A controller that nobody holds any more stops. After
/// Mobius' type of this name, in which `stop` from a view, and an event that comes a little late, are fatal.
public final class MobiusController<Model: Sendable, Event: Sendable, Effect: Sendable>: @unchecked Sendable {
    // Unchecked: `state`, `views`, `leftViews` and `streams` are touched under the lock alone.
    private let builder: Mobius.Builder<Model, Event, Effect>
    private let initiate: Initiate<Model, Effect>?
    private let loopQueue: LoopQueue
    private let viewQueue: DispatchQueue
    private let turn = Turn()
    private let lock = Lock()
    private var state: State
    private var views: [ControlledView<Model, Event>] = []
    /// Those of earlier starts that were being given a model when they were closed.
    private var leftViews: [ViewSession<Model, Event>] = []
    private var streams: [ModelStream<Model>] = []

    private enum State {
        case stopped(Model)
        case running(Session)
    }

    /// What one start has made.
    private struct Session {
        let root: LoopRoot<Model, Event, Effect>
        let views: [ViewSession<Model, Event>]
        let streams: [ModelStream<Model>]
    }

    init(
        builder: Mobius.Builder<Model, Event, Effect>,
        model: Model,
        initiate: Initiate<Model, Effect>?,
        loopQueue: DispatchQueue,
        viewQueue: DispatchQueue
    ) {
        self.loopQueue = LoopQueue(target: loopQueue)
        self.builder = builder.on(self.loopQueue.queue)
        self.initiate = initiate
        self.viewQueue = viewQueue
        state = .stopped(model)
    }

    deinit {
        if case .running(let session) = state {
            session.root.dispose()
            session.root.afterTransition { for view in session.views { view.close() } }
        }
        for stream in streams { stream.finish() }
        lock.free()
    }

    /// Calls `body` when no other thread is starting or stopping. On the loop's queue at once: those may be waiting for
    /// it.
    private func inTurn(_ body: () -> Void) {
        if loopQueue.isHere { body() } else { turn.take(body) }
    }

    private func refuse(_ what: String, _ remedy: String) -> Never {
        fault("\(MobiusController.self) \(what). To fix, \(remedy).")
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
    /// Where another thread is stopping it, it is started after that. Starting what is running is a mistake.
    public func start() {
        inTurn {
            guard let session = makeSession() else {
                refuse("was started while it is running", "call stop() first")
            }
            let consumer = builder.makeConsumer(of: session.root)
            for view in session.views { view.open(consumer) }
            let observers = session.views.map { view in Observer<Model> { view.offer($0.pointee) } }
            loopQueue.run {
                builder.begin(
                    session.root, consumer, observers: observers + session.streams.map { $0.observer() },
                    first: { builder.initiate(initiate, $0) })
            }
        }
    }

    private func makeSession() -> Session? {
        lock.withLock {
            guard case .stopped(let model) = state else { return nil }
            let root = LoopRoot(model: model, setup: builder.setup)
            streams.removeAll { $0.hasEnded }
            let session = Session(root: root, views: views.map { ViewSession($0) }, streams: streams)
            state = .running(session)
            return session
        }
    }

    /// Stops the loop. When this returns, effect handler, event source and views are disposed, in this order, and
    /// nothing is handled any more; the model stays for the next start.
    ///
    /// A view that is just being given a model by another thread is disposed by that one, right after; should it stop
    /// the controller then, it stops nothing. Where another thread is starting it, it is stopped after that, and where
    /// another is stopping it, this waits for it. Stopping what is not running is a mistake.
    public func stop() {
        let (state, leftViews) = lock.withLock { (self.state, self.leftViews) }
        // It could not know that it was closed while it was given the model.
        if leftViews.contains(where: { $0.isAcceptingHere }) { return }
        guard case .running(let session) = state else {
            refuse("was stopped while it is not running", "call start() first")
        }
        session.root.afterTransition { [self] in inTurn { end(session) } }
    }

    private func end(_ session: Session) {
        session.root.close()
        loopQueue.run { session.root.tearDown() }
        for view in session.views { view.close() }
        let model = session.root.core.read { $0 }
        let left = session.views.filter { $0.isAccepting }
        lock.withLock {
            guard case .running(let current) = state, current.root === session.root else { return }
            state = .stopped(model)
            leftViews = leftViews.filter { $0.isAccepting } + left
        }
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
    public func replaceModel(_ model: Model) {
        inTurn {
            let isStopped = lock.withLock {
                guard case .stopped = state else { return false }
                state = .stopped(model)
                return true
            }
            if !isStopped {
                refuse("was given another model while it is running", "call stop() first, or send an event")
            }
        }
    }

    /// The model as it is now, and then each new one, and the one that each further start begins with; ends when the
    /// controller goes away, which this does not keep alive.
    ///
    /// A model that ``replaceModel(_:)`` puts in is among them when it is started from. Any thread; not from inside an
    /// update function.
    ///
    /// - Parameter buffering: What becomes of models that come faster than they are taken. Without limit nothing is
    ///   skipped; `.bufferingNewest(1)` keeps the latest alone.
    public func models(
        buffering: AsyncStream<Model>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Model> {
        let (models, continuation) = AsyncStream.makeStream(of: Model.self, bufferingPolicy: buffering)
        let stream = ModelStream(continuation)
        let state = lock.withLock {
            streams.removeAll { $0.hasEnded }
            streams.append(stream)
            return self.state
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
    /// - Parameters:
    ///   - view: Connected and disposed by the thread that starts and stops.
    ///   - buffering: What becomes of models that come faster than the view takes them.
    /// - Returns: What to disconnect it by.
    @discardableResult
    public func connectView<View: Connectable & Sendable>(
        _ view: View,
        buffering: ViewBuffering = .unbounded
    ) -> ViewID where View.Input == Model, View.Output == Event {
        add(ControlledView(place: .queue(viewQueue), buffering: buffering) { view.connect($0) })
    }

    /// Connects a view of the main actor's: it is connected, given models and disposed there, at once where the caller
    /// is there. Otherwise the same.
    @MainActor
    @discardableResult
    public func connectView<View: Connectable>(
        _ view: View,
        buffering: ViewBuffering = .unbounded
    ) -> ViewID where View.Input == Model, View.Output == Event {
        // It was formed on the main actor, and is touched on it alone.
        let connect = Unchecked({ (consumer: @escaping Consumer<Event>) in view.connect(consumer) })
        let place = ViewPlace.mainActor(Mailbox(of: MainActor.shared))
        return add(ControlledView(place: place, buffering: buffering) { connect.value($0) })
    }

    /// Disconnects the only view. A mistake while the controller is running, and where there is no view, or more than
    /// one.
    public func disconnectView() {
        remove { views in
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
    public func disconnectView(id: ViewID) {
        remove { views in
            guard let index = views.firstIndex(where: { $0.id == id }) else {
                return ("was told to disconnect a view that it does not have", "disconnect each view once")
            }
            views.remove(at: index)
            return nil
        }
    }

    private func add(_ view: ControlledView<Model, Event>) -> ViewID {
        if case .newest(let limit) = view.buffering, limit < 1 {
            refuse("was given a view that keeps \(limit) models", "let it keep at least 1")
        }
        inTurn {
            let isStopped = lock.withLock {
                guard case .stopped = state else { return false }
                views.append(view)
                return true
            }
            if !isStopped { refuse("was given a view while it is running", "call stop() first") }
        }
        return view.id
    }

    private func remove(_ body: (inout [ControlledView<Model, Event>]) -> (String, String)?) {
        inTurn {
            let mistake: (String, String)? = lock.withLock {
                guard case .stopped = state else {
                    return ("was told to disconnect a view while it is running", "call stop() first")
                }
                return body(&views)
            }
            if let (what, remedy) = mistake { refuse(what, remedy) }
        }
    }
}
