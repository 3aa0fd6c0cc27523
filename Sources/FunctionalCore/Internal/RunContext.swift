/// The part of a run that its `async` steps and its parallel programs use: its environment and its executor.
///
/// The variables of a `binding` are a task-local value, which child tasks inherit.
///
/// Unchecked: the run waits for each step that receives the context, so the environment outlives it. Operations that
/// share the environment between tasks require it to be `Sendable`.
@usableFromInline
struct RunContext: @unchecked Sendable {
    /// The address of the environment of the running program.
    @usableFromInline
    let address: UnsafeMutableRawPointer?
    @usableFromInline
    let executor: (any TaskExecutor)?

    @inlinable
    init(address: UnsafeMutableRawPointer?, executor: (any TaskExecutor)?) {
        self.address = address
        self.executor = executor
    }

    /// The environment of the running program.
    ///
    /// Unchecked: as in `Machine.environment(as:)`.
    @inlinable
    @inline(__always)
    func environment<Environment>(as type: Environment.Type) -> Environment {
        address.unsafelyUnwrapped.assumingMemoryBound(to: Environment.self).pointee
    }

    /// Lets the jobs run that are enqueued on the executor of the current task.
    ///
    /// Without pauses, programs that only compute could occupy all threads, so that not even timers fire.
    /// `Task.yield()` is no replacement, because it uses the default executor even if the task runs on another one.
    @usableFromInline
    nonisolated(nonsending) func pause() async {
        await Task(executorPreference: executor ?? currentTaskExecutor()) {}.value
    }
}

extension RunContext {
    /// Calls `body` in child tasks with each number from 0 to less than `count`, and waits until all calls have returned.
    /// If one throws, the others are cancelled, and no further ones are made.
    ///
    /// Not generic, since each use of generic asynchronous code is compiled to much code.
    ///
    /// - Parameter limit: How many calls are made at once, at least one.
    @usableFromInline
    nonisolated(nonsending) func callInParallel(
        _ count: Int, limit: Int?, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async {
        try? await withThrowingDiscardingTaskGroup { group in
            guard let limit, limit < count else {
                for index in 0..<count { group.addTask { try await body(index) } }
                return
            }
            let next = Locked(0)
            for _ in 0..<limit {
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
        RunContext(address: core.context, executor: core.executor)
    }

    /// Creates a machine for a part of another run, which waits for the part.
    ///
    /// The machine observes the cancellation of its task even if the other run is in an uncancellable region.
    @usableFromInline
    init(in context: RunContext) {
        self.init(sharing: context.address, observesTaskCancellation: true)
        core.executor = context.executor
    }
}

extension EnvIO {
    /// Runs this program in the current task, as a part of another run.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) func outcome(in context: RunContext) async -> Outcome<Value, Failure> {
        if Task.isCancelled { return .cancelled }
        guard case .node(let node) = form else { return shortOutcome(context.environment(as: Environment.self)) }
        var machine = Machine(in: context)
        let end = await machine.end(of: node)
        return machine.takeOutcome(end)
    }
}

// MARK: - Changing the environment

/// The address of an environment, and the object that keeps it alive if the machine does not.
@usableFromInline
struct EnvironmentPlace {
    fileprivate let address: UnsafeMutableRawPointer?
    fileprivate let owner: AnyObject?

    @usableFromInline
    init(_ address: UnsafeMutableRawPointer?, owner: AnyObject?) {
        self.address = address
        self.owner = owner
    }

    /// Creates a place that stores `environment`.
    @inlinable
    init<Environment>(_ environment: Environment) {
        let box = EnvironmentBox<Environment>.create(minimumCapacity: 1) { _ in }
        let address = box.withUnsafeMutablePointerToElements { elements in
            elements.initialize(to: environment)
            return elements
        }
        self.init(address, owner: box)
    }
}

/// An environment at an address that does not change.
@usableFromInline
final class EnvironmentBox<Environment>: ManagedBuffer<Void, Environment> {
    @inlinable
    deinit {
        _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) }
    }
}

extension Machine {
    /// The environment of the running program. Assigning it does not restore the previous one later.
    var environmentPlace: EnvironmentPlace {
        get { EnvironmentPlace(core.context, owner: core.contextOwner) }
        nonmutating set {
            core.context = newValue.address
            core.contextOwner = newValue.owner
        }
    }

    /// Sets the environment of the program that is entered next. When that program ends, the previous environment is
    /// restored.
    @usableFromInline
    mutating func swapEnvironment(for inner: EnvironmentPlace) {
        // If the topmost frame restores an older environment anyway, one more frame has no effect. Without this check,
        // a loop through `contramap` would push a frame in each turn.
        let restores = stack.top?._withUnsafeGuaranteedRef { $0.accepted } == .anyEndRestoringEnvironment
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
