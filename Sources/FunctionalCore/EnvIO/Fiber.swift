/// A handle on a program that ``EnvIO/fork()`` has started in a task of its own.
///
/// ```swift
/// let both = loadUser.fork().flatMap { fiber in
///     loadPosts.zip(fiber.join())
/// }
/// ```
///
/// Dropping the fiber does not cancel the program. Any number of runs may wait for one fiber.
///
/// The idea and the name come from cats-effect.
public struct Fiber<Value: Sendable, Failure: Error>: Sendable {
    private let end: Deferred<Outcome<Value, Failure>>
    private let task: Task<Void, Never>

    /// Creates a task that runs `program` with the environment of `context`, and writes its outcome to `end`.
    ///
    /// The task prefers the executor of `context`, or else the executor that the current task prefers. The program
    /// starts when `previous` has ended, even if the fiber is cancelled before.
    init<Environment: Sendable>(
        _ program: EnvIO<Environment, Failure, Value>, in context: RunContext,
        after previous: Fiber? = nil, end: Deferred<Outcome<Value, Failure>> = Deferred()
    ) {
        let environment = context.environment(as: Environment.self)
        self.end = end
        task = Task(executorPreference: context.executor ?? currentTaskExecutor()) {
            await previous?.task.value
            end.complete(await program.outcome(environment))
        }
    }

    /// Returns a program that waits until the fiber has ended, and succeeds with its outcome.
    ///
    /// A run that is cancelled stops waiting immediately, and the fiber continues. If the fiber has already ended, the
    /// program does not suspend. In cats-effect, this operation is `join`.
    public func outcome<Environment, OtherFailure>() -> EnvIO<Environment, OtherFailure, Outcome<Value, Failure>> {
        .value(of: end)
    }

    /// Returns a program that waits until the fiber has ended, and ends as the fiber did: with its value, with its
    /// failure, or as cancelled.
    ///
    /// A run that is cancelled stops waiting immediately, and the fiber continues. If the fiber has already ended, the
    /// program does not suspend.
    public func join<Environment>() -> EnvIO<Environment, Failure, Value> {
        .ending(as: end)
    }

    /// Returns a program that cancels the fiber, and waits until it has ended, including its finalizers.
    ///
    /// Once the program has started, cancelling its run does not end the wait. If the fiber has already ended, its
    /// outcome stays the same. A fiber that runs this program on itself never ends: it would wait for its own end. To
    /// cancel a program from within, use ``EnvIO/cancelled``.
    public func cancel<Environment, OtherFailure>() -> EnvIO<Environment, OtherFailure, Void> {
        EnvIO(waiting: { [task] _, register in
            task.cancel()
            register.put(await task.value)
            return .value
        })
    }
}

extension EnvIO where Environment: Sendable, Value: Sendable {
    /// Returns a program that starts this program in a task of its own, and succeeds with a ``Fiber``.
    ///
    /// The program does not wait for the fiber, and never fails. Cancelling the run does not cancel the fiber, and
    /// neither does the end of the run. To tie a fiber to a part of a run, use ``background()``.
    ///
    /// The fiber runs outside of any actor, with the environment of the run. It inherits the executor that the run was
    /// moved to, the variables that an enclosing `binding` has bound so far, and the task-local values and the priority
    /// of the run's task. A run that has no task yet, as in a component or a loop, suspends once for it. Any other run
    /// does not suspend.
    ///
    /// A failure of the fiber is available from ``Fiber/join()`` and ``Fiber/outcome()``. It is not reported otherwise.
    ///
    /// In cats-effect, this operation is `start`.
    ///
    /// - Complexity: The cost of a task.
    public func fork() -> EnvIO<Environment, Failure, Fiber<Value, Failure>> {
        .step { machine in
            machine.isCancelled
                ? .cancelled : machine.startFiber { context, register in register.put(Fiber(self, in: context)) }
        }
    }

    /// Returns a resource that runs this program in a task of its own for as long as the resource is used.
    ///
    /// Acquiring the resource starts the program, see ``fork()``. Releasing it cancels the fiber, and waits until it
    /// has ended, including its finalizers.
    ///
    /// ```swift
    /// let answer = heartbeat.forever().background().use { _ in conversation }
    /// ```
    ///
    /// The use continues if the fiber fails. Join the fiber to end with its failure.
    ///
    /// The name comes from cats-effect.
    public func background() -> Resource<Environment, Failure, Fiber<Value, Failure>> {
        Resource(acquire: fork(), release: { fiber in fiber.cancel() })
    }
}

extension Machine {
    /// Calls `start`, which creates a fiber, in the task of the run. If the run has no task yet, it suspends first: the
    /// thread that began it may have the context of another message.
    mutating func startFiber(_ start: @escaping @Sendable (RunContext, Register) -> Void) -> Signal {
        guard core.isBeforeTask else {
            start(context, register)
            return .value
        }
        core.wait = { context, register in
            start(context, register)
            return .value
        }
        return .suspend
    }
}

extension EnvIO where Value: Sendable {
    /// Returns a program that waits for the outcome in `end`, and ends in the same way.
    static func ending(as end: Deferred<Outcome<Value, Failure>>) -> EnvIO {
        EnvIO<Environment, Failure, Outcome<Value, Failure>>.value(of: end).flatMap { outcome in
            switch outcome {
            case .value(let value): .pure(value)
            case .failure(let failure): .fail(failure)
            case .cancelled: .cancelled
            }
        }
    }
}
