extension Machine {
    /// The fields of a run.
    @usableFromInline
    struct Core {
        /// The place of the running program's environment, or of the state of a `State` program.
        @usableFromInline var place: Place
        /// The object that keeps the environment alive, or `nil` if the machine or its creator stores the environment.
        var placeOwner: AnyObject?
        /// The type of the environment that the machine stores, or `nil` if the machine stores none.
        var stored: (any Any.Type)?

        /// The program to run after `Signal.jump`.
        @usableFromInline var next: Node?
        /// The step to await after `Signal.suspend`.
        @usableFromInline var wait: Wait?
        /// The signal with which the program before the running node ended.
        @usableFromInline var arrived = Signal.value
        /// The signal to continue with after `Signal.rescope`, and after a `Signal.suspend` without `wait`.
        @usableFromInline var pending = Signal.value

        /// The number of open regions in which the run cannot be cancelled. Acquisitions and finalizers count, too.
        @usableFromInline var masked = 0
        /// The number of the current uncancellable region, or 0 if there is none. While a polled part runs, it is the
        /// number of the region that encloses the polled region.
        @usableFromInline var region: UInt = 0
        @usableFromInline var mustUnwind = false
        @usableFromInline var calls: UInt16 = 0
        var checks: UInt8 = 0
        var isPauseDue = false
        var observesTaskCancellation: Bool
        /// Whether the run is still on the thread that began it, and a task will continue it if it suspends.
        @usableFromInline var isBeforeTask = false
        var stop: (any CancellationToken)?

        /// The variables of the running `binding`.
        var bindings: Bindings?
        /// The executor that the run was moved to, or `nil` if it was not moved.
        @usableFromInline var executor: (any TaskExecutor)?

        @inline(__always)
        init(place: Place, observesTaskCancellation: Bool) {
            self.place = place
            self.observesTaskCancellation = observesTaskCancellation
        }

        /// Releases all references. Most of them are `nil` in most runs, and a check is cheaper than releasing `nil`.
        @inline(__always)
        mutating func release() {
            if placeOwner != nil { placeOwner = nil }
            if next != nil { next = nil }
            if wait != nil { wait = nil }
            if stop != nil { stop = nil }
            if bindings != nil { bindings = nil }
            if executor != nil { executor = nil }
        }
    }

    @inlinable
    @inline(__always)
    var register: Register { Register(stack.register) }

    /// Stores `value` in the register, which must be empty.
    @inlinable
    @inline(__always)
    func put<Value>(_ value: consuming Value) {
        register.put(value)
    }

    /// Takes the value or the failure out of the register.
    @inlinable
    @inline(__always)
    func take<Value>(as type: Value.Type = Value.self) -> Value {
        register.take()
    }

    /// Takes the outcome of a program that ended with `signal` out of the register.
    @inlinable
    @inline(__always)
    func takeOutcome<Value, Failure: Error>(_ signal: Signal) -> Outcome<Value, Failure> {
        register.takeOutcome(signal)
    }

    /// The environment of the running program.
    @inlinable
    @inline(__always)
    func environment<Environment>(as type: Environment.Type) -> Environment {
        core.place[type]
    }
}
