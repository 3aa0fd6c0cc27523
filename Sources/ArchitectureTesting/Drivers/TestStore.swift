public import Effects
import FunctionalCore
public import Optics
public import Testing
public import VirtualTime

/// A test driver for a reducer and its effects, in which the test states everything that happens. Synchronous, in
/// virtual time.
///
/// ```swift
/// let time = VirtualScheduler()
/// let test = TestStore(reducer: page, state: Page(), effects: [getPost.provide(api(time.clock))], time: time)
///
/// test.send(GetPost(id: "1")) { $0.isLoading = true }
/// test.advance(by: .seconds(1))
/// test.receive(GotPost.self) { $0 = Page(title: "post 1") }
/// test.finish()
/// ```
///
/// The driver runs a ``store`` as an app does, with an executor that it drains. When a call returns, everything that
/// does not wait has happened. The test states the change of an action that it sends with
/// ``send(_:sourceLocation:_:)``, and each action of an effect, a middleware or an observer with `receive`. Each action
/// is stated with its own change, in the order in which the store has processed them.
///
/// An issue is recorded for everything that the test does not state: changes, actions, requests that are under way,
/// failures of effects, and calls that a ``Recorder`` has recorded. See ``TestAxes`` and ``TestDriver``. Requests,
/// programs, sequences that have not ended, and values that `delay`, `debounce` or `throttle` holds are under way. An
/// effect that only listens is not.
///
/// The driver stops a sender that answers more than 10,000 of its own actions, and reports this before anything else.
/// To raise the limit, create the store with a `maximumChain`.
///
/// To test one effect alone, ``EffectRunner`` is simpler. To test code that dispatches actions, use ``MockStore``.
public final class TestStore<S: Equatable & Sendable>: AnyTestDriver<S> {
    /// The store that the driver runs. Actions that are dispatched to it directly have to be received by the test.
    public let store: Store<S>
    // The core is released after the store, and runs the rest of the cancelled work.
    private let lastCore: DriverCore<S>

    /// Creates a driver that runs a store.
    ///
    /// - Parameters:
    ///   - reducer: The reducer to test.
    ///   - state: The state before the first action.
    ///   - effects: The effects that run until the store is deallocated.
    ///   - middleware: Receives each action before the reducer. The first one is the outermost.
    ///   - time: The clock and the executor of the store. If effects sleep, pass them `time.clock`.
    ///   - calls: Records the calls of an environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    public convenience init(
        reducer: @escaping ReducerFn<S>,
        state: S,
        effects: [Effect<Void>] = [],
        middleware: [Middleware<S>] = [],
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(state: state, time: time, calls: calls, relaxing: relaxed, sourceLocation: sourceLocation) { setup in
            Store(
                reducer: reducer, initialState: state, effects: effects, middleware: middleware,
                executor: setup.executor, trace: setup.trace)
        }
    }

    /// Creates a driver that runs a store whose effects use an environment.
    ///
    /// The environment is evaluated once for each effect, and again each time an effect restarts. The other parameters
    /// are those of `init(reducer:state:effects:middleware:time:calls:relaxing:sourceLocation:)`.
    public convenience init<Environment>(
        reducer: @escaping ReducerFn<S>,
        state: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        effects: [Effect<Environment>],
        middleware: [Middleware<S>] = [],
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(state: state, time: time, calls: calls, relaxing: relaxed, sourceLocation: sourceLocation) { setup in
            Store(
                reducer: reducer, initialState: state, environment: environment(), effects: effects,
                middleware: middleware, executor: setup.executor, trace: setup.trace)
        }
    }

    /// Creates a driver that runs the store that a closure creates, for example one whose environment reads the state.
    ///
    /// ```swift
    /// let test = TestStore(state: Notes(), time: time) { setup in
    ///     Store(
    ///         reducer: reducer, initialState: Notes(),
    ///         environment: { state in Journal(count: { state().items.count }, write: write) }, effects: [logging],
    ///         executor: setup.executor, trace: setup.trace)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - state: The state with which the closure creates the store.
    ///   - time: The clock and the executor of the store. If effects sleep, pass them `time.clock`.
    ///   - calls: Records the calls of an environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    ///   - makeStore: Creates the store, with the executor and the trace that it receives.
    public init(
        state: S,
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeStore: (TestSetup) -> Store<S>
    ) {
        let core = DriverCore(
            DriverWords(message: "action", outside: "the store", permanent: "effect"), state: state, time: time,
            calls: calls, relaxing: relaxed, origin: sourceLocation,
            // An effect is permanent. The requests of an effect are not.
            isPermanent: { event, source in
                if source == .effect, case .started(let subject, _) = event.kind {
                    return !(subject.value is StreamWork)
                }
                return false
            })
        store = makeStore(TestSetup(executor: time.executor, trace: core.trace))
        lastCore = core
        super.init(core)
        core.isIdle = { [unowned store = self.store] in store.isIdle(orPost: $0) }
        core.follow(store.traceOwner, on: store.executor, name: "store")
        // The trace contains the failures of effects. The observer keeps them from standard error. In a trace, a request
        // whose failure is reported does not differ from one whose failure is handled.
        store.onError { [log = core.log] error in
            if error is RunawayEffect { log.note(error) }
            guard let failure = error as? EffectFailure, failure.nextStep == .continues else { return }
            log.note(failure.error, isStoppedChain: false)
        }
        core.run(sourceLocation)
    }

    deinit { core.finishAtOrigin() }
}

