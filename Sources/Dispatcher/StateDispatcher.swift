public import FunctionalCore
public import Optics

/// Turns inputs into actions: descriptions of what to do in an environment, each of which ends in a change of the
/// state.
///
/// A dispatcher is a value, in essence a function `(Input) -> [EnvIO<Environment, any Error, State<S, Void>>]`. Asking
/// it for the actions of an input runs nothing; a ``Component`` runs them, one after the other, and each changes the
/// state once.
///
/// ```swift
/// enum StepperInput { case tapDecrement, tapIncrement }
///
/// let stepper = StateDispatcher<Any, Int, StepperInput>.pure { input in
///     switch input {
///     case .tapDecrement: .modify { $0 - 1 }
///     case .tapIncrement: .modify { $0 + 1 }
///     }
/// }
/// ```
///
/// Small dispatchers become one large by `widen(transformEnvironment:transformState:transformInput:)` and
/// ``combine(children:)``. The idea, the names and the examples are Bow Arch's.
public struct StateDispatcher<Environment, S, Input>: Sendable {
    /// One thing to do for an input.
    public typealias Action = EnvIO<Environment, any Error, State<S, Void>>

    @usableFromInline
    typealias Emit = @Sendable (Input, (Emission<Environment, S>) -> Void) -> Void

    /// Hands the actions of an input over one by one: no array is made for those that only a component wants to see.
    @usableFromInline
    let emit: Emit

    /// What this dispatcher was combined of, for one that is combined further.
    @usableFromInline
    let parts: [Part]

    /// A dispatcher that others can be combined with.
    @usableFromInline
    struct Part: Sendable {
        /// Says of an input whether its case lets this part have actions for it; `nil` where only trying tells.
        @usableFromInline
        let routing: CaseRouting<Input>?
        @usableFromInline
        let emit: Emit

        @inlinable
        init(routing: CaseRouting<Input>?, emit: @escaping Emit) {
            self.routing = routing
            self.emit = emit
        }
    }

    @inlinable
    init(routing: CaseRouting<Input>? = nil, emit: @escaping Emit) {
        self.emit = emit
        self.parts = [Part(routing: routing, emit: emit)]
    }

    @inlinable
    init(parts: [Part]) {
        self.parts = parts
        self.emit = combinedEmit(parts)
    }
}

// MARK: - Making one

extension StateDispatcher {
    /// A dispatcher that changes the state, without effects and whatever the environment. One action for each input.
    @inlinable
    public static func pure(_ change: @escaping @Sendable (Input) -> State<S, Void>) -> StateDispatcher {
        StateDispatcher { input, emit in emit(.change(change(input))) }
    }

    /// A dispatcher with one action for each input, which may use the environment, wait and fail.
    @inlinable
    public static func effectful(_ action: @escaping @Sendable (Input) -> Action) -> StateDispatcher {
        StateDispatcher { input, emit in emit(.action(action(input))) }
    }

    /// A dispatcher with any number of actions for each input. They run one after the other, and each changes the state
    /// for all to see before the next begins.
    @inlinable
    public static func workflow(_ actions: @escaping @Sendable (Input) -> [Action]) -> StateDispatcher {
        StateDispatcher { input, emit in for action in actions(input) { emit(.action(action)) } }
    }

    /// A dispatcher whose changes come from a sequence, one by one, as they come.
    ///
    /// ```swift
    /// .stream { input, server in
    ///     server.prices(of: input.share).map { price in .update { $0.prices.append(price) } }
    /// }
    /// ```
    ///
    /// The sequence is made in the run, and iterated in the component's task; each element is one change of the state.
    /// An error that it throws ends the workflow. What ``on(_:)`` returns for it is one action, which takes all changes
    /// to the end of the sequence and makes them as one.
    @inlinable
    public static func stream<Changes: AsyncSequence & SendableMetatype>(
        _ changes: @escaping @Sendable (Input, Environment) throws -> Changes
    ) -> StateDispatcher
    where Changes.Element == State<S, Void>, Changes.AsyncIterator: SendableMetatype, Input: Sendable {
        StateDispatcher { input, emit in
            emit(.stream(EnvIO { environment in ChangeStream(try changes(input, environment)) }))
        }
    }
}

// MARK: - Asking one

extension StateDispatcher {
    /// The actions for `input`, in order. Runs nothing, and reads neither environment nor state.
    @inlinable
    public func on(_ input: Input) -> [Action] {
        var actions: [Action] = []
        emit(input) { $0.append(to: &actions) }
        return actions
    }
}

// MARK: - Combining

extension StateDispatcher: Monoid {
    /// Returns a dispatcher that has, for each input, the actions of this dispatcher and then those of `other`.
    ///
    /// To combine more than a few dispatchers, use ``combine(children:)``: it reports an error at the line of the child
    /// that causes it. In a long chain, or in an array literal for `combineAll(_:)`, one error can make the compiler
    /// give up on the whole expression.
    ///
    /// - Complexity: An input costs what the dispatchers that its case concerns cost, if the others were widened by an
    ///   `AutoPrism` or a composite of one. A prism made of closures is tried for each input.
    @inlinable
    public func combine(_ other: StateDispatcher) -> StateDispatcher {
        StateDispatcher(parts: parts + other.parts)
    }

    /// A dispatcher that has no actions for any input.
    @inlinable
    public static var empty: StateDispatcher {
        StateDispatcher(parts: [])
    }
}
