public import ArchitectureEngine
public import FunctionalCore
public import Observation
public import Optics

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
/// another one. The component processes the results of the task in turn, like inputs.
///
/// If an action fails, its workflow ends. Earlier changes stay, the actions after it do not run, and observers that are
/// registered with ``onError(_:)`` receive the error.
///
/// When the last reference to a component is released, the work that it started is cancelled. A component retains its
/// observers. An observer that captures its component strongly keeps it alive forever, so capture it weakly.
public final class Component<S: Sendable, Input: Sendable>: Sendable {
    @usableFromInline
    let runtime: ComponentRuntime<S, Input>

    /// Creates a component with an initial state.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first input.
    ///   - environment: The environment of the actions. The expression is evaluated each time an action needs it, on
    ///     the thread that runs the action. Create objects that actions share, such as a cache, before the call, and
    ///     refer to them in the expression. If actions send inputs to this component, they can find it in such an
    ///     object. Store a weak reference to the component there after this call.
    ///   - executor: The executor of the tasks that run asynchronous actions; `nil` is the global executor. Tests pass
    ///     one that they drain.
    ///   - maximumChain: The number of inputs after which an endless chain is stopped and reported. See
    ///     ``RunawayInput`` for which inputs are counted.
    ///   - dispatcher: The dispatcher that the component runs.
    @inlinable
    public init<Environment>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        dispatcher: StateDispatcher<Environment, S, Input>
    ) {
        let emit = dispatcher.emit
        runtime = ComponentRuntime(initialState: initialState, executor: executor, maximumChain: maximumChain) {
            input, runtime, run in
            emit(input) { emission in run.take(emission, of: input, in: environment, on: runtime) }
        }
    }

    deinit { runtime.close() }
}

// MARK: - Sending

extension Component {
    /// Sends an input. The component runs the dispatcher's actions for it.
    ///
    /// May be called from any thread. Dropping the returned handle does not cancel the work.
    ///
    /// If the component is idle, the calling thread processes the input before this returns. All actions that come
    /// before the first asynchronous one have then changed the state. Inputs that were sent meanwhile, for example by
    /// observers, have been processed as well. But if other threads send many inputs, a task processes the rest of the
    /// queue.
    ///
    /// If the component is busy, the input is enqueued. A component is busy while it processes an input or the result
    /// of an action. So calls on the same thread are enqueued, too: from observers, from state updates, and from
    /// actions before the first asynchronous step. A call from a task, such as that of an asynchronous action, is like
    /// a call from any other thread. An enqueued input is processed in turn. This call may return before that, and
    /// another thread may process the input.
    /// ``SendTask/finish()`` waits for the work of this input, ``settled()`` for the work of all inputs.
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
    /// delays. It does not wait for subscriptions, for streams that have not ended, or for inputs that the policy
    /// `.queued` delays because of such a stream. When this returns, observers without isolation have been notified.
    /// Observers on an actor may not have been; see ``settledIncludingObservers()``.
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
    /// on another thread can miss one; use ``observe(_:)`` or ``states`` there.
    public var state: S {
        runtime.observation.read { runtime.core.read { state in state } }
    }

    /// Returns a view of one part of this component, with an input type of its own.
    ///
    /// ```swift
    /// let stepper = component.scope(state: \.stepper, input: ParentInput.stepper)
    /// stepper.send(.tapIncrement)
    /// ```
    ///
    /// A scope stores no state and registers no observer. It retains the component. Its observers are notified when the
    /// part changes. A scope may be created where it is used and need not be stored, even if SwiftUI or
    /// `withObservationTracking` tracks its ``Scope/state``.
    ///
    /// - Parameters:
    ///   - part: The key path to the part of the state.
    ///   - embed: Returns the component's input for an input of the scope.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        state part: any KeyPath<S, Part> & Sendable,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput> {
        let path = StatePart(part)
        return Scope(
            view: PartView(
                queue: runtime.core.mainActorQueue,
                observation: runtime.observation,
                read: { [core = runtime.core] in core.read(path) },
                isSame: ==,
                attach: { [self] observer in runtime.attach(observer.on(path)) }
            ),
            send: { [self] input in send(embed(input)) }
        )
    }
}

// MARK: - Observing

