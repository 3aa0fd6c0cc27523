public import Dispatch

/// One step of a `binding`: a program whose value is bound or discarded, or a move to another executor.
public struct BindingStep<Environment, Failure: Error>: Sendable {
    /// Returns a node that performs the step and then continues with `rest`.
    let node: @Sendable (_ rest: Node) -> Node
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
    let identity = ObjectIdentifier(variable)
    return BindingStep { rest in
        let bind = Node(accepting: .value) { machine in
            // Keeps the variable alive for as long as its identity is in use.
            withExtendedLifetime(variable) {}
            // A binding that runs inside a step of another binding can also read that binding's variables.
            let outer = machine.core.bindings ?? Bindings.current
            machine.core.bindings = Bindings(identity, machine.take(as: Value.self), outer: outer)
            machine.core.next = rest
            machine.core.pending = .jump
            return .rescope
        }
        return Node { machine in
            machine.push(bind)
            return effect().enter(&machine)
        }
    }
}

/// Returns a step that runs `effect` and discards its value.
public prefix func |<- <Environment, Failure, Value>(
    effect: @escaping @Sendable @autoclosure () -> EnvIO<Environment, Failure, Value>
) -> BindingStep<Environment, Failure> {
    BindingStep { rest in
        let drop = Node(accepting: .value) { machine in
            _ = machine.take(as: Value.self)
            machine.core.next = rest
            return .jump
        }
        return Node { machine in
            machine.push(drop)
            return effect().enter(&machine)
        }
    }
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
