extension EnvIO {
    /// Acquires something, uses it, and releases it: on success, on failure and on cancellation, exactly once, before
    /// the run goes on.
    ///
    /// ```swift
    /// let size = EnvIO<Files, any Error, Handle>.bracket(
    ///     acquire: .init { files in try files.open("log") },
    ///     release: { handle in .init { files in files.close(handle) } },
    ///     use: { handle in .init { files in try files.size(of: handle) } }
    /// )
    /// ```
    ///
    /// `acquire` and `release` run to their end even when the run is cancelled meanwhile; `use` is cancelled. Where
    /// both `use` and `release` fail, the program fails as `use` did, and the failure of `release` is written to
    /// standard error; so it is where the run was cancelled, which it stays. Nested brackets release in reverse order.
    @inlinable
    public static func bracket<Resource>(
        acquire: EnvIO<Environment, Failure, Resource>,
        release: @escaping @Sendable (Resource) -> EnvIO<Environment, Failure, Void>,
        use: @escaping @Sendable (Resource) -> EnvIO
    ) -> EnvIO {
        bracketCase(acquire: acquire, release: { resource, _ in release(resource) }, use: use)
    }

    /// Acquires something, uses it, and releases it as ``bracket(acquire:release:use:)`` does; `release` is told how
    /// `use` ended.
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
    @inlinable
    public static func bracketCase<Resource>(
        acquire: EnvIO<Environment, Failure, Resource>,
        release: @escaping @Sendable (Resource, Outcome<Value, Failure>) -> EnvIO<Environment, Failure, Void>,
        use: @escaping @Sendable (Resource) -> EnvIO
    ) -> EnvIO {
        let acquired = Node(accepting: .anyEnd) { machine in
            machine.masked -= 1
            guard machine.arrived == .value else { return machine.arrived }
            let resource = Unchecked(machine.take(as: Resource.self))
            machine.push(
                Node(accepting: .anyEnd) { machine in
                    let end = machine.keepEnd(of: Value.self, failure: Failure.self)
                    return release(resource.value, end).enter(&machine)
                }
            )
            return machine.isCancelled ? .cancelled : use(resource.value).enter(&machine)
        }
        return EnvIO(
            form: .node(
                Node { machine in
                    if machine.isCancelled { return .cancelled }
                    machine.masked += 1
                    machine.push(acquired)
                    return acquire.enter(&machine)
                }
            )
        )
    }

    /// This program, and then `finalizer`, however this one ended: success, failure or cancellation. Where it was
    /// cancelled before this, neither begins.
    @inlinable
    public func guarantee(_ finalizer: EnvIO<Environment, Failure, Void>) -> EnvIO {
        guaranteeCase { _ in finalizer }
    }

    /// This program, and then the finalizer that is made of how this one ended. See ``guarantee(_:)``.
    @inlinable
    public func guaranteeCase(
        _ finalizer: @escaping @Sendable (Outcome<Value, Failure>) -> EnvIO<Environment, Failure, Void>
    ) -> EnvIO {
        .bracketCase(
            acquire: EnvIO<Environment, Failure, Void>.pure(()), release: { _, end in finalizer(end) }, use: { self })
    }
}

extension Machine {
    /// Begins a region that is not cancelled, and keeps how the program ended until the region ends; then goes on with
    /// that. Where the region fails, or says that the run is cancelled, that counts only if the program ended in a
    /// value.
    @inlinable
    @discardableResult
    mutating func keepEnd<Value, Failure: Error>(
        of _: Value.Type, failure _: Failure.Type
    ) -> Outcome<Value, Failure> {
        masked += 1
        let kept: Outcome<Value, Failure> = takeOutcome(arrived)
        let end = Unchecked(kept)
        push(
            Node(accepting: .anyEnd) { machine in
                machine.masked -= 1
                if machine.arrived == .value {
                    machine.take(as: Void.self)
                } else if machine.arrived == .failure {
                    if case .value = end.value { return .failure }
                    reportSuppressed(machine.take(as: Failure.self))
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
    report("A release failed after its program had failed or been cancelled, and that is what counts: \(failure)")
}
