/// Returns a program that runs `steps` in order on one state, and returns `value`.
///
/// Each step may read the variables that earlier steps bound. This is a monad comprehension in the notation of Bow.
///
/// ```swift
/// let count = State<Int, Int>.var()
/// let next = binding(
///     |<-State<Int, Void>.update { $0 += 1 },
///     count <- .get(),
///     yield: "Number \(count.get)"
/// )
/// next.run(41)  // ("Number 42", 42)
/// ```
///
/// The values of the variables belong to one run. A closure that changes the state expresses the same without
/// operators. Prefer it if you can: `State<Int, String>.update { … }`.
///
/// - Parameters:
///   - steps: The steps, made by `<-` and `|<-`.
///   - value: The value of the program. Evaluated in each run, after the last step.
public func binding<S, Value>(
    _ steps: StateBindingStep<S>..., yield value: @escaping @Sendable @autoclosure () -> Value
) -> State<S, Value> {
    let program: EnvIO<S, Never, Value> = bind(steps.map(\.step)) { machine in machine.put(value()) }
    return State(form: .node(program.node))
}

/// One step of a `binding` of `State` programs: a program whose value is bound or discarded.
public struct StateBindingStep<S>: Sendable {
    fileprivate let step: BindingStep<S, Never>
}

/// A variable of a `binding` of `State` programs: one step binds it with `<-`, and later steps read it with `get`.
///
/// ``State/var()`` creates it. Its value belongs to one run.
public struct StateVariable<S, Value>: Sendable {
    fileprivate let variable = BoundVariable<S, Never, Value>()

    /// The value that the running `binding` bound to this variable.
    ///
    /// Reading it before the step that binds it, or outside the run of its binding, traps with a message. See
    /// ``BoundVariable/get``.
    ///
    /// - Complexity: O(n) in the number of variables that were bound after this variable, plus a task-local look-up.
    public var get: Value { variable.get }
}

extension State {
    /// Returns a new variable for a value of type `Value`, to be bound in a `binding`.
    public static func `var`() -> StateVariable<S, Value> { StateVariable() }
}

/// Returns a step that runs `program` on the state and binds its value to `variable`.
///
/// Each run evaluates `program` when it reaches the step, so `program` may read variables that earlier steps bound.
/// If an earlier step bound `variable`, later steps and `yield` read the new value.
public func <- <S, Value>(
    variable: StateVariable<S, Value>, program: @escaping @Sendable @autoclosure () -> State<S, Value>
) -> StateBindingStep<S> {
    StateBindingStep(step: variable.variable <- program().program)
}

/// Returns a step that runs `program` on the state and discards its value.
///
/// In a long binding, write the type of the program, as in `|<-State<Int, Void>.set(0)`. Each step without the type, as
/// in `|<-.set(0)`, doubles the time that the compiler takes to type-check the binding.
// Disfavored, because choosing between two equal overloads in each step would take long to type-check.
@_disfavoredOverload
public prefix func |<- <S, Value>(
    program: @escaping @Sendable @autoclosure () -> State<S, Value>
) -> StateBindingStep<S> {
    StateBindingStep(step: |<-program().program)
}
