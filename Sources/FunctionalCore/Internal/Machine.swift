/// Runs programs made of nodes: one loop and an explicit stack, so that no depth of a program is depth of a thread.
///
/// Unchecked: a machine is moved from one thread to the next and never shared. That is what lets a run hop between
/// executors without asking its values and its environment to be `Sendable`.
@usableFromInline
struct Machine: ~Copyable, @unchecked Sendable {
    /// What an `async` step does; the machine goes on with the signal it returns.
    @usableFromInline
    typealias Wait = nonisolated(nonsending) (inout Machine) async -> Signal

    // The register holds one value or failure, of a type that only the step before and the step after know.
    @usableFromInline
    let register: UnsafeMutableRawPointer

    // Entries are nodes; the lowest bit says whether the entry owns its node or an entry below keeps it alive.
    private var frames: UnsafeMutablePointer<UInt>
    private var count = 0
    private var capacity = Machine.inlineFrames

    /// The `EnvironmentBox` of the program that is running.
    @usableFromInline
    var environment: AnyObject?

    /// The state of the `State` program that is running; valid while `State.run` is on the thread's stack.
    @usableFromInline
    var state: UnsafeMutableRawPointer?

    /// Where to go on after `Signal.jump`.
    @usableFromInline
    var next: Node?

    /// How the source of the running node ended.
    @usableFromInline
    var arrived = Signal.value

    /// What to go on with after `Signal.rescope`, and after a `Signal.suspend` without `wait`.
    @usableFromInline
    var pending = Signal.value

    /// What to wait for after `Signal.suspend`.
    @usableFromInline
    var wait: Wait?

    /// How many regions that must not be cancelled are open.
    @usableFromInline
    var masked = 0

    var bindings: Bindings?
    var executor: (any TaskExecutor)?
    private var jumps: UInt8 = 0
    private var heedsTask: Bool
    private let stop: (any StopSignal)?

    private static let inlineFrames = 24

    @usableFromInline
    init(environment: AnyObject?, heedingTask: Bool, stop: (any StopSignal)? = nil) {
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: Machine.registerSize + Machine.inlineFrames * MemoryLayout<UInt>.stride,
            alignment: Machine.registerAlignment
        )
        self.register = block
        self.frames = (block + Machine.registerSize).assumingMemoryBound(to: UInt.self)
        self.environment = environment
        self.heedsTask = heedingTask
        self.stop = stop
    }

    // Inlinable, because functions that are hold machines, and the 6.3 compiler stops at one that is not.
    @inlinable
    deinit { free() }

    @usableFromInline
    @inline(never)
    borrowing func free() {
        for index in 0..<count where frames[index] & 1 == 1 { Machine.node(frames[index]).release() }
        if capacity != Machine.inlineFrames { frames.deallocate() }
        register.deallocate()
    }

    /// Whether the run should unwind now.
    @usableFromInline
    var isCancelled: Bool {
        masked == 0 && ((heedsTask && Task.isCancelled) || stop?.isSet == true)
    }

    /// From here on, cancelling the current task cancels the run.
    mutating func heedTask() {
        heedsTask = true
    }
}

// MARK: - The register

extension Machine {
    @inlinable static var registerSize: Int { 64 }
    @inlinable static var registerAlignment: Int { 16 }

    /// Whether a value lies in the register itself; a larger one lies in memory of its own, and its address in the register.
    @inlinable
    @inline(__always)
    static func fits<Value>(_: Value.Type) -> Bool {
        MemoryLayout<Value>.size <= registerSize && MemoryLayout<Value>.alignment <= registerAlignment
    }

