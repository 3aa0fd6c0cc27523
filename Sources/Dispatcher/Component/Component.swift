public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// A runtime that owns the state of a dispatcher, processes inputs serially, and notifies observers of every change.
///
/// ```swift
/// let component = Component(initialState: 0, environment: (), dispatcher: stepper)
/// component.observe { count in print(count) }  // 0
/// component.send(.tapIncrement)                // 1
/// ```
///
/// A component is thread-safe. Inputs are processed one at a time, in the order in which they are sent. ``send(_:)``
/// documents which work it finishes before it returns. ``settled()`` waits until nothing is left to do.
///
/// The actions of one input run one after the other. Actions of different inputs do not wait for each other. The change
/// of an action is applied atomically and in place, to the state at the time when the action ends. So concurrent
/// workflows do not lose each other's changes.
///
/// The synchronous steps of an action run on the thread that processes the input. From the first asynchronous step on,
/// the rest of the workflow runs in a task. The task runs on the component's executor, unless `continueOn` names
/// another executor. The component processes the results of the task in turn, like inputs.
///
/// If an action fails, its workflow ends. Earlier changes stay, the actions after it do not run, and observers that are
/// registered with ``onError(_:)`` receive the error.
///
/// When the last reference to a component is released, the work that it started is cancelled. A component retains its
/// observers. An observer that captures its component strongly keeps it alive forever, so capture it weakly.
public final class Component<S: Sendable, Input: Sendable>: Sendable {
    @usableFromInline
    let runtime: ComponentRuntime<S, Input>

    /// Creates a component with an initial state, and with the subscriptions that follow from its state, if it has any.
    ///
    /// `subscriptions` is called with the initial state and after each change, before observers are notified. The
    /// component compares the returned ids with the previous ids:
    ///
    /// - Subscriptions with a new id are started, each in a task. The tasks are created in the order of the list.
    /// - Subscriptions whose id was already listed keep running.
    /// - Subscriptions whose id is no longer listed are cancelled. Their inputs that have not been processed are
    ///   dropped.
    ///
    /// If an id is listed twice, the first subscription is used. A subscription that has ended or failed does not
    /// restart as long as its id stays in the list. It restarts if its id is removed from the list and later added
    /// again. A subscription that is listed again after it was cancelled starts at once, even if the cancelled task has
    /// not ended. Subscriptions do not retain the component. They are cancelled when it is deallocated.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first input.
    ///   - environment: The environment of the actions and subscriptions. The expression is evaluated each time an action
    ///     needs it, on the thread that runs the action, and for each start of a subscription. Create objects that
    ///     actions share, such as a cache, before the call, and refer to them in the expression. If actions send inputs
    ///     to this component, they can find it in such an object. Store a weak reference to the component there after
    ///     this call. If actions read the state, pass a closure instead, which receives a reader of the state.
    ///   - executor: The executor of subscriptions, and of the tasks that run asynchronous actions; `nil` is the global
    ///     executor. Tests pass an executor that they drain.
    ///   - carrying: The task-local values that the work of an input takes from the sender of the input, such as the id
    ///     of a request. `nil` carries none.
    ///   - maximumChain: The number of inputs after which an endless chain is stopped and reported. See
    ///     ``RunawayInput`` for which inputs are counted.
    ///   - trace: Records what the component does.
    ///   - dispatcher: The dispatcher that the component runs.
    ///   - subscriptions: Returns the subscriptions that a state asks for; see ``Subscription``. It is called after every
    ///     change, on the thread that makes the change, so it should be cheap and have no side effects. See also
    ///     `init(initialState:environment:executor:carrying:maximumChain:trace:dispatcher:watching:subscriptions:)`.
    @inlinable
    public init<Environment>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        carrying: CarriedValues? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        subscriptions: (@Sendable (S) -> [Subscription<Environment, Input>])? = nil
    ) {
        runtime = ComponentRuntime(
            initialState: initialState, executor: executor, maximumChain: maximumChain, carrying: carrying, trace: trace
        ) { _ in
            dispatcher.performing(in: environment)
        }
        run(subscriptions, in: environment)
    }

    /// Creates a component whose environment can read the state.
    ///
    /// ```swift
    /// Component(
    ///     initialState: List(), environment: { state in Disk(items: { state().items }, save: save) },
    ///     dispatcher: list)
    /// ```
    ///
    /// `environment` receives a reader, a function that returns the current state. The reader returns the state at the
    /// time of its call, which may come later than the call of `environment`. The reader may be called from any thread,
    /// and from observers, actions and subscriptions. Calling it from within a state update of the component, such as
    /// the closure of `update`, traps.
    ///
    /// The reader does not retain the component. After the component has been deallocated, it returns the last state.
    /// A value that it has returned is a copy: while the copy exists, a change of a large collection copies the
    /// collection.
    ///
    /// The closure `environment` is called each time an action needs the environment, on the thread that runs the
    /// action, and for each start of a subscription. For the other parameters, see
    /// `init(initialState:environment:executor:carrying:maximumChain:trace:dispatcher:subscriptions:)`.
    /// The article <doc:GettingStarted> saves a list in this way.
    // Disfavored for two reasons. If the type of the environment is `Any`, a function that is passed as the environment
    // remains the environment. And if the argument has an error, the compiler reports the error for the other
    // initializer.
    @_disfavoredOverload
    @inlinable
    public init<Environment>(
        initialState: S,
        environment: @escaping @Sendable (_ state: @escaping @Sendable () -> S) -> Environment,
        executor: (any TaskExecutor)? = nil,
        carrying: CarriedValues? = nil,
        maximumChain: Int = 2_000_000,
        trace: Trace? = nil,
        dispatcher: StateDispatcher<Environment, S, Input>,
        subscriptions: (@Sendable (S) -> [Subscription<Environment, Input>])? = nil
    ) {
        runtime = ComponentRuntime(
            initialState: initialState, executor: executor, maximumChain: maximumChain, carrying: carrying, trace: trace
        ) { core in
            let state = core.reader
            return dispatcher.performing { environment(state) }
        }
        run(subscriptions) { [state = runtime.core.reader] in environment(state) }
    }

    deinit { runtime.close() }
}

