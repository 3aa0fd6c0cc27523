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
    init<Environment>(_ environment: consuming Environment, heedingTask: Bool, stop: (any CancellationToken)? = nil) {
        self.init(
            holding: Environment.self, size: MemoryLayout<Environment>.size,
            alignment: MemoryLayout<Environment>.alignment, heedingTask: heedingTask, stop: stop)
        core.pointee.context.unsafelyUnwrapped.initializeMemory(as: Environment.self, to: environment)
    }

    /// With room for an environment, which the caller fills.
    @usableFromInline
    init(holding type: any Any.Type, size: Int, alignment: Int, heedingTask: Bool, stop: (any CancellationToken)?) {
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
    /// How many frames lie in the machine's own memory.
    static var inlineFrames: Int { 24 }
    private static var stackOffset: Int { Register.size + MemoryLayout<Core>.stride }
    /// Rounded up, so that an environment of the block's own alignment follows without a gap: the block has no room for
    /// one.
    private static var size: Int {
        let end = stackOffset + inlineFrames * MemoryLayout<UInt>.stride
        return (end + Register.alignment - 1) & ~(Register.alignment - 1)
    }

    private borrowing func destroy<Environment>(_: Environment.Type) {
        let address = (register.address + Machine.size).alignedUp(toMultipleOf: MemoryLayout<Environment>.alignment)
        address.assumingMemoryBound(to: Environment.self).deinitialize(count: 1)
    }
}

// MARK: - Unwinding

extension Machine {
    /// Whether the run should unwind now.
    @usableFromInline
    var isCancelled: Bool {
        masked == 0 && ((core.pointee.heedsTask && Task.isCancelled) || core.pointee.stop?.isCancelled == true)
    }

    /// Whether the last look has found that the run should unwind. A step that has emptied the register asks for this,
    /// and does not begin if it is so: to look takes longer than a step.
    @inlinable
    @inline(__always)
    var mustUnwind: Bool {
        core.pointee.mustUnwind && core.pointee.masked == 0
    }

    /// Counts a step, and looks whether the run should unwind, or let others go ahead, when it is time to.
    @inline(__always)
    private func countStep() {
        core.pointee.calls &+= 1
        if core.pointee.calls >= Limits.callsBetweenLooks { look() }
    }

    @inline(never)
    private func look() {
        core.pointee.calls = 0
        core.pointee.mustUnwind = isCancelled
        core.pointee.looks &+= 1
        // Only where the run belongs to a task, which can wait.
        if core.pointee.looks >= Limits.looksBetweenPauses, core.pointee.heedsTask {
            core.pointee.looks = 0
            core.pointee.isPauseDue = true
        }
    }

    /// Counts an attempt of many that follow one another within one step. Says whether others should go ahead now.
    @usableFromInline
    func isPauseDueAfterAttempt() -> Bool {
        countStep()
        defer { core.pointee.isPauseDue = false }
        return core.pointee.isPauseDue
    }

    /// Lets others go ahead, and then goes on with `signal`. The register stays as it is.
    @inline(never)
    private mutating func pause(before signal: Signal) -> Signal {
        core.pointee.isPauseDue = false
        wait = { heritage, _ in
            await heritage.pause()
            return signal
        }
        return .suspend
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
                if core.pointee.isPauseDue { return pause(before: signal) }
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
                } else if core.pointee.isPauseDue {
                    return pause(before: signal)
                } else {
                    signal = descend()
                }
            } else {
                return signal
            }
        }
    }

    /// Pushes the nodes of `next` from its end to its beginning and runs the beginning. The topmost node of the chain
    /// is owned by its entry, and keeps all others alive.
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
