public import Dispatcher
import FunctionalCore
public import Optics
public import Testing
public import VirtualTime

/// A test driver for a component, in which the test states everything that happens. Synchronous, in virtual time.
///
/// ```swift
/// let time = VirtualScheduler()
/// let calls = Recorder()
/// let api = API(
///     load: calls.stub("load") { id in
///         try await time.clock.sleep(for: .seconds(1))
///         return "post \(id)"
///     },
///     delete: calls.unstubbed("delete"))
/// let test = TestDriver(screen, state: Screen(), environment: api, time: time, calls: calls)
///
/// let sent = test.send(.open(5)) { $0.phase = .loading }
/// test.expectCall("load", 5)
/// test.expectWork(sent, .sleeping(until: .seconds(1)))
/// test.advance(by: .seconds(1))
/// test.change(from: sent) { $0.phase = .loaded("post 5") }
/// test.finish()
/// ```
///
/// The driver runs a ``component`` as an app does, with an executor that it drains. When a call returns, everything
/// that does not wait has happened. The test itself never sleeps, and needs no other thread. With
/// ``send(_:sourceLocation:_:)``, it states the changes that an input makes without waiting. It states each later
/// change of its actions with ``change(from:sourceLocation:_:)``, and each input that it has not sent itself with
/// `receive`.
///
/// An issue is recorded for everything that the test does not state, on four axes: changes of the state, inputs, work
/// that is under way, and calls of the environment. An axis can be relaxed; see ``TestAxes``. An issue about something
/// that is left at the end is recorded at the line of the `send` that has caused it. An issue about something that
/// happened before another input is sent is recorded at the line of that `send`.
///
/// When the driver is deallocated, it makes the checks of ``AnyTestDriver/finish(sourceLocation:)`` for everything that
/// it has not reported yet. The driver is not `Sendable`, so use it in one task, outside of tasks that run on its
/// executor. Several drivers may share a clock and a recorder.
///
/// The driver stops a sender that answers more than 10,000 of its own inputs, and reports this before anything else. To
/// raise the limit, create the component with a `maximumChain`.
///
/// The driver does not run code that leaves the executor, such as `Task { }`, `Task.detached` and `@MainActor`
/// functions. Work that awaits such code is under way until its end arrives from another thread. To wait for that, make
/// the statement in ``AnyTestDriver/eventually(sourceLocation:_:)``. The state must have value semantics, because the
/// driver compares states of different times.
///
/// The idea comes from the Composable Architecture.
public final class TestDriver<S: Equatable & Sendable, Input: Sendable>: AnyTestDriver<S> {
    /// The component that the driver runs. Inputs that are sent to it directly have to be received by the test.
    public let component: Component<S, Input>
    private var tasks: [Int: SendTask] = [:]
    // Members are released in this order, after those of the superclass. The core is therefore released last, and runs
    // the rest of the cancelled work.
    private let lastCore: DriverCore<S>

    /// Creates a driver that runs the component that a closure creates.
    ///
    /// ```swift
    /// let test = TestDriver(state: Stopwatch(), time: time) { setup in
    ///     Component(
    ///         initialState: Stopwatch(), environment: time.clock, executor: setup.executor, trace: setup.trace,
    ///         dispatcher: stopwatch, subscriptions: { $0.isRunning ? [ticks] : [] })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - state: The state with which the closure creates the component.
    ///   - time: The clock and the executor of the component. If the environment sleeps, pass it `time.clock`.
    ///   - calls: Records the calls of the environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    ///   - makeComponent: Creates the component, with the executor and the trace that it receives.
    public init(
        state: S,
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ makeComponent: (TestSetup) -> Component<S, Input>
    ) {
        let core = DriverCore(
            DriverWords(message: "input", outside: "the component"), state: state, time: time, calls: calls,
            relaxing: relaxed, origin: sourceLocation, isPermanent: { _, source in source == .subscription })
        component = makeComponent(TestSetup(executor: time.executor, trace: core.trace))
        lastCore = core
        super.init(core)
        core.isIdle = { [unowned component = self.component] in component.isIdle(orPost: $0) }
        core.follow(component.traceOwner, on: component.executor, name: "component")
        // The trace contains the failures of work. The observer keeps them from standard error.
        component.onError { [log = core.log] error, _ in
            if error is RunawayInput { log.note(error) }
        }
        core.run(sourceLocation)
    }

