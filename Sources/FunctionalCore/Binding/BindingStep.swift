public import Dispatch

/// One step of a `binding`: a program whose value is bound or discarded, or a move to another executor.
public struct BindingStep<Environment, Failure: Error>: Sendable {
    /// Returns a node that performs the step and then continues with `rest`.
    let node: @Sendable (_ rest: Node) -> Node
}

extension BindingStep {
    /// Creates a step that runs `effect` and passes its value to `receive`. Before this call, the step stores the rest
    /// of the binding in `core.next`. `receive` returns `.jump` to start it, or `.rescope` if it changed
    /// `core.bindings`.
    fileprivate init<Value>(
        _ effect: @escaping @Sendable () -> EnvIO<Environment, Failure, Value>,
        receive: @escaping @Sendable (Value, inout Machine) -> Signal
    ) {
        node = { rest in
            let receiver = Node(accepting: .value) { machine in
                machine.core.next = rest
                return receive(machine.take(), &machine)
            }
            return Node { machine in
                machine.push(receiver)
                return effect().enter(&machine)
            }
        }
    }
}

infix operator <- : AssignmentPrecedence
prefix operator |<-

/// Returns a step that runs `effect` and binds its value to `variable`.
///
/// Each run evaluates `effect` when it reaches the step, so `effect` may read variables that earlier steps bound.
/// If an earlier step bound `variable`, later steps and `yield` read the new value.
public func <- <Environment, Failure, Value>(
    variable: BoundVariable<Environment, Failure, Value>,
    effect: @escaping @Sendable @autoclosure () -> EnvIO<Environment, Failure, Value>
) -> BindingStep<Environment, Failure> {
    BindingStep(effect) { value, machine in
        // A binding that runs inside a step of an outer binding can also read the outer binding's variables.
        let outer = machine.core.bindings ?? Bindings.current
        machine.core.bindings = Bindings(ObjectIdentifier(variable), value, outer: outer)
        machine.core.pending = .jump
        return .rescope
    }
}

/// Returns a step that runs `effect` and discards its value.
public prefix func |<- <Environment, Failure, Value>(
    effect: @escaping @Sendable @autoclosure () -> EnvIO<Environment, Failure, Value>
) -> BindingStep<Environment, Failure> {
    BindingStep(effect) { _, _ in .jump }
}

/// Returns a step after which the rest of the binding runs on `queue`.
///
/// After the binding, the run returns to its previous executor or isolation. Moving to a queue suspends the run, so
/// ``EnvIO/runSync(_:)`` traps for such a program.
public func continueOn<Environment, Failure>(_ queue: DispatchQueue) -> BindingStep<Environment, Failure> {
    continueOn(QueueExecutor(queue))
}

/// Returns a step after which the rest of the binding runs on `executor`.
///
/// After the binding, the run returns to its previous executor or isolation. Moving to an executor suspends the run, so
/// ``EnvIO/runSync(_:)`` traps for such a program.
public func continueOn<Environment, Failure>(_ executor: any TaskExecutor) -> BindingStep<Environment, Failure> {
    BindingStep { rest in
        Node { machine in machine.move(to: executor, rest) }
    }
}

postfix operator ^

/// Returns `value` unchanged.
///
/// In Bow, `^` converts an encoded higher-kinded type to the concrete type. In this library every operation already
/// returns the concrete type. The operator exists so that code written for Bow compiles unchanged.
@inlinable
public postfix func ^ <Value>(_ value: Value) -> Value {
    value
}
