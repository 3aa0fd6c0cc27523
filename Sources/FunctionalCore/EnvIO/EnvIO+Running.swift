// The isolation is a parameter, and not inherited by `nonisolated(nonsending)`: in release the 6.3 compiler does not go
// to a function's actor for a call alone that inherits it, so that programs ran anywhere.
extension EnvIO {
    /// Runs the program to its end and returns its value; throws its failure, or `CancellationError` when the calling
    /// task is cancelled. In the caller's isolation.
    ///
    /// No thread is blocked, and nothing suspends before the program waits for the first time, unless it computes for
    /// long: every ten thousand closures or so it lets others go ahead.
    /// The error is not typed, as cancellation is no `Failure`: ``outcome(_:isolation:)`` tells the two apart.
    @inlinable
    public func run(
        _ environment: Environment, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Value {
        try await outcome(environment).get()
    }

    /// Runs the program to its end and says how it ended. In the caller's isolation; cancelling the calling task
    /// cancels the run, which unwinds through its finalizers first.
    @inlinable
    public func outcome(
        _ environment: Environment, isolation: isolated (any Actor)? = #isolation
    ) async -> Outcome<Value, Failure> {
        if Task.isCancelled { return .cancelled }
        guard case .node(let node) = form else { return shortOutcome(environment) }
        var machine = Machine(environment, heedingTask: true)
        let end = await machine.end(of: node)
        return machine.takeOutcome(end)
    }

    /// Runs a program that never waits, on the calling thread, and returns its value; throws its failure.
    ///
    /// Cancellation is not looked at. A program that waits, or that ends as ``cancelled``, is a mistake that stops the
    /// process with a message.
    @inlinable
    public func runSync(_ environment: Environment) throws(Failure) -> Value {
        switch form {
        case .pure(let value): return value
        case .fail(let failure): throw failure
        case .sync(let operation, _): return try operation(environment)
        case .node(let node):
            var machine = Machine(environment, heedingTask: false)
            machine.next = node
            let signal = machine.run()
            if signal == .value { return machine.take() }
            if signal == .failure { throw machine.take(as: Failure.self) }
            endedInRunSync(EnvIO.self, waiting: signal == .suspend)
        }
    }

    /// How a program ends that is not a node. Whether the run is cancelled is asked where the program says so.
    @inlinable
    func shortOutcome(
        _ environment: Environment, isCancelled: @autoclosure () -> Bool = Task.isCancelled
    ) -> Outcome<Value, Failure> {
        switch form {
        case .pure(let value): return .value(value)
        case .fail(let failure): return .failure(failure)
        case .sync(let operation, _):
            do throws(Failure) {
                return .value(try operation(environment))
            } catch {
                return isCancelled() && error is CancellationError ? .cancelled : .failure(error)
            }
        case .node: fault("A program made of nodes needs a machine.")
        }
    }
}

extension EnvIO where Environment == Void {
    /// Runs a program that needs no environment; see ``run(_:isolation:)``.
    @inlinable
    public func run(isolation: isolated (any Actor)? = #isolation) async throws -> Value { try await run(()) }

    /// Runs a program that needs no environment; see ``outcome(_:isolation:)``.
    @inlinable
    public func outcome(isolation: isolated (any Actor)? = #isolation) async -> Outcome<Value, Failure> {
        await outcome(())
    }

    /// Runs a program that needs no environment and never waits; see ``runSync(_:)``.
    @inlinable
    public func runSync() throws(Failure) -> Value { try runSync(()) }
}

@usableFromInline
@inline(never)
func endedInRunSync(_ program: Any.Type, waiting: Bool) -> Never {
    fault(
        """
        runSync was given a program that \(waiting ? "waits" : "cancels itself"): \(program). \
        To fix, run it with run(_:), outcome(_:) or start(_:), or take the step that \(waiting ? "waits" : "cancels") \
        out of it.
        """
    )
}