    /// Fills the register, which is empty.
    ///
    /// Invariant of `put` and `take`: each signal says whether the register is full, and whether with the value or the
    /// failure of the program that just ended; the node that accepts the signal knows the type statically and takes the
    /// content out exactly once.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: consuming Value) {
        if Machine.fits(Value.self) {
            register.initializeMemory(as: Value.self, to: value)
        } else {
            let address = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            address.initialize(to: value)
            register.initializeMemory(as: UnsafeMutablePointer<Value>.self, to: address)
        }
    }

    /// Empties the register, which is full; see `put`.
    @inlinable
    @inline(__always)
    func take<Value>(as type: Value.Type = Value.self) -> Value {
        if Machine.fits(Value.self) {
            return register.assumingMemoryBound(to: Value.self).move()
        }
        let address = register.assumingMemoryBound(to: UnsafeMutablePointer<Value>.self).pointee
        defer { address.deallocate() }
        return address.move()
    }

    /// The environment of the program that is running. Its type is the one that the program was built for: whatever
    /// swaps the box pushes a frame that swaps it back.
    @inlinable
    @inline(__always)
    func environment<Environment>(as type: Environment.Type) -> Environment {
        // Unsafe only in name: see above. The checked cast costs as much as a step.
        unsafeDowncast(environment.unsafelyUnwrapped, to: EnvironmentBox<Environment>.self).value
    }

    /// The state of the `State` program that is running, where it lies: at the address of the `inout` argument of the
    /// `run` that drives this machine. Programs of one state are composed with programs of the same state only.
    @inlinable
    @inline(__always)
    func state<S>(as type: S.Type) -> UnsafeMutablePointer<S> {
        state.unsafelyUnwrapped.assumingMemoryBound(to: S.self)
    }
}

// MARK: - The stack

extension Machine {
    private static func node(_ entry: UInt) -> Unmanaged<Node> {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: entry & ~1).unsafelyUnwrapped)
    }

    @inline(__always)
    private mutating func push(entry: UInt) {
        if count == capacity { grow() }
        frames[count] = entry
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt>.allocate(capacity: capacity * 2)
        larger.update(from: frames, count: count)
        if capacity != Machine.inlineFrames { frames.deallocate() }
        frames = larger
        capacity *= 2
    }

    /// Sees to it that `node` gets the end of what runs next.
    @usableFromInline
    mutating func push(_ node: Node) {
        push(entry: UInt(bitPattern: Unmanaged.passRetained(node).toOpaque()) | 1)
    }

    /// Whether nothing is left to do after the running node.
    var isLast: Bool { count == 0 }

    /// Whether the next end goes to a node that puts an older environment back.
    var nextRestoresEnvironment: Bool {
        guard count > 0 else { return false }
        return Machine.node(frames[count - 1])._withUnsafeGuaranteedRef { $0.accepted } == .anyEndRestoringEnvironment
    }

    /// Runs until the program has ended or has to wait. Synchronous; on the caller's thread.
    @usableFromInline
    mutating func run(from first: Signal = .jump) -> Signal {
        var signal = first
        repeat {
            if let bindings {
                let start = signal
                signal = Bindings.$current.withValue(bindings) { loop(from: start) }
            } else {
                signal = loop(from: signal)
            }
            if signal != .rescope { return signal }
            signal = pending
        } while true
    }

    private mutating func loop(from first: Signal) -> Signal {
        var signal = first
        while true {
            if signal.accepts(.anyEnd) {
                guard count > 0 else { return signal }
                count -= 1
                let entry = frames[count]
                let node = Machine.node(entry)
                if node._withUnsafeGuaranteedRef({ $0.accepted }).accepts(signal) {
                    arrived = signal
                    signal = node._withUnsafeGuaranteedRef { $0.step(&self) }
                }
                if entry & 1 == 1 { node.release() }
            } else if signal == .jump {
                jumps &+= 1
                if jumps == 0, isCancelled {
                    next = nil
                    signal = .cancelled
                } else {
                    signal = descend()
                }
            } else {
                return signal
            }
        }
    }

    /// Pushes the nodes of `next` from its end to its beginning and runs the beginning. The topmost node of the chain is
    /// owned by its entry, and keeps all others alive.
    @inline(__always)
    private mutating func descend() -> Signal {
        let top = Unmanaged.passRetained(next.take().unsafelyUnwrapped)
        guard let source = top._withUnsafeGuaranteedRef({ $0.source }) else {
            defer { top.release() }
            return top._withUnsafeGuaranteedRef { $0.step(&self) }
        }
        push(entry: UInt(bitPattern: top.toOpaque()) | 1)
        var current = Unmanaged.passUnretained(source)
        while let deeper = current._withUnsafeGuaranteedRef({ $0.source }) {
            push(entry: UInt(bitPattern: current.toOpaque()))
            current = Unmanaged.passUnretained(deeper)
        }
        return current._withUnsafeGuaranteedRef { $0.step(&self) }
    }
}

