public import Effects
import FunctionalCore
public import Testing
public import VirtualTime

/// A test driver for a reducer and its effects, in which the test states everything that happens.
///
/// ```swift
/// let store = TestStore(reducer: reducer, initialState: App(), effects: [getPostEffect])
/// store.dispatch(GetPost(id: "1")) { $0.isLoading = true }
/// store.receive(GetPostSuccess(post: post)) {
///     $0.isLoading = false
///     $0.post = post
/// }
/// store.finish()
/// ```
///
/// An action that an effect dispatches waits until the test receives it. Then it is reduced and delivered to the
/// effects. Tasks of effects run in virtual time, on the thread that calls this store. Time passes only in
/// ``advance(by:)``.
///
/// An action that a middleware dispatches does not wait. It is processed after the action that the middleware received,
/// so the expected change of that action includes it.
///
/// An issue is recorded if
///
/// - the state after an action is not the expected one;
/// - an action is dispatched while others wait to be received;
/// - an action is expected, but none waits to be received, or the next one is different;
/// - an action has not been received when ``finish(sourceLocation:)`` is called;
/// - an effect has work under way, or has failed, when `finish` is called.
///
/// If the test does not call `finish`, the store makes the same checks when it is deallocated. The store is not
/// `Sendable`, so use it in one task.
///
/// The idea comes from the Composable Architecture.
public final class TestStore<S: Equatable & Sendable> {
    /// The clock and the executor of the effects.
    public let scheduler: VirtualScheduler
    private let store: Store<S>
    private let log: Locked<StoreLog>
    private let origin: SourceLocation
    private var isFinished = false

    /// Creates a store whose effects run in virtual time.
    ///
    /// - Parameters:
    ///   - reducer: The reducer to test.
    ///   - initialState: The state before the first action.
    ///   - effects: The effects that run until the store is deallocated. If an effect needs an environment, give the
    ///     effect its environment with `provide`.
    ///   - middleware: Receives each action before the reducer: those of the test, and those of effects when the test
    ///     receives them. The first one is the outermost.
    ///   - scheduler: The clock and the executor of the effects.
    ///   - sourceLocation: The place where issues are recorded if the store is deallocated without a call of
    ///     ``finish(sourceLocation:)``. By default, the call of this initializer.
    public init(
        reducer: @escaping ReducerFn<S>,
        initialState: S,
        effects: [Effect<Void>] = [],
        middleware: [Middleware<S>] = [],
        scheduler: VirtualScheduler = VirtualScheduler(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let log = Locked(StoreLog())
        self.log = log
        self.scheduler = scheduler
        origin = sourceLocation
        store = Store(
            reducer: reducer, initialState: initialState, effects: effects.map { Self.diverted($0, to: log) },
            middleware: middleware, executor: scheduler.executor)
        store.onError { failure in log.withLock { $0.failures.append(failure) } }
        scheduler.drain()
    }

    deinit {
        if !isFinished { record(leftovers, origin) }
    }

    /// The current state.
    public var state: S {
        store.state
    }

    /// Registers an effect, which runs until its registration is cancelled or the store is deallocated.
    @discardableResult
    public func register(_ effect: Effect<Void>) -> EffectRegistration {
        defer { scheduler.drain() }
        return store.register(Self.diverted(effect, to: log))
    }

    /// Advances the time for the effects.
    public func advance(by duration: Duration) {
        scheduler.advance(by: duration)
    }

    private static func diverted(_ effect: Effect<Void>, to log: Locked<StoreLog>) -> Effect<Void> {
        effect.diverted { action in log.withLock { $0.waiting.append(action) } }
    }
}

// MARK: - Expectations

extension TestStore {
    /// Dispatches `action`, and expects that it changes the state as `change` does.
    ///
    /// The first argument has no label, unlike that of the method `dispatch(action:)` of `Store`.
    ///
    /// - Parameters:
    ///   - action: The action to dispatch.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    ///   - change: Makes the expected change to a copy of the state. By default, the state is expected not to change.
    public func dispatch(
        _ action: any Action,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout S) -> Void = { _ in }
    ) {
        record(failures(dispatching: action, change), sourceLocation)
    }

    /// Receives the next action that an effect has dispatched, and expects it to equal `action`.
    ///
    /// The action is expected to change the state as `change` does. Actions of an `Equatable` type are compared with
    /// `==`. Other actions are equal if they have the same type, the same `dump` output and the same description. If
    /// the next action differs from `action`, an issue is recorded, and the store processes the action that the effect
    /// dispatched.
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - sourceLocation: The place where issues are recorded. By default, the call.
    ///   - change: Makes the expected change to a copy of the state. By default, the state is expected not to change.
    public func receive(
        _ action: any Action,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout S) -> Void = { _ in }
    ) {
        record(failures(receiving: action, change), sourceLocation)
    }

    /// Expects that no action waits to be received, that no effect has work under way, and that no effect has failed.
    ///
    /// If a test expects an effect to fail, wrap the call of this method in `withKnownIssue`.
    public func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        isFinished = true
        record(leftovers, sourceLocation)
    }

    func failures(dispatching action: any Action, _ change: (inout S) -> Void) -> [String] {
        let waiting = log.withLock { $0.waiting }
        var failures: [String] = []
        if !waiting.isEmpty {
            failures.append(report("An action was dispatched before others were received", waiting.flatMap(added)))
        }
        return failures + handle(action, change)
    }

    func failures(receiving expected: any Action, _ change: (inout S) -> Void) -> [String] {
        scheduler.drain()
        let next = log.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        guard let next else { return [report("No action waits to be received", missing(expected))] }
        if isSame(expected, next) { return handle(next, change) }
        return [report("Received a different action", LineDiff(from: expected, to: next).lines)] + handle(next, change)
    }

    var leftovers: [String] {
        scheduler.drain()
        let log = log.withLock { $0 }
        var leftovers = log.failures.map { "\($0)" }
        if !log.waiting.isEmpty {
            leftovers.append(report("Actions were not received", log.waiting.flatMap(added)))
        }
        for effect in store.busyEffects {
            leftovers.append("The effect of \(effect) has work under way. To fix, advance the time, or cancel it.")
        }
        return leftovers
    }

    private func handle(_ action: any Action, _ change: (inout S) -> Void) -> [String] {
        var expected = store.state
        change(&expected)
        store.dispatch(action: action)
        scheduler.drain()
        let state = store.state
        return state == expected ? [] : [report("The state differs", LineDiff(from: expected, to: state).lines)]
    }
}

/// The actions that wait to be received, and all failures of effects.
private struct StoreLog: Sendable {
    var waiting: [any Action] = []
    var failures: [any Error] = []
}

/// Returns whether two actions are equal or, if their type is not `Equatable`, have the same type and the same dump.
private func isSame(_ left: any Action, _ right: any Action) -> Bool {
    func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
    if let left = left as? any Equatable { return isEqual(left) }
    return type(of: left) == type(of: right) && LineDiff(from: left, to: right).distance == 0
}
