extension EnvIO {
    /// Returns a program that acquires a resource, uses it, and releases it.
    ///
    /// If `acquire` succeeds, `release` runs exactly once and before the run continues, whether `use` succeeds, fails
    /// or is cancelled. If `acquire` does not succeed, the program ends as `acquire` did.
    ///
    /// ```swift
    /// let size = EnvIO<Files, any Error, Handle>.bracket(
    ///     acquire: .init { files in try files.open("log") },
    ///     release: { handle in .init { files in files.close(handle) } },
    ///     use: { handle in .init { files in try files.size(of: handle) } }
    /// )
    /// ```
    ///
    /// Cancelling the run cancels `use`. It does not cancel `acquire` and `release`, which run to their end.
    ///
    /// If `use` fails or is cancelled, the program ends in that way. A failure of `release` is then written to standard
    /// error. If `use` succeeds and `release` fails, the program fails with the failure of `release`. If the run has been
    /// cancelled by then, the program instead ends as cancelled, and the failure is written to standard error.
    ///
    /// Nested brackets release in reverse order.
    @_alwaysEmitIntoClient
    public static func bracket<Resource>(
        acquire: EnvIO<Environment, Failure, Resource>,
        release: @escaping @Sendable (Resource) -> EnvIO<Environment, Failure, Void>,
        use: @escaping @Sendable (Resource) -> EnvIO
    ) -> EnvIO {
        bracketCase(acquire: acquire, release: { resource, _ in release(resource) }, use: use)
    }

    /// Returns a program that acquires a resource, uses it, and releases it. `release` receives the outcome of `use`.
    ///
    /// ```swift
    /// let order = EnvIO<Shop, any Error, Order>.bracketCase(
    ///     acquire: begin,
    ///     release: { transaction, end in
    ///         if case .value = end { commit(transaction) } else { rollBack(transaction) }
    ///     },
    ///     use: { transaction in buy(in: transaction) }
    /// )
    /// ```
    ///
    /// In all other respects it behaves like ``bracket(acquire:release:use:)``.
    @_alwaysEmitIntoClient
    public static func bracketCase<Resource>(
        acquire: EnvIO<Environment, Failure, Resource>,
        release: @escaping @Sendable (Resource, Outcome<Value, Failure>) -> EnvIO<Environment, Failure, Void>,
        use: @escaping @Sendable (Resource) -> EnvIO
    ) -> EnvIO {
        let acquired = Node(
            using: { (resource: Resource, machine) in use(resource).enter(&machine) },
            release: { resource, machine in
                let end = machine.keepEnd(of: Value.self, failure: Failure.self)
                return release(resource, end).enter(&machine)
            }
        )
        return .step { machine in machine.start(acquire, then: acquired) }
    }

    /// Returns a program that runs this program and then `finalizer`, whether this program succeeds, fails or is
    /// cancelled.
    ///
    /// If the run is already cancelled when it reaches this program, neither of the two starts. Failures of `finalizer`
    /// are treated like those of a release in ``bracket(acquire:release:use:)``.
    @_alwaysEmitIntoClient
    public func guarantee(_ finalizer: EnvIO<Environment, Failure, Void>) -> EnvIO {
        guaranteeCase { _ in finalizer }
    }

    /// Returns a program that runs this program, and then the finalizer that `finalizer` returns for its outcome.
    ///
    /// In all other respects it behaves like ``guarantee(_:)``.
    @_alwaysEmitIntoClient
    public func guaranteeCase(
        _ finalizer: @escaping @Sendable (Outcome<Value, Failure>) -> EnvIO<Environment, Failure, Void>
    ) -> EnvIO {
        .bracketCase(
            acquire: EnvIO<Environment, Failure, Void>.pure(()), release: { _, end in finalizer(end) }, use: { self })
    }
}

extension Node {
    /// Creates a node that runs when an acquisition has ended. If the acquisition succeeded, the node starts `use`,
    /// unless the run is cancelled. In both cases, `release` runs afterwards.
    @inlinable
    convenience init<Resource>(
        using use: @escaping @Sendable (Resource, inout Machine) -> Signal,
        release: @escaping @Sendable (Resource, inout Machine) -> Signal
    ) {
        self.init { machine in
            machine.core.masked -= 1
            guard machine.core.arrived == .value else { return machine.core.arrived }
            let resource = Unchecked(machine.take(as: Resource.self))
            machine.push(Node { machine in release(resource.value, &machine) })
            return machine.isCancelled ? .cancelled : use(resource.value, &machine)
        }
    }
}

extension Machine {
    /// Starts `acquire`, which cannot be cancelled any more, and pushes `acquired`, which receives its end. If the run
    /// is already cancelled, neither happens.
    @inlinable
    mutating func start<Environment, Failure, Resource>(
        _ acquire: EnvIO<Environment, Failure, Resource>, then acquired: Node
    ) -> Signal {
        if isCancelled { return .cancelled }
        core.masked += 1
        push(acquired)
        return acquire.enter(&self)
    }

    /// Stores the outcome of the program that has just ended, and begins an uncancellable region. If the region
    /// succeeds, the run continues with the stored outcome.
    ///
    /// If the region fails or cancels itself, and the stored outcome is a value, the run continues with the end of the
    /// region. Otherwise it continues with the stored outcome, and a failure of the region is written to standard
    /// error. A failure after a value is written, too, if the run is cancelled, because the owner of a cancelled run
    /// ignores its outcome. The run then ends as cancelled.
    ///
    /// - Returns: The stored outcome.
    @inlinable
    @discardableResult
    mutating func keepEnd<Value, Failure: Error>(
        of _: Value.Type, failure _: Failure.Type
    ) -> Outcome<Value, Failure> {
        core.masked += 1
        let kept: Outcome<Value, Failure> = takeOutcome(core.arrived)
        let end = Unchecked(kept)
        push(
            Node { machine in
                machine.core.masked -= 1
                if machine.core.arrived == .value {
                    machine.take(as: Void.self)
                } else if machine.core.arrived == .failure {
                    if case .value = end.value, !machine.isCancelled { return .failure }
                    reportSuppressed(machine.take(as: Failure.self))
                    if case .value = end.value { return .cancelled }
                } else if case .value = end.value {
                    return .cancelled
                }
                return machine.register.put(end.value)
            }
        )
        return kept
    }
}

@usableFromInline
func reportSuppressed(_ failure: some Error) {
    report("A finalizer's error was ignored, because its program had already failed or been cancelled: \(failure)")
}
