extension EnvIO {
    /// The program that ends in its environment.
    @inlinable
    public static func ask() -> EnvIO where Value == Environment {
        EnvIO(form: .sync({ environment throws(Failure) in environment }, depth: 1))
    }

    /// The program that ends in what `read` makes of the environment.
    @inlinable
    public static func access(_ read: @escaping @Sendable (Environment) -> Value) -> EnvIO {
        EnvIO(form: .sync({ environment throws(Failure) in read(environment) }, depth: 1))
    }

    /// The program that goes on with the one that `read` finds in the environment.
    ///
    /// ```swift
    /// EnvIO.accessM { random in random.getInt(in: 1...6) }
    /// ```
    @inlinable
    public static func accessM(_ read: @escaping @Sendable (Environment) -> EnvIO) -> EnvIO {
        EnvIO(
            form: .node(Node { machine in read(machine.environment(as: Environment.self)).enter(&machine) })
        )
    }

    /// This program, for an environment from which `extract` makes the one it needs. `extract` runs once in each run,
    /// when this program begins.
    ///
    /// In the laws' words this is `local`: `x.contramap(f).contramap(g)` equals `x.contramap { f(g($0)) }`, and nothing of
    /// it is seen by what comes after `x`.
    @inlinable
    public func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment
    ) -> EnvIO<Larger, Failure, Value> {
        switch form {
        case .pure(let value):
            return EnvIO<Larger, Failure, Value>(form: .pure(value))
        case .fail(let failure):
            return EnvIO<Larger, Failure, Value>(form: .fail(failure))
        case .sync(let operation, let depth) where depth < Limits.depth:
            return EnvIO<Larger, Failure, Value>(
                form: .sync({ larger throws(Failure) in try operation(extract(larger)) }, depth: depth + 1)
            )
        case .sync, .node:
            let program = self
            return EnvIO<Larger, Failure, Value>(
                form: .node(
                    Node { machine in
                        let inner = EnvironmentBox.make(extract(machine.environment(as: Larger.self)))
                        machine.swapEnvironment(for: inner, at: inner.withUnsafeMutablePointerToElements { $0 })
                        return program.enter(&machine)
                    }
                )
            )
        }
    }

    /// This program with its environment given, once and for all: it runs in any other.
    @inlinable
    public func provide<Outer>(_ environment: Environment) -> EnvIO<Outer, Failure, Value>
    where Environment: Sendable {
        contramap { (_: Outer) in environment }
    }
}

extension Machine {
    /// Gives the program that is entered next an environment of its own, and the rest of the run its old one back.
    @usableFromInline
    mutating func swapEnvironment(for inner: AnyObject, at address: UnsafeMutableRawPointer) {
        // A loop through `contramap` would add a frame each time round; where the next frame restores an older
        // environment anyway, one more would be overwritten at once.
        if !nextRestoresEnvironment {
            let outer = Unchecked((owner: core.pointee.contextOwner, address: core.pointee.context))
            push(
                Node(accepting: .anyEndRestoringEnvironment) { machine in
                    machine.core.pointee.context = outer.value.address
                    machine.core.pointee.contextOwner = outer.value.owner
                    return machine.arrived
                }
            )
        }
        core.pointee.context = address
        core.pointee.contextOwner = inner
    }
}
