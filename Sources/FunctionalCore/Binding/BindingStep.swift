public import Dispatch

/// One line of a `binding`: an effect whose value is bound, or a move to another executor.
public struct BindingStep<Environment, Failure: Error>: Sendable {
    /// The step as a node that runs `rest` in its place when it is done.
    let node: @Sendable (_ rest: Node) -> Node
}

infix operator <- : AssignmentPrecedence
prefix operator |<-

/// Runs `effect` and binds its value to `variable`. `effect` is evaluated when the step is reached, in each run, so
/// that it may read the variables bound before.
public func <- <Environment, Failure, Value>(
    variable: BoundVariable<Environment, Failure, Value>,
    effect: @escaping @Sendable @autoclosure () -> EnvIO<Environment, Failure, Value>
) -> BindingStep<Environment, Failure> {
    let identity = ObjectIdentifier(variable)
    return BindingStep { rest in
        let bind = Node(accepting: .value) { machine in
            // Keeps the variable alive as long as its identity is in use.
            withExtendedLifetime(variable) {}
            // A binding that runs inside the step of another one sees that one's variables, too.
            let outer = machine.bindings ?? Bindings.current
            machine.bindings = Bindings.Binding(identity, machine.take(as: Value.self), outer: outer)
            machine.next = rest
            machine.pending = .jump
            return .rescope
        }
        return Node { machine in
            machine.push(bind)
            return effect().enter(&machine)
        }
    }
}

/// Runs `effect` for what it does, and drops its value.
public prefix func |<- <Environment, Failure, Value>(
    effect: @escaping @Sendable @autoclosure () -> EnvIO<Environment, Failure, Value>
) -> BindingStep<Environment, Failure> {
    BindingStep { rest in
        let drop = Node(accepting: .value) { machine in
            _ = machine.take(as: Value.self)
            machine.next = rest
            return .jump
        }
        return Node { machine in
            machine.push(drop)
            return effect().enter(&machine)
        }
    }
}

/// Runs the rest of the binding on `queue`; what follows the binding runs where it would have run.
///
/// Moving there is waiting: `runSync` refuses a program that does so.
public func continueOn<Environment, Failure>(_ queue: DispatchQueue) -> BindingStep<Environment, Failure> {
    continueOn(QueueExecutor(queue))
}

/// Runs the rest of the binding on `executor`; what follows the binding runs where it would have run.
public func continueOn<Environment, Failure>(_ executor: any TaskExecutor) -> BindingStep<Environment, Failure> {
    BindingStep { rest in
        Node { machine in machine.move(to: executor, rest) }
    }
}
