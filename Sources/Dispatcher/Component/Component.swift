public import ArchitectureEngine
public import FunctionalCore
public import Observation

/// Runs a dispatcher: keeps the state, takes inputs from any thread, and tells who observes of every change.
///
/// ```swift
/// let component = Component(initialState: 0, environment: (), dispatcher: stepper)
/// component.observe { count in print(count) }  // 0
/// component.send(.tapIncrement)                // 1
/// ```
///
/// Inputs are processed one at a time, in the order in which they are sent. ``send(_:)`` says what has happened when it
/// returns, and ``settled()`` waits until nothing is left to do.
///
/// The actions of one input run one after the other; those of another input do not wait for them. Each action is
/// applied to the state as it is when the action ends, in place and atomically: nothing is lost between two workflows
/// that run at once. What an action does synchronously, it does on the thread that handles the input; when it first
/// waits, it goes on in a task, on the global executor or where `continueOn` says. A failing action ends its own
/// workflow: what was committed stays, the actions after it do not run, and ``onError(_:)`` is told.
///
/// Letting go of the component frees it and cancels the work that it started. An observer that holds its component
/// holds it for ever: capture it weakly.
///
/// A pure input costs about as much as two uncontended messages through a lock.
public final class Component<S: Sendable, Input: Sendable>: Sendable {
    @usableFromInline
    let root: Root<S, Input>

    /// A component that starts from a state.
    ///
    /// - Parameters:
    ///   - initialState: The first state.
    ///   - environment: What actions may use; evaluated anew for each action that asks for it, on the thread that runs
    ///     it. What is to be the same for all of them, such as a generator or a cache, is made before and named here.
    ///   - executor: Where actions go on that have waited; `nil` is the global executor. Tests give one that they
    ///     drain.
    ///   - maximumChain: How many inputs may follow synchronously from one input and repeat a sender among their
    ///     causes, before the chain is stopped and reported as a ``RunawayInput``.
    ///   - dispatcher: What to do for each input.
    @inlinable
    public init<Environment>(
        initialState: S,
        environment: @escaping @Sendable @autoclosure () -> Environment,
        executor: (any TaskExecutor)? = nil,
        maximumChain: Int = 2_000_000,
        dispatcher: StateDispatcher<Environment, S, Input>
    ) {
        let emit = dispatcher.emit
        root = Root(initialState: initialState, executor: executor, maximumChain: maximumChain) { input, root, turn in
            emit(input) { emission in turn.take(emission, of: input, in: environment, on: root) }
        }
    }

    deinit { root.close() }
}

// MARK: - Sending

extension Component {
    /// Runs the dispatcher's actions for `input`. May be called from any thread. Dropping the returned handle cancels
    /// nothing.
    ///
    /// If no other input is being processed, actions that do not wait have changed the state when this returns, unless
    /// other threads send many inputs meanwhile: then the rest is handed to another thread.
    /// Otherwise the input is enqueued: if this is called from an observer, an action or a state update of the
    /// component, or while another thread processes an input. It is then processed in turn, possibly by that other
    /// thread after this has returned. ``Dispatched/finish()`` waits for the input, ``settled()`` for all of them.
    @inlinable
    @discardableResult
    public func send(_ input: Input) -> Dispatched {
        root.send(input)
    }
}

// MARK: - Waiting

extension Component {
    /// Waits until all inputs are processed and no work is under way that ends by itself.
    ///
    /// Such work is a workflow that waits, and an input that its policy keeps waiting. Subscriptions do not count, nor
    /// do streams that have not ended. Observers without isolation have then been notified; observers on an actor may
    /// not have been, see ``settledIncludingObservers()``.
    ///
    /// The call retains the component while it waits. May be called from any thread, but not by an action of the
    /// component, which would wait for itself.
    ///
    /// ```swift
    /// component.send(.load)
    /// try await component.settled()
    /// ```
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settled() async throws {
        try await root.settled(includingObservers: false)
    }

    /// Waits until all inputs are processed, no work is under way that ends by itself, and all observers have been
    /// notified, also those on the main actor and on other actors; see ``settled()``.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled.
    public func settledIncludingObservers() async throws {
        try await root.settled(includingObservers: true)
    }
}

// MARK: - State

extension Component: Observable {
    /// The state as it is now. May be read from any thread, except from within a state update, which traps.
    ///
    /// `withObservationTracking`, and therefore SwiftUI, tracks the read. Each action notifies, whether or not it
    /// changes what was read of the state. To be notified of the changes of one part, read that part through
    /// ``scope(state:input:)``.
    ///
    /// Notifications come after the change and on the main actor. None is lost there. On other threads use
    /// ``observe(_:)`` or ``states``.
    public var state: S {
        root.watch.read { root.core.read { state in state } }
    }

