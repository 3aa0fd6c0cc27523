/// Runs programs made of nodes: one loop and an explicit stack, so that no depth of a program is depth of a thread.
///
/// All it has lies in one piece of memory, so that a machine is as large as a pointer: to make, move and free one costs
/// about an object.
///
/// Unchecked: a machine is moved from one thread to the next and never shared. That is what lets a run hop between
/// executors without asking its values and its environment to be `Sendable`.
@usableFromInline
struct Machine: ~Copyable, @unchecked Sendable {
    /// What an `async` step does: it leaves what it ends in in the register, and says how it ended.
    @usableFromInline
    typealias Wait = nonisolated(nonsending) (Heritage, Register) async -> Signal

    @usableFromInline
    let register: Register

    /// With an environment of its own.
    @inlinable
    init<Environment>(_ environment: consuming Environment, heedingTask: Bool, stop: (any StopSignal)? = nil) {
        self.init(
            holding: Environment.self, size: MemoryLayout<Environment>.size,
            alignment: MemoryLayout<Environment>.alignment, heedingTask: heedingTask, stop: stop)
        core.pointee.context.unsafelyUnwrapped.initializeMemory(as: Environment.self, to: environment)
    }

    /// With room for an environment, which the caller fills.
    @usableFromInline
    init(holding type: any Any.Type, size: Int, alignment: Int, heedingTask: Bool, stop: (any StopSignal)?) {
        let padding = max(0, alignment - Register.alignment)
        let block = allocateBlock(Machine.size + padding + size)
        let context = (block + Machine.size).alignedUp(toMultipleOf: alignment)
        self.init(block, context: context, heedingTask: heedingTask)
        core.pointee.held = type
        if let stop { core.pointee.stop = stop }
    }

    /// With an environment or a state that lies elsewhere, for longer than the machine is there.
    @usableFromInline
    init(sharing context: UnsafeMutableRawPointer?, heedingTask: Bool) {
        self.init(allocateBlock(Machine.size), context: context, heedingTask: heedingTask)
    }

    @inline(__always)
    private init(_ block: UnsafeMutableRawPointer, context: UnsafeMutableRawPointer?, heedingTask: Bool) {
        register = Register(block)
        let frames = (block + Machine.stackOffset).assumingMemoryBound(to: UInt.self)
        core.initialize(to: Core(frames: frames, context: context, heedsTask: heedingTask))
    }

    // Inlinable, because functions that are hold machines, and the 6.3 compiler stops at one that is not.
    @inlinable
    deinit { free() }

    @usableFromInline
    @inline(never)
    borrowing func free() {
        let frames = core.pointee.frames
        for index in 0..<core.pointee.count where frames[index] & 1 == 1 { Machine.node(frames[index]).release() }
        if core.pointee.capacity != Machine.inlineFrames { frames.deallocate() }
        core.pointee.letGo()
        if let type = core.pointee.held { destroy(type) }
        freeBlock(register.address)
    }
}

extension Machine {
    /// What a machine has but its register.
    @usableFromInline
    struct Core {
        // Entries are nodes; the lowest bit says whether the entry owns its node or an entry below keeps it alive.
        var frames: UnsafeMutablePointer<UInt>
        var count = 0
        var capacity = Machine.inlineFrames
        /// Where the environment of the program that is running lies; of a `State` program, its state.
        @usableFromInline var context: UnsafeMutableRawPointer?
        /// Keeps that alive, where it is not the machine's first one.
        var contextOwner: AnyObject?
        /// What the machine's first environment is, where it lies in the machine's memory.
        var held: (any Any.Type)?
        @usableFromInline var next: Node?
        @usableFromInline var wait: Wait?
        @usableFromInline var masked = 0
        @usableFromInline var region: UInt = 0
        @usableFromInline var arrived = Signal.value
        @usableFromInline var pending = Signal.value
        @usableFromInline var mustUnwind = false
        @usableFromInline var calls: UInt16 = 0
        var heedsTask: Bool
        var stop: (any StopSignal)?
        var bindings: Bindings?
        @usableFromInline var executor: (any TaskExecutor)?

        @inline(__always)
        init(frames: UnsafeMutablePointer<UInt>, context: UnsafeMutableRawPointer?, heedsTask: Bool) {
            self.frames = frames
            self.context = context
            self.heedsTask = heedsTask
        }

