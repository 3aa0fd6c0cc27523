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
/// The driver runs a ``store`` as an app does, with an executor that it drains. After each call, everything has
/// happened that does not wait. The test states the change of an action that it sends with ``send(_:sourceLocation:_:)``,
/// and each action of an effect, a middleware or an observer with `receive`.
///
/// An issue is recorded for everything that the test does not state: changes, actions, requests that are under way,
/// failures of effects, and calls that a ``Recorder`` has recorded. See ``TestAxes`` and ``TestDriver``.
public final class TestStore<S: Equatable & Sendable>: AnyTestDriver<S> {
    /// The store that the driver runs. Actions that are dispatched to it directly have to be received by the test.
    public let store: Store<S>

    /// Creates a driver that runs a store.
    ///
    /// - Parameters:
    ///   - reducer: The reducer to test.
    ///   - state: The state before the first action.
    ///   - effects: The effects that run until the store is deallocated.
    ///   - middleware: Receives each action before the reducer. The first one is the outermost.
    ///   - time: The clock and the executor. Effects take its clock.
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
    /// - Parameters:
    ///   - state: The state of the store.
    ///   - time: The clock and the executor.
    ///   - calls: Records the calls of an environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    ///   - makeStore: Creates the store, with the executor and the trace that it is passed.
    public init(
        state: S,
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeStore: (TestSetup) -> Store<S>
    ) {
        let core = DriverCore(
            DriverWords(message: "action", outside: "the store"), state: state, time: time, calls: calls,
            relaxing: relaxed, origin: sourceLocation,
            // A registered effect, not one of its requests.
            isPermanent: { event, source in source == .effect && event.cause == nil })
        store = makeStore(TestSetup(executor: time.executor, trace: core.trace))
        super.init(core)
        core.settle(sourceLocation)
    }

    deinit { core.finishAtOrigin() }
}

// MARK: - Stating what happens

extension TestStore {
    /// Sends an action, and states its change of the state.
    ///
    /// Everything that happened before must have been stated. `change` is applied to a copy of the state that the test
    /// has stated so far. Without it, the state must not change.
    @discardableResult
    public func send(
        _ action: any Action, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> Sent {
        core.send(action, at: sourceLocation, change, by: { store.dispatch(action: action) })
    }

    /// Expects that the next action that the test has not sent equals `action`, and states its change of the state.
    ///
    /// Actions of an `Equatable` type are compared with `==`. Other actions are equal if they have the same type, the
    /// same `dump` output and the same description.
    public func receive(
        _ action: any Action, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) {
        core.receive("\(action)", at: sourceLocation, change) { received in
            isSame(action, received) ? nil : LineDiff(from: action, to: received).lines
        }
    }

    /// Receives an action of a type, and returns it; see ``receive(_:sourceLocation:_:)-(Action,_,_)``.
    @discardableResult
    public func receive<A: Action>(
        _ type: A.Type, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> A? {
        core.receive(matching: "of the type \(type)", at: sourceLocation, change) { (action: A) in action }
    }

    /// Receives an action that a prism matches, and returns its part.
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

    /// Receives an action that satisfies a predicate, and returns it.
    @discardableResult
    public func receive(
        where isExpected: (any Action) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout S) -> Void)? = nil
    ) -> (any Action)? {
        core.receive(matching: "that satisfies the predicate", at: sourceLocation, change) { (action: any Action) in
            isExpected(action) ? action : nil
        }
    }

    /// Registers an effect, which runs until its registration is cancelled or the store is deallocated.
    @discardableResult
    public func register(
        _ effect: Effect<Void>, sourceLocation: SourceLocation = #_sourceLocation
    ) -> EffectRegistration {
        defer { core.settle(sourceLocation) }
        return store.register(effect)
    }
}

/// Returns whether two actions are equal or, if their type is not `Equatable`, have the same type and the same dump.
private func isSame(_ left: any Action, _ right: any Sendable) -> Bool {
    func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
    if let left = left as? any Equatable { return isEqual(left) }
    return type(of: left) == type(of: right) && LineDiff(from: left, to: right).distance == 0
}
