/// The state of a controller.
struct ControllerState<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    var phase: Phase
    var views: [LateConnectable<Model, Event>] = []
    var streams: [ModelStream<Model>] = []
    /// Whether a thread has ended a session and has not disposed its views yet.
    private(set) var isStopping = false
    private var weakLeftViews: [WeakView] = []

    enum Phase: Sendable {
        case stopped(Model)
        case running(ControllerSession<Model, Event, Effect>)
    }

    /// A weak reference to a view of an earlier start. A call that has not disposed the view yet retains it.
    private struct WeakView: Sendable {
        weak var view: LateConnection<Model, Event>?
    }

    init(model: Model) {
        phase = .stopped(model)
    }

    /// The session of the phase `running`. Stored, so that reading it does not copy the model of the other phase.
    private(set) var session: ControllerSession<Model, Event, Effect>?

    /// The views of earlier starts that may not have been disposed yet.
    var leftViews: [LateConnection<Model, Event>] { weakLeftViews.compactMap { $0.view } }

    /// Begins a session with the runtime that `makeRuntime` returns. Returns `nil` if a session is running.
    mutating func begin(
        _ makeRuntime: (Model) -> LoopRuntime<Model, Event, Effect>
    ) -> ControllerSession<Model, Event, Effect>? {
        guard case .stopped(let model) = phase else { return nil }
        streams.removeAll { $0.hasEnded }
        let session = ControllerSession(
            runtime: makeRuntime(model), views: views.map { LateConnection($0) }, streams: streams)
        phase = .running(session)
        self.session = session
        return session
    }

    /// Ends a session, and stores `model`, its last model, for the next start. Returns `false` if the session had ended
    /// before. The caller must call `forgetViews(hasStopped:)` afterwards.
    mutating func end(_ ended: ControllerSession<Model, Event, Effect>, _ model: Model) -> Bool {
        guard let session, session.runtime === ended.runtime else { return false }
        phase = .stopped(model)
        self.session = nil
        isStopping = true
        weakLeftViews += session.views.map { WeakView(view: $0) }
        return true
    }

    /// Forgets the views that have been disposed.
    ///
    /// - Parameter hasStopped: Whether the caller has ended the session and disposed its views.
    /// - Returns: The views of earlier starts that still exist. Reading a weak reference retains the view. The caller
    ///   must release it outside of the lock, because it may hold the last reference.
    mutating func forgetViews(hasStopped: Bool) -> [LateConnection<Model, Event>] {
        if hasStopped { isStopping = false }
        let views = leftViews
        weakLeftViews = views.filter { $0.isLeft }.map { WeakView(view: $0) }
        return views
    }
}

/// The loop, the views and the streams of one start of a controller.
struct ControllerSession<Model: Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    let runtime: LoopRuntime<Model, Event, Effect>
    let views: [LateConnection<Model, Event>]
    let streams: [ModelStream<Model>]
    /// A connection that keeps dispatched events until the start has created the consumer. It has no resources, so it
    /// is never disposed.
    let entry = LateConnection<Event, Event>(
        LateConnectable(of: nil, at: .caller) { Connection(acceptClosure: $0, disposeClosure: {}) })

    /// Closes all views, calls `whenClosed`, and then disposes the views. All views are closed before the first one is
    /// disposed, because a view may start the controller again while it is being disposed.
    func closeViews(_ whenClosed: () -> Void = {}) {
        for view in views { view.close() }
        whenClosed()
        for view in views { view.finish() }
    }
}
