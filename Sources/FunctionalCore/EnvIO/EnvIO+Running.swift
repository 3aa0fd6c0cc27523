// The isolation is an explicit parameter. With `nonisolated(nonsending)`, an optimised build of the 6.3 compiler does
// not switch to the actor of a function that only forwards its isolation to another call, so programs would run on any
// thread.
extension EnvIO {
    /// Runs the program to its end and returns its value.
    ///
    /// The program runs in the caller's isolation and blocks no thread. The call suspends only in two cases: if the
    /// program suspends, and if a long computation yields to other tasks, about every 12,000 closures. Cancelling the
    /// calling task cancels the run.
    ///
    /// The thrown error is untyped, because cancellation is not a `Failure`. To distinguish the two by type, use
    /// ``outcome(_:isolation:)``.
    ///
    /// - Returns: The value of the program.
    /// - Throws: The program's failure, or `CancellationError` if the run was cancelled.
    @inlinable
    public func run(
        _ environment: Environment, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await outcome(environment).get()
    }

    /// Runs the program to its end and returns how it ended.
    ///
    /// The program runs in the caller's isolation. Cancelling the calling task cancels the run, which runs its
    /// finalizers before it ends.
    @inlinable
    public func outcome(
        _ environment: Environment, isolation: isolated (any Actor)? = #isolation
    ) async -> Outcome<Value, Failure> {
        if Task.isCancelled { return .cancelled }
        guard case .node(let node) = form else { return shortOutcome(environment) }
        var machine = Machine(environment, observesTaskCancellation: true)
        let end = await machine.end(of: node)
        return machine.takeOutcome(end)
    }

    /// Runs a program that never suspends, and returns its value.
    ///
    /// The program runs on the calling thread, and does not check for cancellation. So a `CancellationError` that a
    /// closure throws is a failure. If the program suspends, or ends as ``cancelled``, the call traps with a message.
    ///
    /// - Throws: The program's failure.
    @inlinable
    public func runSync(_ environment: Environment) throws(Failure) -> Value {
        switch form {
        case .pure(let value): return value
        case .fail(let failure): throw failure
        case .sync(let operation, _): return try operation(environment)
        case .node(let node):
            var machine = Machine(environment, observesTaskCancellation: false)
            machine.core.next = node
            let signal = machine.run()
            if signal == .value { return machine.take() }
            if signal == .failure { throw machine.take(as: Failure.self) }
            endedInRunSync(EnvIO.self, waiting: signal == .suspend)
        }
    }

    /// Runs a program that is not a node, and returns its outcome. Evaluates `isCancelled` only if the closure throws.
    @inlinable
    func shortOutcome(
        _ environment: @autoclosure () -> Environment, isCancelled: @autoclosure () -> Bool = Task.isCancelled
    ) -> Outcome<Value, Failure> {
        switch form {
        case .pure(let value): return .value(value)
        case .fail(let failure): return .failure(failure)
        case .sync(let operation, _):
            do throws(Failure) {
                return .value(try operation(environment()))
            } catch {
                return isCancelled() && error is CancellationError ? .cancelled : .failure(error)
            }
        case .node: programmerError("Internal error: a program made of nodes was run without a machine.")
        }
    }
}

extension EnvIO where Environment == Void {
    /// Runs a program that needs no environment. See ``run(_:isolation:)``.
    @inlinable
    public func run(isolation: isolated (any Actor)? = #isolation) async throws -> Value { try await run(()) }

    /// Runs a program that needs no environment. See ``outcome(_:isolation:)``.
    @inlinable
    public func outcome(isolation: isolated (any Actor)? = #isolation) async -> Outcome<Value, Failure> {
        await outcome(())
    }

    /// Runs a program that needs no environment and never suspends. See ``runSync(_:)``.
    @inlinable
    public func runSync() throws(Failure) -> Value { try runSync(()) }
}

@usableFromInline
@inline(never)
func endedInRunSync(_ program: Any.Type, waiting: Bool) -> Never {
    programmerError(
        """
        runSync was called on a program that \(waiting ? "suspends" : "cancels itself"): \(program). \
        To fix, run it with run(_:), outcome(_:) or start(_:), or remove the step that \
        \(waiting ? "suspends" : "cancels").
        """
    )
}
