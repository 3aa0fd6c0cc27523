public import Dispatch

extension EnvIO {
    /// This program on `executor`; what follows runs where it would have run.
    ///
    /// Moving there is waiting: `runSync` refuses such a program. A run is used by one thread at a time, so values and
    /// the environment need not be `Sendable`; but an environment that belongs to an actor must not be used there
    /// meanwhile.
    @inlinable
    public func on(_ executor: any TaskExecutor) -> EnvIO {
        let program = self
        return EnvIO(
            form: .node(
                Node { machine in
                    machine.pushRestoringExecutor()
                    return machine.move(to: executor, program.node)
                }
            )
        )
    }

    /// This program on a dispatch queue; what follows runs where it would have run. See ``on(_:)-(TaskExecutor)``.
    @inlinable
    public func on(_ queue: DispatchQueue) -> EnvIO {
        on(QueueExecutor(queue))
    }
}

extension EnvIO where Value == Void {
    /// The step after which the rest of a `binding` runs on `queue`.
    @inlinable
    static func moving(to executor: any TaskExecutor) -> EnvIO {
        EnvIO(form: .node(Node { machine in machine.move(to: executor, EnvIO.finished) }))
    }

    @inlinable
    static var finished: Node {
        Node { machine in
            machine.put(())
            return .value
        }
    }
}

extension Machine {
    /// Sees to it that the run comes back to where it runs now, if there is anything left to do.
    @usableFromInline
    mutating func pushRestoringExecutor() {
        let outer = executor
        push(
            Node(accepting: .anyEnd) { machine in
                guard machine.executor !== outer else { return machine.arrived }
                machine.executor = outer
                if machine.isLast { return machine.arrived }
                machine.pending = machine.arrived
                return .suspend
            }
        )
    }

    /// Whether the run is where `executor` runs things. Two executors for one queue are one place.
    private func isOn(_ executor: any TaskExecutor) -> Bool {
        if self.executor === executor { return true }
        guard let here = self.executor as? QueueExecutor, let there = executor as? QueueExecutor else { return false }
        return here.queue === there.queue
    }

    /// Goes on with `node` on `executor`.
    @usableFromInline
    mutating func move(to executor: any TaskExecutor, _ node: Node) -> Signal {
        next = node
        if isOn(executor) { return .jump }
        if isCancelled {
            next = nil
            return .cancelled
        }
        self.executor = executor
        pending = .jump
        return .suspend
    }
}

/// Runs the jobs of a task on a dispatch queue.
@usableFromInline
final class QueueExecutor: TaskExecutor {
    fileprivate let queue: DispatchQueue

    @usableFromInline
    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    @usableFromInline
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
