/// A description of something that is acquired before its use and released after it.
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
/// Creating a resource acquires nothing. Each run of a program made by ``use(_:)`` acquires the resource. After an
/// acquisition, it releases the resource exactly once, before the run continues, whether the use succeeded, failed or
/// was cancelled.
///
/// ``flatMap(_:)`` and ``zip(_:)`` combine several resources into one. The resource that is acquired last is released
/// first. If an acquisition fails, the resources that were acquired before are released.
///
/// Acquiring and releasing cannot be cancelled, even if they suspend, except for a resource made by ``init(_:)``.
/// Cancellation takes effect between two acquisitions and during the use.
///
/// If one release fails, the others still run. The first failure is the failure of the run, and later failures are
/// written to standard error. If the run was cancelled, it ends as cancelled, and all failures are written to standard
/// error.
///
/// The type is modelled on `Resource` in cats-effect.
public struct Resource<Environment, Failure: Error, Value>: Sendable {
    /// A node that takes a `ResourceUse` out of the register, acquires the resource, and continues with that use.
    let node: Node

    init(_ begin: @escaping @Sendable (ResourceUse, inout Machine) -> Signal) {
        self.init(node: Node { machine in begin(machine.take(), &machine) })
    }

    init(node: Node) {
        self.node = node
    }
}

// MARK: - Creating a resource

extension Resource {
    /// Creates a resource that `acquire` provides and `release` releases.
    public init(
        acquire: EnvIO<Environment, Failure, Value>,
        release: @escaping @Sendable (Value) -> EnvIO<Environment, Failure, Void>
    ) {
        self.init(acquire: acquire, releaseCase: { value, _ in release(value) })
    }

    /// Creates a resource that `acquire` provides, and whose release receives the outcome of its use.
    ///
    /// The outcome passed to `releaseCase` is that of the whole use. The whole use includes acquiring and releasing the
    /// resources that are acquired later.
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
            let acquired = Node(
                using: { (value: Value, machine) in
                    machine.push(use.body)
                    machine.put(value)
                    return .value
                },
                release: { value, machine in
                    let end = use.keepEnd(&machine)
                    return releaseCase(value, end).enter(&machine)
                }
            )
            return machine.start(acquire, then: acquired)
        }
    }

    /// Creates a resource that `program` provides, and that needs no release.
    ///
    /// Cancelling the run cancels `program`, too.
    public init(_ program: EnvIO<Environment, Failure, Value>) {
        self.init { use, machine in
            machine.push(use.body)
            return program.enter(&machine)
        }
    }

    /// Returns a resource that consists of `value`, and that needs no release.
    public static func pure(_ value: Value) -> Resource where Value: Sendable {
        Resource(.pure(value))
    }
}

// MARK: - Composing

extension Resource {
    /// Returns a resource that applies `transform` to the value of this resource.
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> Resource<Environment, Failure, NewValue> {
        then { use, machine in
            machine.push(use.body)
            machine.put(transform(machine.take()))
            return .value
        }
    }

    /// Returns a resource that acquires this resource, and then the resource that `next` returns for its value.
    ///
    /// The second resource is released first. Chains of any length are acquired, released and deallocated in constant
    /// stack space.
    public func flatMap<NewValue>(
        _ next: @escaping @Sendable (Value) -> Resource<Environment, Failure, NewValue>
    ) -> Resource<Environment, Failure, NewValue> {
        then { use, machine in next(machine.take()).begin(use, &machine) }
    }

    /// Returns a resource that acquires this resource, and then calls `step`, which takes the value out of the register
    /// and continues with the use.
    private func then<NewValue>(
        _ step: @escaping @Sendable (ResourceUse, inout Machine) -> Signal
    ) -> Resource<Environment, Failure, NewValue> {
        Resource<Environment, Failure, NewValue> { use, machine in
            let body = Node(accepting: .value) { machine in step(use, &machine) }
            return begin(ResourceUse(body: body, keepEnd: use.keepEnd), &machine)
        }
    }

    /// Returns a resource that acquires this resource and then `other`, and provides both values.
    ///
    /// `other` is released first.
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
    /// Returns this resource as a resource for a larger environment.
    ///
    /// `extract` derives the environment of this resource from the larger environment.
    ///
    /// This resource is acquired and released in the derived environment. The program that uses the resource runs in
    /// the larger one. `extract` is called once in each use, before the resource is acquired.
    ///
    /// ```swift
    /// let both = connection.contramap { (app: App) in app.network }
    ///     .zip(log.contramap { (app: App) in app.files })
    /// ```
    public func contramap<Larger>(
        _ extract: @escaping @Sendable (Larger) -> Environment
    ) -> Resource<Larger, Failure, Value> {
        Resource<Larger, Failure, Value> { use, machine in
            let outer = Unchecked(machine.environmentPlace)
            let body = Node(accepting: .value) { machine in
                machine.swapEnvironment(for: outer.value)
                machine.push(use.body)
                return .value
            }
            machine.swapEnvironment(for: EnvironmentPlace(extract(machine.environment(as: Larger.self))))
            return begin(ResourceUse(body: body, keepEnd: use.keepEnd), &machine)
        }
    }

    /// Returns this resource with a fixed environment, as a resource for any environment.
    public func provide<Outer>(_ environment: Environment) -> Resource<Outer, Failure, Value>
    where Environment: Sendable {
        contramap { (_: Outer) in environment }
    }
}

// MARK: - Using a resource

extension Resource {
    /// Returns a program that acquires this resource, runs the program that `body` returns for it, and releases it.
    ///
    /// Each run acquires the resource for itself, also if several runs execute at once.
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
        return .step { machine in begin(use, &machine) }
    }

    /// Stores a node in `core.next` that acquires this resource and continues with `use`.
    ///
    /// The machine calls the node, so nested resources do not use the thread's stack.
    func begin(_ use: ResourceUse, _ machine: inout Machine) -> Signal {
        let node = node
        machine.core.next = Node { machine in
            machine.put(use)
            return node.step(&machine)
        }
        return .jump
    }
}

/// The use of a resource, with its types erased.
struct ResourceUse: Sendable {
    /// A node that takes the resource's value out of the register and uses it.
    let body: Node
    /// Stores the outcome of the whole use until the resource is released, and returns that outcome. See
    /// `Machine.keepEnd(of:failure:)`.
    let keepEnd: @Sendable (inout Machine) -> Outcome<Void, any Error>
}
