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
/// A controller is stopped when it is made. Each start makes a loop of the model that the last one left, asks `initiate` what
/// to begin with, and connects effect handler, event source and views; a stop disconnects all of them. What was sent before
/// a stop and not handled yet is dropped, and so is whatever a handler, a source or a view sends after it: nothing of one
/// start reaches the next.
///
/// Events may be sent from any thread. Update function, handlers, event sources' subscriptions and loggers run on the loop's
/// queue, one at a time. Views are given models on the view's queue, and are connected and disposed by the thread that
/// starts and stops; views of the main actor on that actor.
///
/// The calls here may come from any thread, and from handlers and views, but not from inside an update function. ``start()``
/// and ``stop()`` wait for the loop's queue, unless they are called on it. A mistake, such as a second start, stops the
/// process with a message that says what to do. A controller that nobody holds any more stops. After Mobius' type of this
/// name, in which `stop` from a view, and an event that comes a little late, are fatal.
public final class MobiusController<Model: Sendable, Event: Sendable, Effect: Sendable>: @unchecked Sendable {
    // Unchecked: `state` and `views` are touched under the lock alone.
    private let builder: Mobius.Builder<Model, Event, Effect>
    private let initiate: Initiate<Model, Effect>?
    private let loopQueue: LoopQueue
    private let viewQueue: DispatchQueue
    private let lock = Lock()
    private var state: State
    private var views: [ControlledView<Model, Event>] = []

    private enum State {
        case stopped(Model)
        case running(Session)
    }

    /// What one start has made.
    private struct Session {
        let root: LoopRoot<Model, Event, Effect>
        let views: [ViewSession<Model, Event>]
    }

    init(
        builder: Mobius.Builder<Model, Event, Effect>,
        model: Model,
        initiate: Initiate<Model, Effect>?,
        loopQueue: DispatchQueue,
        viewQueue: DispatchQueue
    ) {
        self.builder = builder
        self.initiate = initiate
        self.loopQueue = LoopQueue(target: loopQueue)
        self.viewQueue = viewQueue
        state = .stopped(model)
    }

    deinit {
        if case .running(let session) = state {
            // Not waited for: the last reference may go away anywhere.
            session.root.dispose()
            for view in session.views { view.close() }
        }
        lock.free()
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

    /// Starts a loop from the model as it was left. When this returns, everybody is connected, and the effects of `initiate`
    /// were handed over.
    ///
    /// Starting what is running is a mistake.
    public func start() {
        let session: Session? = lock.withLock {
            guard case .stopped(let model) = state else { return nil }
            let root = builder.makeRoot(model, queue: loopQueue.queue)
            let session = Session(root: root, views: views.map { ViewSession($0) })
            state = .running(session)
            return session
        }
        guard let session else { refuse("was started while it is running", "call stop() first") }
        let consumer = builder.makeConsumer(of: session.root)
        for view in session.views { view.open(consumer) }
        let observers = session.views.map { view in Observer<Model> { view.offer($0.pointee) } }
        loopQueue.run {
            builder.begin(session.root, consumer, observers: observers, first: { builder.initiate(initiate, $0) })
        }
    }

    /// Stops the loop. When this returns, effect handler, event source and views are disposed, in this order, and nothing is
    /// handled any more; the model stays for the next start.
    ///
    /// A view that is just being given a model by another thread is disposed by that one, right after. Stopping what is not
    /// running is a mistake.
    public func stop() {
        let session: Session? = lock.withLock {
            guard case .running(let session) = state else { return nil }
            return session
        }
        guard let session else { refuse("was stopped while it is not running", "call start() first") }
        loopQueue.run { session.root.disposeOnQueue() }
        for view in session.views { view.close() }
        let model = session.root.core.read { $0 }
        lock.withLock {
            if case .running(let current) = state, current.root === session.root { state = .stopped(model) }
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
        case .running(let session): return session.root.core.read { $0 }
        }
    }

    /// Puts another model in the place of the one that the next start begins with. A mistake while it is running.
    public func replaceModel(_ model: Model) {
        let isStopped = lock.withLock {
            guard case .stopped = state else { return false }
            state = .stopped(model)
            return true
        }
        if !isStopped {
            refuse("was given another model while it is running", "call stop() first, or dispatch an event")
        }
    }
}

// MARK: - Views

extension MobiusController {
    /// Connects a view: from the next start on it is given each model, on the view's queue, and its events reach the loop.
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

    /// Connects a view of the main actor's: it is connected, given models and disposed there, at once where the caller is
    /// there. Otherwise the same.
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

    /// Disconnects the only view. A mistake while the controller is running, and where there is no view, or more than one.
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

    /// Disconnects the view that `id` was returned for. A mistake while the controller is running, and where there is no such
    /// view.
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
        let isStopped = lock.withLock {
            guard case .stopped = state else { return false }
            views.append(view)
            return true
        }
        if !isStopped { refuse("was given a view while it is running", "call stop() first") }
        return view.id
    }

    private func remove(_ body: (inout [ControlledView<Model, Event>]) -> (String, String)?) {
        let mistake: (String, String)? = lock.withLock {
            guard case .stopped = state else {
                return ("was told to disconnect a view while it is running", "call stop() first")
            }
            return body(&views)
        }
        if let (what, remedy) = mistake { refuse(what, remedy) }
    }
}