extension Component {
    /// Calls `body` with the current state, and then with the new state after each action.
    ///
    /// `body` runs in the isolation in which it is formed:
    ///
    /// - Without isolation, it runs on the thread that changes the state, before anything else is processed.
    /// - On the main actor, it runs at once if the main thread changes the state and no earlier call is pending.
    ///   Otherwise the call is enqueued on the main actor.
    /// - On another actor, each call is enqueued on that actor.
    ///
    /// Every observer receives the states in order. Observers without isolation are called in registration order, and
    /// so are those on the main actor. Each observer on another actor is called independently of all others.
    ///
    /// The state is passed without a copy. A large state is copied only if `body`, or an enqueued call, keeps it while
    /// the component changes it.
    ///
    /// Dropping the returned registration does not cancel the observer: it then lives as long as the component.
    /// Registering an observer from within a state update traps.
    ///
    /// ``SendTask/finish()`` does not wait for observers on an actor. To wait for them, await
    /// ``settledIncludingObservers()``.
    ///
    /// In a `main.swift`, a closure at the top level is isolated to the main actor in the Swift 6 language mode. In the
    /// Swift 5 mode, it is isolated only if the file awaits at its top level. If such a closure is isolated and another
    /// thread changes the state, the call of the closure is enqueued on the main actor, as described above.
    ///
    /// - Parameter body: Called with each state.
    /// - Returns: A registration that cancels the observer.
    @inlinable
    @discardableResult
    public func observe(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        runtime.attach(Observer(isolation: body.isolation, by: runtime.core.mainActorQueue, unisolated(body)))
    }

    /// Calls `body` with the current state and with each new one, until `owner` is deallocated; see ``observe(_:)``.
    ///
    /// - Parameters:
    ///   - owner: The object whose lifetime limits that of the observer. It is not retained.
    ///   - body: Called with each state.
    /// - Returns: A registration that cancels the observer earlier.
    @inlinable
    @discardableResult
    public func observe(
        for owner: some AnyObject & Sendable,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        let (call, cancellation) = (unisolated(body), Cancellation())
        // Checked when `body` is called. On an actor, that is later than the notification.
        return runtime.attach(
            Observer(isolation: body.isolation, by: runtime.core.mainActorQueue, until: cancellation) {
                [weak owner] state in
                if owner == nil { cancellation.cancel() } else { call(state) }
            })
    }

    /// Calls `body` with a part of the current state, and then with its new value each time the part changes.
    ///
    /// `body` runs in the isolation in which it is formed, as in ``observe(_:)``. The part is compared after each
    /// action; a stored property is compared in place. The observer keeps the last value of the part. If the part is a
    /// large collection, an in-place change therefore copies it: observe its count, or a version number, instead.
    ///
    /// - Parameters:
    ///   - part: The key path to the part of the state.
    ///   - body: Called with each value of the part.
    /// - Returns: A registration that cancels the observer.
    @inlinable
    @discardableResult
    public func observe<Part: Equatable & Sendable>(
        _ part: any KeyPath<S, Part> & Sendable,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Part) -> Void
    ) -> Registration {
        let observer = Observer(isolation: body.isolation, by: runtime.core.mainActorQueue, unisolated(body))
        return runtime.attach(observer.onlyChanges(by: ==).on(StatePart(part)))
    }

    /// The current state, and then the new state after each action.
    ///
    /// The sequence skips nothing: it buffers all states that are not consumed yet. It ends when the component is
    /// deallocated. Each access creates a sequence of its own. Accessing it from within a state update traps.
    public var states: some AsyncSequence<S, Never> & Sendable {
        AsyncStream { runtime.attach($0) }
    }

    /// Calls `body` with each error of an action or a subscription, and its source.
    ///
    /// `body` runs in the isolation in which it is formed, and in order, as in ``observe(_:)``. A chain of inputs that
    /// is stopped is reported as a ``RunawayInput``. An error without an observer is written to standard error.
    /// Cancelled work reports no error, whatever it throws. A `CancellationError` of other work is reported like any
    /// error.
    ///
    /// Registering an observer from within a state update traps.
    ///
    /// - Parameter body: Called with each error, and the input or the subscription that failed.
    /// - Returns: A registration that cancels the observer. Dropping it does not.
    @discardableResult
    public func onError(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (any Error, ErrorSource) -> Void
    ) -> Registration {
        let call = unisolated(body)
        return runtime.attachToFailures(
            Observer(isolation: body.isolation, by: runtime.core.mainActorQueue) { failed in
                call(failed.error, failed.source)
            }
        )
    }
}
