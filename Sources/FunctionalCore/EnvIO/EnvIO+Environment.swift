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
    /// In the laws' words this is `local`: `x.contramap(f).contramap(g)` equals `x.contramap { f(g($0)) }`, and nothing
    /// of it is seen by what comes after `x`.
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
                        machine.swapEnvironment(
                            for: EnvironmentPlace(extract(machine.environment(as: Larger.self))))
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
