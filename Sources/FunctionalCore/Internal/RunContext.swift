/// The part of a run that its `async` steps and its parallel programs use: its environment and its executor.
///
/// The variables of a `binding` are not in it: they are a task-local value, which child tasks inherit.
///
/// Unchecked: the run waits for each step that receives the context, so the environment outlives it. Operations that
/// share the environment between tasks require it to be `Sendable`.
@usableFromInline
struct RunContext: @unchecked Sendable {
    /// The environment of the running program.
    @usableFromInline
    let place: Place
    @usableFromInline
    let executor: (any TaskExecutor)?

    @inlinable
    init(_ place: Place, executor: (any TaskExecutor)?) {
        self.place = place
        self.executor = executor
    }

    /// The environment of the running program.
    @inlinable
    @inline(__always)
    func environment<Environment>(as type: Environment.Type) -> Environment {
        place[type]
    }

    /// Lets the jobs run that are enqueued on the executor of the current task.
    ///
    /// Without pauses, programs that only compute could occupy all threads, so that not even timers fire.
    ///
    /// On an executor, `Task.yield()` would not do, because it uses the default executor. Without one, an empty task
    /// would not do: if it ends on another thread before it is awaited, the actor of this run lets nothing else run.
    @usableFromInline
    nonisolated(nonsending) func pause() async {
        guard let executor = executor ?? currentTaskExecutor() else { return await Task.yield() }
        await Task(executorPreference: executor) {}.value
    }
}

extension RunContext {
    /// Calls `body` in child tasks with each number from 0 to less than `count`, and waits until all calls have
    /// returned.
    ///
    /// If a call throws, its task makes no further calls, and the other child tasks are cancelled. A cancelled task may
    /// still call `body`, so `body` must throw if it is called in a cancelled task.
    ///
    /// The function is not generic, since each use of generic asynchronous code is compiled to much code.
    ///
    /// - Parameter limit: The number of calls that are made at once, at least 1. `nil` means that there is no limit.
    @usableFromInline
    nonisolated(nonsending) func callInParallel(
        _ count: Int, limit: Int?, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async {
        let next = Locked(0)
        try? await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<min(limit ?? count, count) {
                group.addTask {
                    for number in 1... {
                        // Calls that return at once let other tasks run now and then.
                        if number & 0x01FF == 0 { await pause() }
                        let index = next.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        guard index < count else { return }
                        try await body(index)
                    }
                }
            }
        }
    }
}

extension Machine {
    @inlinable
    var context: RunContext {
        RunContext(core.place, executor: core.executor)
    }

    /// Creates a machine for a part of another run, which waits for the part.
    ///
    /// The machine observes the cancellation of its task even if the other run is in an uncancellable region.
    @usableFromInline
    init(in context: RunContext) {
        self.init(sharing: context.place, observesTaskCancellation: true)
        core.executor = context.executor
    }
}

/// One run of a program that runs several programs, its parts, at once.
///
/// Its functions know the types of the parts. They are not asynchronous, because generic asynchronous code would be
/// several times as large.
@usableFromInline
struct ParallelRun {
    /// Starts a part.
    let start: @Sendable (Int, inout Machine) -> Signal
    /// Takes the end of a part out of its register. An error ends the run: the other parts are cancelled.
    let end: @Sendable (Int, Register, Signal) throws -> Void
    /// Stores the end of the run, when all parts have ended.
    let finish: (Register) -> Signal

    @usableFromInline
    init(
        start: @escaping @Sendable (Int, inout Machine) -> Signal,
        end: @escaping @Sendable (Int, Register, Signal) throws -> Void,
        finish: @escaping (Register) -> Signal
    ) {
        self.start = start
        self.end = end
        self.finish = finish
    }
}

extension Node {
    /// Creates a node that runs programs in child tasks.
    ///
    /// - Parameters:
    ///   - count: The number of the programs.
    ///   - limit: The number of programs that run at once. `nil` means that there is no limit.
    ///   - begin: Called at the start of each run.
    @usableFromInline
    convenience init(inParallel count: Int, limit: Int?, _ begin: @escaping @Sendable () -> ParallelRun) {
        self.init(waiting: { context, register in
            let run = begin()
            let (start, end) = (run.start, run.end)
            await context.callInParallel(count, limit: limit) { index in
                var machine = Machine(in: context)
                var signal = Task.isCancelled ? .cancelled : start(index, &machine)
                if signal == .jump, let node = machine.core.next.take() { signal = await machine.end(of: node) }
                try end(index, machine.register, signal)
            }
            return run.finish(register)
        })
    }
}

extension EnvIO {
    /// Creates a program that runs other programs in child tasks.
    @_alwaysEmitIntoClient
    init(inParallel count: Int, limit: Int? = nil, _ begin: @escaping @Sendable () -> ParallelRun) {
        self.init(form: .node(Node(inParallel: count, limit: limit, begin)))
    }
}

// MARK: - Changing the environment

/// An environment, and the object that keeps it alive if the machine does not.
@usableFromInline
struct EnvironmentPlace {
    fileprivate let place: Place
    fileprivate let owner: AnyObject?

    @usableFromInline
    init(_ place: Place, owner: AnyObject?) {
        self.place = place
        self.owner = owner
    }

    /// Creates a place that stores `environment`.
    @inlinable
    init<Environment>(_ environment: Environment) {
        let (place, box) = EnvironmentBox.make(environment)
        self.init(place, owner: box)
    }
}

extension Machine {
    /// The environment of the running program. An assignment does not restore the previous environment later.
    var environmentPlace: EnvironmentPlace {
        get { EnvironmentPlace(core.place, owner: core.placeOwner) }
        nonmutating set {
            core.place = newValue.place
            core.placeOwner = newValue.owner
        }
    }

    /// Sets the environment of the program that is entered next. When that program ends, the previous environment is
    /// restored, or the older one that the topmost frame restores.
    @usableFromInline
    mutating func swapEnvironment(for inner: EnvironmentPlace) {
        // If the topmost frame restores an older environment anyway, one more frame has no effect. Without this check,
        // a loop through `contramap` would push a frame in each turn.
        let restores = stack.top?.with { $0.accepted } == .anyEndRestoringEnvironment
        if !restores {
            let outer = Unchecked(environmentPlace)
            push(
                Node(accepting: .anyEndRestoringEnvironment) { machine in
                    machine.environmentPlace = outer.value
                    return machine.core.arrived
                }
            )
        }
        environmentPlace = inner
    }
}