// MARK: - Stating what happens

extension TestStore {
    /// Sends an action, and states its change of the state.
    ///
    /// Everything that happened before must have been stated. `change` is applied to a copy of the state that the test
    /// has stated so far. Without it, the state must not change. Actions that a middleware, an observer or an effect
    /// dispatches in response have to be received, even if they have been processed already.
    ///
    /// - Parameters:
    ///   - action: The action to send.
    ///   - sourceLocation: The place where issues about the action are recorded. By default, the call.
    ///   - change: Makes the expected change.
    /// - Returns: A handle for the work that the action has started.
    @discardableResult
    public func send(
        _ action: any Action, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> Sent {
        core.send(action, at: sourceLocation, change, by: { store.dispatch(action: action) })
    }

    /// Expects that the next action that the test has not sent equals `action`, and states its change of the state.
    ///
    /// Actions of an `Equatable` type are compared with `==`. Other actions are equal if they have the same type, the
    /// same `dump` output and the same description. If the next action is a different one, an issue is recorded, and
    /// that action counts as received.
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    ///   - change: Makes the expected change. Without it, the state must not change.
    /// - Returns: A handle for the work that the action has started.
    @discardableResult
    public func receive(
        _ action: any Action, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> Sent {
        core.receive("\(action)", at: sourceLocation, change) { received in
            isSame(action, received) ? nil : ValueDiff.difference(from: action, to: received).lines
        }
    }

    /// Expects that the next action that the test has not sent has the type `type`, states its change, and returns the
    /// action.
    ///
    /// ```swift
    /// let failed = test.receive(RequestFailed.self) { $0.isLoading = false }
    /// ```
    ///
    /// If the next action has another type, an issue is recorded, and the result is `nil`.
    @discardableResult
    public func receive<A: Action>(
        _ type: A.Type, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> A? {
        core.receive(matching: "of the type \(type)", at: sourceLocation, change) { (action: A) in action }
    }

    /// Expects that a prism matches the next action that the test has not sent, states its change, and returns the
    /// part.
    ///
    /// ```swift
    /// let title = test.receive(PageAction.prism(for: PageAction.loaded)) { $0.isLoading = false }
    /// ```
    ///
    /// If the prism does not match the next action, an issue is recorded, and the result is `nil`.
    @discardableResult
    public func receive<A: Action, Part>(
        _ prism: some PrismProtocol<A, Part>, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout S) -> Void)? = nil
    ) -> Part? {
        let prism = prism.asPrism
        return core.receive(matching: "that the prism matches", at: sourceLocation, change) { (action: A) in
            prism.extract(action)
        }
    }

    /// Expects that the next action that the test has not sent satisfies a predicate, states its change, and returns
    /// the action.
    ///
    /// If the next action does not satisfy the predicate, an issue is recorded, and the result is `nil`.
    @discardableResult
    public func receive(
        where isExpected: (any Action) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout S) -> Void)? = nil
    ) -> (any Action)? {
        core.receive(matching: "that satisfies the predicate", at: sourceLocation, change) { (action: any Action) in
            isExpected(action) ? action : nil
        }
    }

    /// Expects that the next thing that happens is a change by an action that was stated before, and states the change.
    ///
    /// Such a change is made by a middleware that passes on an action later, for example in a task.
    ///
    /// - Parameters:
    ///   - sent: The result of `send`, or of `receive`.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    ///   - change: Makes the expected change.
    public func change(
        from sent: Sent, sourceLocation: SourceLocation = #_sourceLocation, _ change: @escaping (inout S) -> Void
    ) {
        core.change(from: sent, at: sourceLocation, change)
    }

    /// Registers an effect, which runs until its registration is cancelled or the store is deallocated.
    ///
    /// Issues about what the effect does by itself, such as a sequence that has not ended, are recorded at this call.
    @discardableResult
    public func register(
        _ effect: Effect<Void>, sourceLocation: SourceLocation = #_sourceLocation
    ) -> EffectRegistration {
        core.perform(effect.name, at: sourceLocation) { store.register(effect) }
    }
}

/// Returns whether two actions are equal or, if their type is not `Equatable`, have the same type, equal parts and the
/// same description.
private func isSame(_ left: any Action, _ right: any Sendable) -> Bool {
    func isEqual<Value: Equatable>(_ left: Value) -> Bool {
        (right as? Value).map { ValueEquality.areEqual(left, $0) } ?? false
    }
    if let left = left as? any Equatable { return isEqual(left) }
    return ValueEquality.areSame(left, right, askingValues: true) && "\(left)" == "\(right)"
}
