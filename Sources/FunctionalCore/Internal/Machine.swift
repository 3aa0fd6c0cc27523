// # Why the machine is as it is
//
// An `EnvIO` or a `State` is a description. `Machine` runs one description once. It meets four requirements: a step
// costs about as much as allocating an object, nested programs do not use the thread's stack, a run is cancelled
// between two steps, and a program that never suspends needs no task.
//
// **Representation.** A program is `pure`, `fail`, `sync` or `node` (`EnvIO.Form`). The first three run without a
// machine: a `sync` program is one closure, into which `map` and `contramap` fuse up to `Limits.depth` closures. All
// else is a `Node`: a closure `step`, and the `source` whose end the step continues. The types of values are known to
// the closures only. Values pass from step to step through the untyped `Register`, and the `Signal` that a step returns
// states the contents of the register.
//
// **The explicit stack.** To run a chain of nodes, `descend` pushes the nodes from the last to the first and runs the
// first. Each end pops one frame, whose node accepts the end or is skipped. A step that wants to continue after a
// program pushes a node and returns `.jump`. So neither nesting to the left nor nesting to the right recurses. The
// frames are in a `FrameStack`, together with all else that a run needs, so a run usually makes one allocation.
//
// **Suspension.** `run` is synchronous, on the caller's thread. It returns `.suspend` when a step has to await
// something. Only then is an `async` function or a task needed: `finish` awaits the pending `Wait` and calls `run`
// again. A program that never suspends therefore runs in `runSync`, in `start` without a task, and in `run` without
// a suspension of the caller.
//
// **Cancellation.** A run observes its task, a `CancellationToken`, or both. Checking takes longer than a step, so the
// loop checks once in `Limits.callsBetweenChecks` calls and sets `mustUnwind`. Steps with side effects that must not
// start late, such as an acquisition, check `isCancelled` themselves. A cancelled run unwinds: it pops its frames with
// `.cancelled`, which only finalizers and restoring nodes accept.
//
// **Masks.** `masked` counts the uncancellable regions that are open. While it is not zero, the run counts as not
// cancelled, and a step that suspends runs in a task of its own, which is not cancelled with the run's task.
//
// **Finalizers.** A finalizer is a node that accepts any end. It stores the outcome of the program
// (`keepEnd`), masks cancellation, runs its program, and restores the outcome. It is popped once, so it runs once.
//
// **Pauses.** A long computation would keep a thread of the pool from other tasks. If the run belongs to a task, the
// loop suspends it after `Limits.checksBetweenPauses` checks, and resumes it behind the jobs that are waiting.
//
// **Environments and bindings.** Steps read the environment through `core.place`. `contramap` stores an environment of
// its own in another place, and pushes a node that restores the outer place. The variables of a
// `binding` are a task-local list, so that child tasks inherit them. `.rescope` leaves the loop and enters it again
// with another list.
//
// **Deallocation.** A million nested nodes must not be freed by a million nested calls. See `Teardown`.

/// One run of a program that is made of nodes. It is a loop with an explicit stack.
///
/// All its fields are in the memory of its stack, so a machine is as large as a pointer.
///
/// Unchecked: a run owns its machine and passes it from one thread to the next. Two threads never use it at once. So a
/// run may change executors although its values and its environment are not `Sendable`.
@usableFromInline
struct Machine: ~Copyable, @unchecked Sendable {
    /// An `async` step. It leaves its value or failure in the register, and returns how it ended.
    @usableFromInline
    typealias Wait = nonisolated(nonsending) @Sendable (RunContext, Register) async -> Signal

    @usableFromInline
    let stack: FrameStack<Core, Node>

    /// Creates a machine that stores its environment.
    @inlinable
    init<Environment>(
        _ environment: consuming Environment, observesTaskCancellation: Bool, stop: (any CancellationToken)? = nil
    ) {
        self.init(
            storing: Environment.self, size: MemoryLayout<Environment>.size,
            alignment: MemoryLayout<Environment>.alignment, observesTaskCancellation: observesTaskCancellation,
            stop: stop)
        core.place.put(environment)
    }

    /// Creates a machine with room for an environment, which the caller initializes.
    @usableFromInline
    init(
        storing type: any Any.Type, size: Int, alignment: Int, observesTaskCancellation: Bool,
        stop: (any CancellationToken)?
    ) {
        stack = FrameStack(extraSize: size, extraAlignment: alignment) { place in
            Core(place: place, observesTaskCancellation: observesTaskCancellation)
        }
        core.stored = type
        if let stop { core.stop = stop }
    }

    /// Creates a machine for an environment or a state at `place`, which must outlive the machine.
    @usableFromInline
    init(sharing place: Place, observesTaskCancellation: Bool) {
        stack = FrameStack { _ in Core(place: place, observesTaskCancellation: observesTaskCancellation) }
    }

    // Inlinable, because the 6.3 compiler crashes for an inlinable function that contains a value whose `deinit` is
    // not.
    @inlinable
    deinit { deallocate() }

    @usableFromInline
    @inline(never)
    borrowing func deallocate() {
        core.release()
        if let type = core.stored { deinitialize(type) }
        stack.deallocate()
    }

