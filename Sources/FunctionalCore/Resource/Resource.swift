/// Something that is acquired before it is used and released afterwards, as a value.
///
/// ```swift
/// let connection = Resource<Network, any Error, Connection>(
///     acquire: EnvIO { network in try await network.connect() },
///     release: { connection in EnvIO { _ in await connection.close() } }
/// )
/// let table = connection.flatMap { connection in connection.lockedTable }
///
/// try await table.use { table in table.count }.run(network)
/// ```
///
/// Building one acquires nothing. Each run of a ``use(_:)`` acquires it, and releases it exactly once, however the use
/// ended: with a value, with a failure, or cancelled; and before the run goes on. Of several, made by ``flatMap(_:)``
/// or ``zip(_:)``, the last is released first, and a failure to acquire one releases those before it.
///
/// To acquire and to release are not cancelled, even where they wait; between two of them, and in the use, cancellation
/// is looked at. A failing release does not keep the others from being released: the first failure is the run's, and
/// later ones are written to standard error.
///
/// After cats-effect's `Resource`.
public struct Resource<Environment, Failure: Error, Value>: Sendable {
    /// Takes the `ResourceUse` of it out of the register, acquires it, and goes on with that.
    let node: Node

    init(_ begin: @escaping @Sendable (ResourceUse, inout Machine) -> Signal) {
        self.init(node: Node { machine in begin(machine.take(), &machine) })
    }

    init(node: Node) {
        self.node = node
    }
}

// MARK: - Making one

extension Resource {
    /// What `acquire` ends in, until `release` has run.
    public init(
        acquire: EnvIO<Environment, Failure, Value>,
        release: @escaping @Sendable (Value) -> EnvIO<Environment, Failure, Void>
    ) {
        self.init(acquire: acquire, releaseCase: { value, _ in release(value) })
    }

    /// What `acquire` ends in, until `releaseCase` has run, which is told how the use ended: the whole of it, with what
    /// was acquired later.
    ///
    /// ```swift
    /// let transaction = Resource<Bank, any Error, Transaction>(
    ///     acquire: begin,
    ///     releaseCase: { transaction, end in
    ///         if case .value = end { commit(transaction) } else { rollBack(transaction) }
    ///     }
    /// )
    /// ```
    public init(
        acquire: EnvIO<Environment, Failure, Value>,
        releaseCase: @escaping @Sendable (Value, _ end: Outcome<Void, any Error>) -> EnvIO<Environment, Failure, Void>
    ) {
        self.init { use, machine in
            if machine.isCancelled { return .cancelled }
            machine.masked += 1
            machine.push(
                Node { machine in
                    machine.masked -= 1
                    guard machine.arrived == .value else { return machine.arrived }
                    let value = machine.take(as: Value.self)
                    let kept = Unchecked(value)
                    machine.push(
                        Node { machine in
                            let end = use.keepEnd(&machine)
                            return releaseCase(kept.value, end).enter(&machine)
                        }
                    )
                    if machine.isCancelled { return .cancelled }
                    machine.push(use.body)
                    machine.put(value)
                    return .value
                }
            )
            return acquire.enter(&machine)
        }
    }

    /// What `program` ends in, with nothing to release.
    public init(_ program: EnvIO<Environment, Failure, Value>) {
        self.init { use, machine in
            machine.push(use.body)
            return program.enter(&machine)
        }
    }

    /// A value that was there before.
    public static func pure(_ value: Value) -> Resource where Value: Sendable {
        Resource(.pure(value))
    }
}

// MARK: - Composing

extension Resource {
    /// This resource with `transform` applied to its value.
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> Resource<Environment, Failure, NewValue> {
        Resource<Environment, Failure, NewValue> { use, machine in
            let body = Node(accepting: .value) { machine in
                machine.push(use.body)
                machine.put(transform(machine.take()))
                return .value
            }
            return begin(ResourceUse(body: body, keepEnd: use.keepEnd), &machine)
        }
    }

    /// This resource, and then the one that `next` makes of its value, which is released first.
    ///
    /// Chains of any length are acquired, released and freed in constant stack.
    public func flatMap<NewValue>(
        _ next: @escaping @Sendable (Value) -> Resource<Environment, Failure, NewValue>
    ) -> Resource<Environment, Failure, NewValue> {
        Resource<Environment, Failure, NewValue> { use, machine in
            let body = Node(accepting: .value) { machine in next(machine.take()).begin(use, &machine) }
            return begin(ResourceUse(body: body, keepEnd: use.keepEnd), &machine)
        }
    }

    /// This resource and then `other`, and both values. `other` is released first.
    public func zip<Other>(
        _ other: Resource<Environment, Failure, Other>
    ) -> Resource<Environment, Failure, (Value, Other)> {
        flatMap { value in
            let value = Unchecked(value)
            return other.map { (value.value, $0) }
        }
    }
}

// MARK: - Environments

extension Resource {
    /// This resource, for an environment from which `extract` makes the one that it is acquired and released with. What
    /// uses it runs in the larger one. `extract` runs once in each use, when the resource is to be acquired.
    ///
    /// ```swift
    /// let both = connection.contramap { (app: App) in app.network }
    ///     .zip(log.contramap { (app: App) in app.files })
    /// ```
    public func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment
    ) -> Resource<Larger, Failure, Value> {
        Resource<Larger, Failure, Value> { use, machine in
            let outer = machine.environmentPlace
            let body = Node(accepting: .value) { machine in
                machine.swapEnvironment(for: outer)
                machine.push(use.body)
                return .value
            }
            machine.swapEnvironment(for: EnvironmentPlace(extract(machine.environment(as: Larger.self))))
            return begin(ResourceUse(body: body, keepEnd: use.keepEnd), &machine)
        }
    }

    /// This resource with its environment given, once and for all.
    public func provide<Outer>(_ environment: Environment) -> Resource<Outer, Failure, Value>
    where Environment: Sendable {
        contramap { (_: Outer) in environment }
    }
}

// MARK: - Using

extension Resource {
    /// The program that acquires this, runs what `body` makes of it, and releases it.
    ///
    /// Two runs at once acquire it twice.
    public func use<Result>(
        _ body: @escaping @Sendable (Value) -> EnvIO<Environment, Failure, Result>
    ) -> EnvIO<Environment, Failure, Result> {
        let use = ResourceUse(
            body: Node(accepting: .value) { machine in body(machine.take()).enter(&machine) },
            keepEnd: { machine in
                switch machine.keepEnd(of: Result.self, failure: Failure.self) {
                case .value: .value(())
                case .failure(let failure): .failure(failure)
                case .cancelled: .cancelled
                }
            }
        )
        return EnvIO(form: .node(Node { machine in begin(use, &machine) }))
    }

    /// Acquires it, and goes on with `use`. The machine takes the step, so that no depth of resources is depth of a
    /// thread.
    func begin(_ use: ResourceUse, _ machine: inout Machine) -> Signal {
        let node = node
        machine.next = Node { machine in
            machine.put(use)
            return node.step(&machine)
        }
        return .jump
    }
}

/// What is done with a resource, with its types forgotten.
///
/// Unchecked: made of `@Sendable` closures.
struct ResourceUse: @unchecked Sendable {
    /// Takes the resource's value out of the register.
    let body: Node
    /// Keeps how the whole use ended, while something is released, and says it.
    let keepEnd: (inout Machine) -> Outcome<Void, any Error>
}
