public import FunctionalCore
public import Optics

/// A value that turns inputs into actions, each of which ends in a change of the state.
///
/// In essence, a dispatcher is a function `(Input) -> [EnvIO<Environment, any Error, State<S, Void>>]`. An action
/// describes work in an environment. The result of that work is a change of the state. Asking a dispatcher for the
/// actions of an input runs nothing. A ``Component`` runs the actions in order and applies the change of each action.
///
/// ```swift
/// enum StepperInput { case tapDecrement, tapIncrement }
///
/// var stepper: StateDispatcher<Void, Int, StepperInput> {
///     .pure { input in
///         switch input {
///         case .tapDecrement: return .update { $0 -= 1 }
///         case .tapIncrement: return .update { $0 += 1 }
///         }
///     }
/// }
/// ```
///
/// This dispatcher uses no environment. The type of its environment can be any type; `Void` is usual.
///
/// `widen(transformEnvironment:transformState:transformInput:)` and ``combine(children:)`` build large dispatchers from
/// small ones. The idea, the names and the examples come from Bow Arch.
public struct StateDispatcher<Environment, S, Input>: Sendable {
    /// An action for an input: work that uses an environment, can throw, and ends in a change of the state.
    public typealias Action = EnvIO<Environment, any Error, State<S, Void>>

    /// A function that calls `perform` with each emission for an input and the place of its child, in order. The function
    /// of a dispatcher that is made of another one calls the other one's function.
    @usableFromInline
    typealias Emit = @Sendable (Input, _ perform: (Emission<Environment, S>, ChildPlace<S>?) -> Void) -> Void

    @usableFromInline
    let node: DispatcherNode<Environment, S, Input>

    /// One of the dispatchers that a combined dispatcher consists of.
    @usableFromInline
    struct Part: Sendable {
        /// The routing that decides by the case of an input whether this part can have actions for the input. `nil` if
        /// the case does not decide this, so that `emit` is called for every input.
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
        node = DispatcherNode(Part(routing: routing, emit: emit))
    }

    @inlinable
    init(_ node: DispatcherNode<Environment, S, Input>) {
        self.node = node
    }

    @inlinable
    init(parts: [Part]) {
        self = .combineAll(parts.map { StateDispatcher(DispatcherNode($0)) })
    }

    /// The function that passes on each emission for an input. A component uses it instead of `on(_:)`, to avoid an
    /// array of actions.
    @inlinable var emit: Emit {
        // An optional closure would be called through a thunk.
        if let part = node.part { part.emit } else { node.combined.emit }
    }

    /// The parts that were combined into this dispatcher, or its only part. A further combination keeps the `routing`
    /// of each.
    @inlinable var parts: [Part] {
        if let part = node.part { [part] } else { node.combined.parts }
    }
}

// MARK: - Creating dispatchers

extension StateDispatcher {
    /// Returns a dispatcher with one action for each input, which only changes the state.
    ///
    /// The action neither uses the environment nor fails.
    ///
    /// - Parameter change: Returns the change of the state for an input.
    @inlinable
    public static func pure(_ change: @escaping @Sendable (Input) -> State<S, Void>) -> StateDispatcher {
        StateDispatcher { input, perform in perform(.change(change(input)), nil) }
    }

    /// Returns a dispatcher with one action for each input, which can use the environment, suspend and throw.
    ///
    /// - Parameter action: Returns the action for an input.
    @inlinable
    public static func effectful(_ action: @escaping @Sendable (Input) -> Action) -> StateDispatcher {
        StateDispatcher { input, perform in perform(.action(action(input)), nil) }
    }

    /// Returns a dispatcher with any number of actions for each input.
    ///
    /// The actions run one after the other. The state has changed before the next action begins. If an action fails,
    /// the actions after it do not run.
    ///
    /// - Parameter actions: Returns the actions for an input.
    @inlinable
    public static func workflow(_ actions: @escaping @Sendable (Input) -> [Action]) -> StateDispatcher {
        StateDispatcher { input, perform in for action in actions(input) { perform(.action(action), nil) } }
    }

    /// Returns a dispatcher that changes the state with each element of a sequence.
    ///
    /// ```swift
    /// .stream { input, server in
    ///     server.prices(of: input.share).map { price in .update { $0.prices.append(price) } }
    /// }
    /// ```
    ///
    /// Each run calls `changes` to make the sequence, and iterates it in a task of the component. Each element changes
    /// the state when it arrives. Actions that follow in the same workflow begin when the whole sequence has ended. If
    /// `changes` or the sequence throws, the workflow ends with that error.
    ///
    /// ``on(_:)`` returns one action for the whole sequence. If you run this action without a component, it collects
    /// the changes until the sequence ends. The action then ends in one change, which applies all collected changes.
    ///
    /// - Parameter changes: Returns the sequence of changes for an input and an environment.
    @inlinable
    public static func stream<Changes: AsyncSequence & SendableMetatype>(
        _ changes: @escaping @Sendable (Input, Environment) throws -> Changes
    ) -> StateDispatcher
    where Changes.Element == State<S, Void>, Changes.AsyncIterator: SendableMetatype, Input: Sendable {
        StateDispatcher { input, perform in
            perform(.stream(EnvIO { environment in ChangeStream(try changes(input, environment)) }), nil)
        }
    }
}

// MARK: - Actions

extension StateDispatcher {
    /// Returns the actions for `input`, in order.
    ///
    /// This runs no action, and reads neither the environment nor the state. Policies do not affect the result.
    @inlinable
    public func on(_ input: Input) -> [Action] {
        var actions: [Action] = []
        node.emit(input) { emission, _ in emission.append(to: &actions) }
        return actions
    }
}

// MARK: - Combining

extension StateDispatcher: Monoid {
    /// Returns a dispatcher that has, for each input, the actions of this dispatcher and then those of `other`.
    ///
    /// To combine more than a few dispatchers, use ``combine(children:)``. The compiler then reports an error at the
    /// line of the child that causes it. In a long chain, or in an array literal for `combineAll(_:)`, one error can
    /// make the compiler give up on the whole expression.
    ///
    /// - Complexity: Combining is O(1). The first input, and the first input of each case, cost O(n) in the number of
    ///   combined dispatchers. Each other input costs O(k), where k is the number of dispatchers that are asked for its
    ///   actions. A dispatcher that is widened through a prism of an `AutoPrism` enum is asked only for inputs of its
    ///   case. A prism made of closures is tried for each input.
    @inlinable
    public func combine(_ other: StateDispatcher) -> StateDispatcher {
        StateDispatcher(DispatcherNode(node, other.node))
    }

    /// A dispatcher that has no actions for any input.
    @inlinable
    public static var empty: StateDispatcher {
        StateDispatcher(DispatcherNode())
    }
}