    /// Creates a driver for a dispatcher.
    ///
    /// - Parameters:
    ///   - dispatcher: The dispatcher to test.
    ///   - state: The state before the first input.
    ///   - environment: The environment of the actions, evaluated each time an action needs it.
    ///   - subscriptions: Returns the subscriptions that a state asks for, as for a component.
    ///   - time: The clock and the executor of the component. If the environment sleeps, pass it `time.clock`.
    ///   - calls: Records the calls of the environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    public convenience init<Environment>(
        _ dispatcher: StateDispatcher<Environment, S, Input>,
        state: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        subscriptions: @escaping @Sendable (S) -> [Subscription<Environment, Input>] = { _ in [] },
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(state: state, time: time, calls: calls, relaxing: relaxed, sourceLocation: sourceLocation) { setup in
            Component(
                initialState: state, environment: environment(), executor: setup.executor, trace: setup.trace,
                dispatcher: dispatcher, subscriptions: subscriptions)
        }
    }

    deinit { core.finishAtOrigin() }
}

// MARK: - Stating what happens

extension TestDriver {
    /// Sends an input, and states the changes that it makes without waiting.
    ///
    /// Everything that happened before must have been stated. `change` is applied to a copy of the state that the test
    /// has stated so far. It states all changes that the input's actions make before the first of them suspends, for
    /// example to call an asynchronous closure of the environment. Only the result of these changes is compared.
    /// Without `change`, the input must not change the state in this time, not even temporarily.
    ///
    /// - Parameters:
    ///   - input: The input to send.
    ///   - sourceLocation: The place where issues about the input are recorded. By default, the call.
    ///   - change: Makes the expected changes.
    /// - Returns: A handle for the work that the input has started.
    @discardableResult
    public func send(
        _ input: Input, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> Sent {
        var task: SendTask?
        let sent = core.send(input, at: sourceLocation, change, by: { task = component.send(input) })
        tasks[sent.id] = task
        return sent
    }

    /// Expects that the next thing that happens is a change by the work of a message, and states the change.
    ///
    /// Call it once for each change that the work makes after it has waited, in the order of the changes. The work of a
    /// message includes that of the inputs that it has caused. A commit that leaves the state as it was does not count
    /// as a change.
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

    /// Expects that the next thing that happens is an input that the test has not sent, such as one of a subscription,
    /// and states its changes.
    ///
    /// - Returns: A handle for the work that the input has started.
    @discardableResult
    public func receive(
        _ input: Input, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> Sent where Input: Equatable {
        core.receive(equal: input, at: sourceLocation, change)
    }

    /// Unavailable, because the input is not `Equatable`. Use ``receive(where:sourceLocation:_:)`` instead.
    @available(
        *, unavailable, message: "The input is not Equatable. To fix, declare the conformance, or use receive(where:)."
    )
    @discardableResult
    public func receive(
        _ input: Input, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout S) -> Void)? = nil
    ) -> Sent {
        fatalError()
    }

    /// Expects that a prism matches the next input that the test has not sent, states its changes, and returns the
    /// part.
    ///
    /// If the prism does not match the next input, an issue is recorded, and the result is `nil`.
    @discardableResult
    public func receive<Part>(
        _ prism: some PrismProtocol<Input, Part>, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout S) -> Void)? = nil
    ) -> Part? {
        let prism = prism.asPrism
        return core.receive(matching: "that the prism matches", at: sourceLocation, change) { (input: Input) in
            prism.extract(input)
        }
    }

    /// Expects that the next input that the test has not sent satisfies a predicate, states its changes, and returns
    /// the input.
    ///
    /// If the next input does not satisfy the predicate, an issue is recorded, and the result is `nil`.
    @discardableResult
    public func receive(
        where isExpected: (Input) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout S) -> Void)? = nil
    ) -> Input? {
        core.receive(matching: "that satisfies the predicate", at: sourceLocation, change) { (input: Input) in
            isExpected(input) ? input : nil
        }
    }

    /// Cancels the work of a sent input, and runs its finalizers as far as they do not wait.
    ///
    /// Work that takes longer to unwind, for example by a finalizer that sleeps, is under way until it ends. The method
    /// cancels what `SendTask.cancel()` cancels. Cancelling the result of `receive` records an issue.
    public func cancel(_ sent: Sent, sourceLocation: SourceLocation = #_sourceLocation) {
        if core.isKnown(sent, sourceLocation) {
            if !sent.isSent { core.fail([DriverText.notCancellable(sent)], sourceLocation) }
            tasks[sent.id]?.cancel()
        }
        core.run(sourceLocation)
    }
}
