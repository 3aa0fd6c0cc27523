extension EnvIO where Environment: Sendable, Value: Sendable {
    /// Returns a program that succeeds with a memoized form of this program. The memoized form computes its result
    /// once.
    ///
    /// ```swift
    /// let total = loadPrices.memoize().flatMap { prices in
    ///     sum(of: prices).parZip(average(of: prices))  // loads the prices once
    /// }
    /// ```
    ///
    /// Each run of the returned program creates another memoized form, and runs nothing else. So it does not suspend.
    ///
    /// The first run of the memoized form starts this program, with the environment of that run. Runs that start
    /// meanwhile wait for the same result. Later runs receive it without suspending. A value and a failure are both
    /// kept. To try again after a failure, retry this program before you memoize it.
    ///
    /// A run that is cancelled stops waiting. The computation continues for as long as at least one run waits. If the
    /// last waiting run is cancelled, the computation is cancelled. The cancelled run waits until the computation has
    /// ended, including its finalizers. The next run then computes the result from the beginning.
    ///
    /// If this program ends as cancelled by itself, the runs that wait end as cancelled. The next run starts it again.
    ///
    /// The computation is a ``Fiber``: it runs in a task of its own, outside of any actor. Two computations never run
    /// at once. A memoized form that runs itself waits for itself until it is cancelled.
    ///
    /// The idea and the name come from cats-effect.
    public func memoize() -> EnvIO<Environment, Failure, EnvIO> {
        .access { _ in Memo(program: self).result }
    }
}

/// The result of a program. All runs of the program's memoized form share it.
private struct Memo<Environment: Sendable, Failure: Error, Value: Sendable>: Sendable {
    typealias End = Deferred<Outcome<Value, Failure>>

    /// One computation of the result. If all runs stop waiting, or if the computation ends as cancelled, another
    /// attempt replaces it. The next run starts that attempt.
    struct Attempt: Sendable {
        let end = End()
        /// The fiber of the computation. Before the computation has started, it is the fiber of the previous
        /// computation.
        var fiber: Fiber<Value, Failure>?
        /// The number of runs that have begun to wait and have not been cancelled.
        var waiterCount = 0
    }

    let program: EnvIO<Environment, Failure, Value>
    let current = Locked(Attempt())

    /// The memoized form: a program that waits for the result of the current attempt. The first run of an attempt
    /// starts its computation.
    var result: EnvIO<Environment, Failure, Value> {
        .bracketCase(
            acquire: .step { machine in join(&machine) },
            release: { end, outcome in
                guard case .cancelled = outcome, let abandoned = leave(end) else { return .pure(()) }
                return abandoned.cancel()
            },
            use: { end in .ending(as: end) }
        )
    }

    /// Adds a run that waits for the current attempt. If it is the first such run, starts the attempt. Stores the
    /// attempt's `end` in the register.
    func join(_ machine: inout Machine) -> Signal {
        let attempt = current.withLock { attempt in
            attempt.waiterCount += 1
            return attempt
        }
        let end = attempt.end
        guard attempt.waiterCount == 1 else {
            machine.put(end)
            return .value
        }
        let attempted = program.onCancel(.access { _ in _ = leave(end, all: true) })
        return machine.startFiber { context, register in
            // The fiber is started without the lock, because an executor may run it at once. Until this run leaves, the
            // count does not reach zero. So no other run abandons the attempt before its fiber is stored. The previous
            // fiber is released after the lock.
            var fiber: Fiber? = Fiber(attempted, in: context, after: attempt.fiber, end: end)
            current.withLock { if $0.end === end { swap(&$0.fiber, &fiber) } }
            register.put(end)
        }
    }

    /// Removes one waiting run, or all waiting runs, from the attempt whose end is `end`. If no run is left, a new
    /// attempt replaces it. Changes nothing if the attempt has ended or has already been replaced.
    ///
    /// - Returns: The fiber of the attempt that was replaced, or `nil` if no attempt was replaced.
    func leave(_ end: End, all: Bool = false) -> Fiber<Value, Failure>? {
        current.withLock { attempt in
            guard attempt.end === end, end.current == nil else { return nil }
            attempt.waiterCount -= 1
            guard all || attempt.waiterCount == 0 else { return nil }
            attempt = Attempt(fiber: attempt.fiber)
            return attempt.fiber
        }
    }
}