    private borrowing func deinitialize<Environment>(_: Environment.Type) {
        stack.extra(alignment: MemoryLayout<Environment>.alignment).clear(Environment.self)
    }
}

// MARK: - Cancellation

extension Machine {
    /// Whether the run is cancelled, and cancellation is not masked.
    @usableFromInline
    var isCancelled: Bool {
        core.masked == 0
            && ((core.observesTaskCancellation && Task.isCancelled) || core.stop?.isCancelled == true)
    }

    /// Whether the last check found that the run is cancelled, and cancellation is not masked. A step such as that of
    /// `map` reads this property after it has emptied the register, and ends as cancelled if it is `true`. Reading it
    /// is cheaper than checking.
    @inlinable
    @inline(__always)
    var mustUnwind: Bool {
        core.mustUnwind && core.masked == 0
    }

    /// Makes the run observe the cancellation of the current task.
    mutating func observeTaskCancellation() {
        core.observesTaskCancellation = true
    }

    /// Returns whether `error` is a `CancellationError` that a closure threw in a cancelled run. Such an error is not a
    /// failure.
    @inlinable
    func isCancellation(_ error: some Error) -> Bool {
        isCancelled && error is CancellationError
    }

    /// Returns how a closure that threw `error` ended. If it failed, the error is stored in the register.
    @inlinable
    func end(throwing error: some Error) -> Signal {
        if isCancellation(error) { return .cancelled }
        put(error)
        return .failure
    }

    /// Returns whether a failure of type `failure` may be a `CancellationError`.
    @inlinable
    static func mayBeCancellation(_ failure: any Error.Type) -> Bool {
        failure == (any Error).self || failure == CancellationError.self
    }
}

// MARK: - Counting calls

extension Machine {
    /// Counts the calls of a step that consists of `depth` closures.
    @inlinable
    @inline(__always)
    func countCalls(_ depth: UInt8) {
        core.calls &+= UInt16(depth)
    }

    /// Counts a step. If a check is due, checks for cancellation, and determines whether a pause is due.
    @inline(__always)
    private func countStep() {
        core.calls &+= 1
        if core.calls >= Limits.callsBetweenChecks { check() }
    }

    @inline(never)
    private func check() {
        core.calls = 0
        core.mustUnwind = isCancelled
        core.checks &+= 1
        // Only a run that belongs to a task can pause.
        if core.checks >= Limits.checksBetweenPauses, core.observesTaskCancellation {
            core.checks = 0
            core.isPauseDue = true
        }
    }

    /// Counts one attempt of `retry` or `repeat` as a step. Returns whether a pause is due.
    @usableFromInline
    func isPauseDueAfterStep() -> Bool {
        countStep()
        return core.isPauseDue
    }

    /// Makes the run suspend, so that other tasks can run. The run then continues with `signal` and the same register.
    @inline(never)
    private mutating func pause(before signal: Signal) -> Signal {
        core.isPauseDue = false
        core.wait = { context, _ in
            await context.pause()
            return signal
        }
        return .suspend
    }
}

// MARK: - The loop

extension Machine {
    /// Pushes `node`, which receives the end of the program that runs next.
    @usableFromInline
    mutating func push(_ node: Node) {
        stack.push(node)
    }

    /// Runs synchronously, on the caller's thread, until the program ends or must wait.
    @usableFromInline
    mutating func run(from first: Signal = .jump) -> Signal {
        var signal = first
        repeat {
            if let bindings = core.bindings {
                let start = signal
                signal = Bindings.$current.withValue(bindings) { loop(from: start) }
            } else {
                signal = loop(from: signal)
            }
            if signal != .rescope { return signal }
            signal = core.pending
        } while true
    }

    private mutating func loop(from first: Signal) -> Signal {
        var signal = first
        while true {
            if signal.accepts(.anyEnd) {
                if stack.isEmpty { return signal }
                if core.isPauseDue { return pause(before: signal) }
                countStep()
                guard let frame = stack.pop() else { return signal }
                if frame.object.with({ $0.accepted }).accepts(signal) {
                    core.arrived = signal
                    signal = frame.object.with { $0.step(&self) }
                }
                frame.releaseIfOwned()
            } else if signal == .jump {
                countStep()
                if mustUnwind {
                    core.next = nil
                    signal = .cancelled
                } else if core.isPauseDue {
                    return pause(before: signal)
                } else {
                    signal = descend()
                }
            } else {
                return signal
            }
        }
    }

    /// Pushes the chain of nodes that ends with `core.next`, from the last to the first, and runs the first.
    ///
    /// The stack owns the last node, which keeps the others alive.
    @inline(__always)
    private mutating func descend() -> Signal {
        guard let last = core.next.take() else { return core.arrived }
        guard var current = last.source.map(Unretained.init) else { return last.step(&self) }
        stack.push(last)
        while let deeper = current.with({ $0.source.map(Unretained.init) }) {
            stack.push(unowned: current)
            current = deeper
        }
        return current.with { $0.step(&self) }
    }
}
