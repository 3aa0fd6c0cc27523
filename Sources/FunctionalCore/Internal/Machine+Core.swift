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
        var looks: UInt8 = 0
        var isPauseDue = false
        var heedsTask: Bool
        var stop: (any CancellationToken)?
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
}

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