        /// Releases what there is: nearly always one thing, which is asked for here, as releasing nothing costs a call.
        @inline(__always)
        mutating func letGo() {
            if contextOwner != nil { contextOwner = nil }
            if next != nil { next = nil }
            if wait != nil { wait = nil }
            if stop != nil { stop = nil }
            if bindings != nil { bindings = nil }
            if executor != nil { executor = nil }
        }
    }

    private static var inlineFrames: Int { 24 }
    private static var stackOffset: Int { Register.size + MemoryLayout<Core>.stride }
    private static var size: Int { stackOffset + inlineFrames * MemoryLayout<UInt>.stride }

    private borrowing func destroy<Environment>(_: Environment.Type) {
        let address = (register.address + Machine.size).alignedUp(toMultipleOf: MemoryLayout<Environment>.alignment)
        address.assumingMemoryBound(to: Environment.self).deinitialize(count: 1)
    }

    /// Inside the memory of the register, and as long there as that.
    @inlinable
    @inline(__always)
    var core: UnsafeMutablePointer<Core> {
        (register.address + Register.size).assumingMemoryBound(to: Core.self)
    }

    /// Where to go on after `Signal.jump`.
    @inlinable
    @inline(__always)
    var next: Node? {
        get { core.pointee.next }
        set { core.pointee.next = newValue }
    }

    /// How the source of the running node ended.
    @inlinable
    @inline(__always)
    var arrived: Signal {
        get { core.pointee.arrived }
        set { core.pointee.arrived = newValue }
    }

    /// What to go on with after `Signal.rescope`, and after a `Signal.suspend` without `wait`.
    @inlinable
    @inline(__always)
    var pending: Signal {
        get { core.pointee.pending }
        set { core.pointee.pending = newValue }
    }

    /// What to wait for after `Signal.suspend`.
    @inlinable
    @inline(__always)
    var wait: Wait? {
        get { core.pointee.wait }
        set { core.pointee.wait = newValue }
    }

    /// How many regions that must not be cancelled are open.
    @inlinable
    @inline(__always)
    var masked: Int {
        get { core.pointee.masked }
        _modify { yield &core.pointee.masked }
    }

    /// The innermost of them that can be polled, if it is not the program's that is polled now; 0 for none.
    @inlinable
    @inline(__always)
    var region: UInt {
        get { core.pointee.region }
        set { core.pointee.region = newValue }
    }

    /// The variables of the `binding` that is running.
    var bindings: Bindings? {
        get { core.pointee.bindings }
        set { core.pointee.bindings = newValue }
    }

    /// Where the run was moved to.
    var executor: (any TaskExecutor)? {
        get { core.pointee.executor }
        set { core.pointee.executor = newValue }
    }

    /// Whether the run should unwind now.
    @usableFromInline
    var isCancelled: Bool {
        masked == 0 && ((core.pointee.heedsTask && Task.isCancelled) || core.pointee.stop?.isSet == true)
    }

    /// Whether it was found, some steps ago at most, that the run should unwind. For steps, which take long compared to
    /// this alone: those that have emptied the register, and do not begin when it is so.
    @inlinable
    @inline(__always)
    var mustUnwind: Bool {
        core.pointee.mustUnwind && core.pointee.masked == 0
    }

    /// Counts a step, and looks now and then whether the run should unwind.
    @inline(__always)
    private func countStep() {
        core.pointee.calls &+= 1
        if core.pointee.calls >= Limits.callsBetweenLooks {
            core.pointee.calls = 0
            core.pointee.mustUnwind = isCancelled
        }
    }

    /// Counts what a step calls that is made of `depth` closures.
    @inlinable
    @inline(__always)
    func countCalls(_ depth: UInt8) {
        core.pointee.calls &+= UInt16(depth)
    }

    /// From here on, cancelling the current task cancels the run.
    mutating func heedTask() {
        core.pointee.heedsTask = true
    }
}

// MARK: - What it holds