// MARK: - Waiting

extension Machine {
    /// Goes on from `signal`, which a synchronous `run` returned, to the program's end. The caller's isolation, but for
    /// the parts that `continueOn` and `on` send elsewhere.
    @usableFromInline
    nonisolated(nonsending) mutating func finish(from signal: Signal) async -> Signal {
        var signal = signal
        while signal == .suspend {
            if executor == nil, bindings == nil, masked == 0, let wait = wait.take() {
                // What nearly every step is. A call on the way costs as much as the step, and so does what the rare cases
                // need in this function's frame.
                signal = run(from: await wait(&self))
            } else {
                signal = await waitElsewhere()
            }
        }
        return signal
    }

    /// Waits where the run was moved to, or with its variables, or in a region that is not cancelled.
    @inline(never)
    private nonisolated(nonsending) mutating func waitElsewhere() async -> Signal {
        guard let executor else { return await waitAndRun() }
        return await withTaskExecutorPreference(executor) { await segment(on: executor) }
    }

    /// What runs on one executor: up to the end, or to where the run moves elsewhere.
    @concurrent
    private mutating func segment(on current: any TaskExecutor) async -> Signal {
        var signal = await waitAndRun()
        while signal == .suspend, executor === current { signal = await waitAndRun() }
        return signal
    }

    private nonisolated(nonsending) mutating func waitAndRun() async -> Signal {
        guard let wait = wait.take() else { return run(from: pending) }
        guard let bindings else { return run(from: await perform(wait)) }
        let signal = await Bindings.$current.withValue(bindings) { await perform(wait) }
        return run(from: signal)
    }

    private nonisolated(nonsending) mutating func perform(_ wait: @escaping Wait) async -> Signal {
        masked == 0 ? await wait(&self) : await shielded(wait)
    }

    /// Waits in a task of its own, which does not see that this one is cancelled: what an `acquire` or a `release` waits for
    /// must not be cut short by what the region is there to outlive. It runs where this one does.
    private mutating func shielded(_ wait: @escaping Wait, isolation: isolated (any Actor)? = #isolation) async
        -> Signal
    {
        let executor = executor ?? currentTaskExecutor()
        let parcel = Parcel(consume self)
        let wait = Unchecked(wait)
        let task = Task(executorPreference: executor) { await parcel.wait(wait.value, isolation: isolation) }
        let signal = await task.value
        self = parcel.take()
        return signal
    }
}

/// A machine on its way to a task and back.
///
/// Unchecked: one side puts the machine in and only then does the other take it out.
private final class Parcel: @unchecked Sendable {
    private var machine: Machine?

    init(_ machine: consuming Machine) {
        self.machine = consume machine
    }

    /// Takes the machine out, waits with it, and puts it back.
    func wait(_ wait: Machine.Wait, isolation: isolated (any Actor)?) async -> Signal {
        var machine = take()
        let signal = await wait(&machine)
        self.machine = consume machine
        return signal
    }

    func take() -> Machine {
        guard let machine = machine.take() else { fault("A machine was taken out of an empty parcel.") }
        return machine
    }
}
