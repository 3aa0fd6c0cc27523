extension EnvIO {
    /// Returns a program that succeeds with its environment.
    @_alwaysEmitIntoClient
    public static func ask() -> EnvIO where Value == Environment {
        EnvIO(form: .sync({ environment throws(Failure) in environment }, depth: 1))
    }

    /// Returns a program that succeeds with the result of `read` for the environment.
    @_alwaysEmitIntoClient
    public static func access(_ read: @escaping @Sendable (Environment) -> Value) -> EnvIO {
        EnvIO(form: .sync({ environment throws(Failure) in read(environment) }, depth: 1))
    }

    /// Returns a program that calls `read` with the environment, and then runs the result.
    ///
    /// ```swift
    /// EnvIO.accessM { random in random.getInt(in: 1...6) }
    /// ```
    @_alwaysEmitIntoClient
    public static func accessM(_ read: @escaping @Sendable (Environment) -> EnvIO) -> EnvIO {
        .step { machine in read(machine.environment(as: Environment.self)).enter(&machine) }
    }

    /// Returns this program as a program for a larger environment.
    ///
    /// `extract` derives the environment of this program from the larger environment.
    ///
    /// Each run calls `extract` once, when this program starts. It is not called for a program made by `pure` or
    /// `fail`. Programs that are composed with the returned program receive the larger environment.
    ///
    /// In the literature, this operation is called `local`. It composes: `x.contramap(f).contramap(g)` equals
    /// `x.contramap { f(g($0)) }`.
    @inlinable
    public func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment
    ) -> EnvIO<Larger, Failure, Value> {
        switch form {
        case .pure(let value):
            return .init(form: .pure(value))
        case .fail(let failure):
            return .fail(failure)
        case .sync(let operation, let depth) where depth < Limits.depth:
            return .init(
                form: .sync({ larger throws(Failure) in try operation(extract(larger)) }, depth: depth + 1))
        case .sync, .node:
            return .step { machine in
                machine.swapEnvironment(for: EnvironmentPlace(extract(machine.environment(as: Larger.self))))
                return enter(&machine)
            }
        }
    }

    /// Returns this program with a fixed environment, as a program that runs in any environment.
    @_alwaysEmitIntoClient
    public func provide<Outer>(_ environment: Environment) -> EnvIO<Outer, Failure, Value>
    where Environment: Sendable {
        contramap { (_: Outer) in environment }
    }
}