    /// A part of this component: a view on its state, with inputs of its own.
    ///
    /// ```swift
    /// let stepper = component.scope(state: \.stepper, input: ParentInput.stepper)
    /// stepper.send(.tapIncrement)
    /// ```
    ///
    /// It has no state and no subscription of its own, and keeps the component alive. Its observers are notified when
    /// the part has changed. It may be made inline, where it is used, also where ``Scope/state`` is tracked.
    @inlinable
    public func scope<Part: Equatable & Sendable, PartInput>(
        state part: any KeyPath<S, Part> & Sendable,
        input embed: @escaping @Sendable (PartInput) -> Input
    ) -> Scope<Part, PartInput> {
        let reader = PartReader(part)
        return Scope(
            mailbox: root.mainMailbox,
            watch: root.watch,
            read: { [core = root.core] in reader.read(from: core) },
            send: { [self] input in send(embed(input)) },
            attach: { [self] observer in root.attach(observer.on(reader)) }
        )
    }
}

// MARK: - Observing

extension Component {
    /// Calls `body` with the state as it is now, and then with each new one, once for each action.
    ///
    /// `body` runs in the isolation that it is formed in: on the main actor in a class of the main actor's, at once
    /// where that is possible and in order always. Without isolation it runs on the thread that changed the state,
    /// before anything else is handled. Each sees the states in the order in which they were, and observers are called
    /// in the order they registered: those without isolation, those of the main actor, and each of another actor for
    /// themselves. The state is lent: a copy of a large one costs only where it is kept and changed afterwards.
    ///
    /// The registration may be dropped: the observer then lives as long as the component.
    ///
    /// A closure at the top level of a `main.swift` is isolated to the main actor in the Swift 6 language mode, and in
    /// the Swift 5 mode if the file awaits at its top level. If another thread sends, its calls then come later, through
    /// the main actor. In the Swift 5 mode without an `await`, it has no isolation and runs on the thread that changed
    /// the state.
    ///
    /// ``Dispatched/finish()`` does not wait for observers that an actor isolates. To wait for them, await
    /// `settledIncludingObservers()`.
    @inlinable
    @discardableResult
    public func observe(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        root.attach(Observer(isolation: body.isolation, by: root.mainMailbox, unisolated(body)))
    }

    /// Calls `body` with each state for as long as `owner` lives; see ``observe(_:)``.
    @inlinable
    @discardableResult
    public func observe(
        for owner: some AnyObject & Sendable,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (S) -> Void
    ) -> Registration {
        let (call, cancellation) = (unisolated(body), Cancellation())
        // Asked when the body is called, which for an actor is later.
        return root.attach(
            Observer(isolation: body.isolation, by: root.mainMailbox, until: cancellation) { [weak owner] state in
                if owner == nil { cancellation.cancel() } else { call(state) }
            })
    }

    /// Calls `body` with a part of the state as it is now, and then whenever that part has changed.
    ///
    /// A stored property is compared where it lies, for a few nanoseconds. The last value of the part is kept; a part
    /// that is a large collection is therefore copied when it changes: observe a count or a version of it instead.
    @inlinable
    @discardableResult
    public func observe<Part: Equatable & Sendable>(
        _ part: any KeyPath<S, Part> & Sendable,
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (Part) -> Void
    ) -> Registration {
        root.attach(
            Observer(isolation: body.isolation, by: root.mainMailbox, unisolated(body)).onlyChanges().on(
                PartReader(part)))
    }

    /// The state as it is now, and then each new one. Nothing is skipped: what is not yet taken is kept. Ends with the
    /// component.
    public var states: some AsyncSequence<S, Never> & Sendable {
        stateStream { root.attach($0) }
    }

    /// Calls `body` with each failure of an action, and the input whose action it was.
    ///
    /// `body` runs in the isolation that it is formed in, in order, as in ``observe(_:)``. A failure that nobody is
    /// told of is written to standard error.
    @discardableResult
    public func onError(
        @_inheritActorContext _ body: @escaping @Sendable @isolated(any) (any Error, Input) -> Void
    ) -> Registration {
        let call = unisolated(body)
        return root.attachErrors(
            Observer(isolation: body.isolation, by: root.mainMailbox) { failed in call(failed.error, failed.input) })
    }
}