extension Machine {
    /// See `Register`.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: consuming Value) {
        register.put(value)
    }

    /// See `Register`.
    @inlinable
    @inline(__always)
    func take<Value>(as type: Value.Type = Value.self) -> Value {
        register.take()
    }

    /// See `Register`.
    @inlinable
    @inline(__always)
    func takeOutcome<Value, Failure: Error>(_ signal: Signal) -> Outcome<Value, Failure> {
        register.takeOutcome(signal)
    }

    /// See `Heritage`.
    @inlinable
    @inline(__always)
    func environment<Environment>(as type: Environment.Type) -> Environment {
        core.pointee.context.unsafelyUnwrapped.assumingMemoryBound(to: Environment.self).pointee
    }

    /// The state of the `State` program that is running, where it lies: at the address of the `inout` argument of the
    /// `run` that drives this machine. Programs of one state are composed with programs of the same state only.
    @inlinable
    @inline(__always)
    func state<S>(as type: S.Type) -> UnsafeMutablePointer<S> {
        core.pointee.context.unsafelyUnwrapped.assumingMemoryBound(to: S.self)
    }
}

// MARK: - The stack

extension Machine {
    private static func node(_ entry: UInt) -> Unmanaged<Node> {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: entry & ~1).unsafelyUnwrapped)
    }

    @inline(__always)
    private mutating func push(entry: UInt) {
        if core.pointee.count == core.pointee.capacity { grow() }
        core.pointee.frames[core.pointee.count] = entry
        core.pointee.count += 1
    }

    @inline(never)
    private mutating func grow() {
        let capacity = core.pointee.capacity
        let larger = UnsafeMutablePointer<UInt>.allocate(capacity: capacity * 2)
        larger.update(from: core.pointee.frames, count: core.pointee.count)
        if capacity != Machine.inlineFrames { core.pointee.frames.deallocate() }
        core.pointee.frames = larger
        core.pointee.capacity = capacity * 2
    }

    /// Sees to it that `node` gets the end of what runs next.
    @usableFromInline
    mutating func push(_ node: Node) {
        push(entry: UInt(bitPattern: Unmanaged.passRetained(node).toOpaque()) | 1)
    }

    /// Whether nothing is left to do after the running node.
    var isLast: Bool { core.pointee.count == 0 }

    /// Whether the next end goes to a node that puts an older environment back.
    var nextRestoresEnvironment: Bool {
        let count = core.pointee.count
        guard count > 0 else { return false }
        return Machine.node(core.pointee.frames[count - 1])._withUnsafeGuaranteedRef { $0.accepted }
            == .anyEndRestoringEnvironment
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
                guard core.pointee.count > 0 else { return signal }
                core.pointee.count -= 1
                countStep()
                let entry = core.pointee.frames[core.pointee.count]
                let node = Machine.node(entry)
                if node._withUnsafeGuaranteedRef({ $0.accepted }).accepts(signal) {
                    arrived = signal
                    signal = node._withUnsafeGuaranteedRef { $0.step(&self) }
                }
                if entry & 1 == 1 { node.release() }
            } else if signal == .jump {
                countStep()
                if mustUnwind {
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
        let top = Unmanaged.passRetained(core.pointee.next.take().unsafelyUnwrapped)
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
            if executor == nil, bindings == nil, masked == 0, let wait = core.pointee.wait.take() {
                // What nearly every step is. A call on the way costs as much as the step, and so does what the rare cases
                // need in this function's frame.
                signal = run(from: await wait(heritage, register))
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
        guard let wait = core.pointee.wait.take() else { return run(from: pending) }
        guard let bindings else { return run(from: await perform(wait)) }
        let signal = await Bindings.$current.withValue(bindings) { await perform(wait) }
        return run(from: signal)
    }

    private nonisolated(nonsending) mutating func perform(_ wait: @escaping Wait) async -> Signal {
        masked == 0 ? await wait(heritage, register) : await shielded(wait)
    }

    /// Waits in a task of its own, which does not see that this one is cancelled: what an `acquire` or a `release` waits for
    /// must not be cut short by what the region is there to outlive. It runs where this one does.
    private func shielded(_ wait: @escaping Wait, isolation: isolated (any Actor)? = #isolation) async -> Signal {
        let (heritage, register, wait) = (heritage, register, Unchecked(wait))
        let task = Task(executorPreference: executor ?? currentTaskExecutor()) {
            await Machine.perform(wait.value, heritage, register, isolation: isolation)
        }
        return await task.value
    }

    private static func perform(
        _ wait: Wait, _ heritage: Heritage, _ register: Register, isolation: isolated (any Actor)?
    ) async -> Signal {
        // The 6.3 compiler does not go to `isolation` for a call alone that is to begin there.
        isolation?.preconditionIsolated()
        return await wait(heritage, register)
    }
}
