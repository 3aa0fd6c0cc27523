public import Effects
public import Testing
public import VirtualTime

/// A store of which a test says everything that happens: what is left unsaid is an issue.
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
/// An action that an effect dispatches waits until it is received, and is reduced and given to the effects then. Tasks
/// run in virtual time, on the thread that calls this, which lets time pass by ``advance(by:)``. Issues are: a state
/// that is not the one that was said, an action that is dispatched while others wait, one that is not received, or is
/// another; and at the end an effect that has something under way, or has failed. The idea is TCA's.
public final class TestStore<S: Equatable & Sendable> {
    /// The time and the executor of the effects.
    public let scheduler: VirtualScheduler
    private let store: Store<S>
    private let log: Lock<StoreLog>
    private let origin: SourceLocation
    private var isFinished = false

    /// A store in virtual time.
    ///
    /// - Parameters:
    ///   - reducer: How actions change the state.
    ///   - initialState: The first state.
    ///   - effects: Those that live as long as the store. One that needs an environment is given it by `provide`.
    ///   - scheduler: The time and the executor of the effects.
    ///   - sourceLocation: Where is reported what is left when the store goes away without ``finish(sourceLocation:)``.
    public init(
        reducer: @escaping ReducerFn<S>,
        initialState: S,
        effects: [Effect<Void>] = [],
        scheduler: VirtualScheduler = VirtualScheduler(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let log = Lock(StoreLog())
        self.log = log
        self.scheduler = scheduler
        origin = sourceLocation
        store = Store(
            reducer: reducer, initialState: initialState, effects: effects.map { Self.diverted($0, to: log) },
            executor: scheduler.executor)
        store.onError { failure in log.withLock { $0.failures.append(failure) } }
        scheduler.drain()
    }

    deinit {
        if !isFinished { record(leftovers, origin) }
    }

    /// The state as it is now.
    public var state: S {
        store.state
    }

    /// Runs an effect from now on, until it is cancelled.
    @discardableResult
    public func register(_ effect: Effect<Void>) -> EffectRegistration {
        defer { scheduler.drain() }
        return store.register(Self.diverted(effect, to: log))
    }

    /// Lets time pass for the effects.
    public func advance(by duration: Duration) {
        scheduler.advance(by: duration)
    }

    private static func diverted(_ effect: Effect<Void>, to log: Lock<StoreLog>) -> Effect<Void> {
        effect.diverted { action in log.withLock { $0.waiting.append(action) } }
    }
}

// MARK: - What is said

extension TestStore {
    /// Dispatches an action, which changes the state as `change` does, and nothing else.
    public func dispatch(
        _ action: any Action,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout S) -> Void = { _ in }
    ) {
        record(failures(dispatching: action, change), sourceLocation)
    }

    /// Takes the next action that an effect has dispatched, which is `action`, and changes the state as `change` does.
    ///
    /// Actions are equal where their type says so; of types that do not, where they look the same in a dump.
    public func receive(
        _ action: any Action,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout S) -> Void = { _ in }
    ) {
        record(failures(receiving: action, change), sourceLocation)
    }

    /// Says that this is all: no action waits, no effect has anything under way, none has failed.
    public func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        isFinished = true
        record(leftovers, sourceLocation)
    }

    func failures(dispatching action: any Action, _ change: (inout S) -> Void) -> [String] {
        let waiting = log.withLock { $0.waiting }
        var failures: [String] = []
        if !waiting.isEmpty {
            failures.append(report("Actions wait to be received before others are dispatched", waiting.flatMap(added)))
        }
        return failures + handle(action, change)
    }

    func failures(receiving expected: any Action, _ change: (inout S) -> Void) -> [String] {
        scheduler.drain()
        let next = log.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        guard let next else { return [report("No action came", missing(expected))] }
        if isSame(expected, next) { return handle(next, change) }
        return [report("Another action came", LineDiff(from: expected, to: next).lines)] + handle(next, change)
    }

    var leftovers: [String] {
        scheduler.drain()
        let log = log.withLock { $0 }
        var leftovers = log.failures.map { "\($0)" }
        if !log.waiting.isEmpty {
            leftovers.append(report("Actions came that were not received", log.waiting.flatMap(added)))
        }
        for effect in store.busyEffects {
            leftovers.append("The effect of \(effect) has something under way. To fix, let time pass, or cancel it.")
        }
        return leftovers
    }

    private func handle(_ action: any Action, _ change: (inout S) -> Void) -> [String] {
        var expected = store.state
        change(&expected)
        store.dispatch(action: action)
        scheduler.drain()
        let state = store.state
        return state == expected ? [] : [report("The state is another", LineDiff(from: expected, to: state).lines)]
    }
}

/// What the effects of a store have done, and nobody has asked for.
private struct StoreLog: Sendable {
    var waiting: [any Action] = []
    var failures: [any Error] = []
}

/// Whether two actions are equal, or, where their type does not say, look it.
private func isSame(_ left: any Action, _ right: any Action) -> Bool {
    func isEqual<Value: Equatable>(_ left: Value) -> Bool { left == right as? Value }
    if let left = left as? any Equatable { return isEqual(left) }
    return type(of: left) == type(of: right) && LineDiff(from: left, to: right).distance == 0
}