// MARK: - Sending

extension Component {
    /// Sends an input. The component runs the dispatcher's actions for it.
    ///
    /// May be called from any thread. Dropping the returned handle does not cancel the work.
    ///
    /// If the component is idle, the calling thread processes the input before this returns. All actions before the
    /// first asynchronous action have then changed the state. Inputs that were sent meanwhile, for example by
    /// observers, have been processed as well. But if other threads send many inputs, a task processes the rest of the
    /// queue.
    ///
    /// If the component is busy, the input is enqueued. A component is busy while it processes an input or the result
    /// of an action. So calls on the same thread are enqueued, too: from observers, from state updates, and from
    /// actions before the first asynchronous step. A call from a task, for example in an asynchronous action, is like a
    /// call from any other thread. An enqueued input is processed in turn. This call may return before that, and
    /// another thread may process the input. ``SendTask/finish()`` waits for the work of this input, and ``settled()``
    /// for the work of all inputs.
    ///
    /// An input that exceeds `maximumChain` is dropped, and its handle is cancelled; see ``RunawayInput``.
    ///
    /// - Returns: A handle to wait for the work of the input, or to cancel it.
    @inlinable
    @discardableResult
    public func send(_ input: Input) -> SendTask {
        runtime.send(input)
    }
}

// MARK: - Waiting

extension Component {
    /// Waits until all inputs are processed and all finite work has ended.
    ///
    /// Finite work is work that ends by itself. This waits for asynchronous workflows, and for inputs that a policy
    /// delays, and includes the pauses of policies and retries. It does not wait for subscriptions, for streams that have not ended, or for inputs that the policy
    /// `.queued` or `.concurrent(limit:)` delays because of such streams. When this returns, observers without isolation
    /// have been notified. Observers on an actor may not have been; see ``settledIncludingObservers()``.
    ///
    /// May be called from any thread. An action of the component must not await this, because it would wait for itself.
    /// The call retains the component while it waits.
    ///
    /// ```swift
    /// component.send(.load)
    /// try await component.settled()
    /// ```
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await runtime.settled(includingObservers: false)
    }

    /// Waits until all inputs are processed, all finite work has ended, and all observers have been notified.
    ///
    /// This includes observers on the main actor and on other actors. See ``settled()``.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settledIncludingObservers() async throws {
        try await runtime.settled(includingObservers: true)
    }
}

// MARK: - Flushing

extension Component {
    /// Starts the work that policies hold until a time.
    ///
    /// This is the work that waits for the interval of `debounce` or `throttle`. It starts in the turn of this call, as
    /// inputs do: before the call returns if the component is idle. Call this before the app goes to the background,
    /// for example:
    ///
    /// ```swift
    /// component.flush()
    /// try await component.settled()
    /// ```
    ///
    /// No running work is cancelled. If work runs under a `debounce`, the work that it holds starts when that has
    /// ended, unless a newer input replaces it until then. If the running work never ends, as a stream may, only a newer
    /// input ends this wait. Under `throttle`, another interval begins. Policies without an interval hold no work until
    /// a time. The order is that in which the policies, and their ids, were first used.
    ///
    /// May be called from any thread.
    ///
    /// - Complexity: O(n log n) in the number of policies and ids.
    public func flush() {
        runtime.flush(nil)
    }

    /// Starts the work of an id that policies hold until a time.
    ///
    /// This concerns all policies of the component's dispatchers for which ``StateDispatcher/policy(_:id:)`` returns an
    /// equal id of the same type. See ``flush()``.
    ///
    /// - Complexity: O(n log n) in the number of policies and ids.
    public func flush(_ id: some Hashable & Sendable) {
        runtime.flush(AnyKey(id))
    }
}

// MARK: - State

extension Component: Observable {
    /// The current state.
    ///
    /// May be read from any thread. Reading it from within a state update, such as the closure of `update`, traps.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. The next action notifies the tracking code,
    /// even if the action does not change the part of the state that this code uses. To be notified only of changes of
    /// one part, read that part through ``scope(state:input:)``.
    ///
    /// Notifications arrive after the change, on the main actor. Tracking on the main actor misses no change. Tracking
    /// on another thread can miss one; use ``observe(initial:buffering:_:)`` or
    /// ``states(buffering:)`` there.
    @inlinable
    public var state: S {
        ObservationBridge.trackRead(of: runtime.observation)
        return runtime.core.read { $0.value }
    }
}
