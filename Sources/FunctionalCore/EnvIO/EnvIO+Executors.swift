public import Dispatch

extension EnvIO {
    /// Returns a program that runs this program on `executor`. After this program, the run returns to its previous
    /// executor or isolation.
    ///
    /// Moving to an executor suspends the run, so ``runSync(_:)`` traps for such a program.
    ///
    /// Only one thread at a time executes a run, so values and the environment need not be `Sendable`. If the
    /// environment belongs to an actor, the actor must not use it while the program runs on `executor`.
    @_alwaysEmitIntoClient
    public func on(_ executor: any TaskExecutor) -> EnvIO {
        .step { machine in
            machine.pushRestoringExecutor()
            return machine.move(to: executor, node)
        }
    }

    /// Returns a program that runs this program on a dispatch queue. After this program, the run returns to its
    /// previous executor or isolation.
    ///
    /// The queue may be serial or concurrent. See ``on(_:)-(TaskExecutor)``.
    @_alwaysEmitIntoClient
    public func on(_ queue: DispatchQueue) -> EnvIO {
        on(QueueExecutor(queue))
    }
}

extension Machine {
    /// Pushes a node that moves the run back to the executor it has now. If the node is the last one of the run, it
    /// does not move the run.
    @usableFromInline
    mutating func pushRestoringExecutor() {
        let outer = core.executor
        push(
            Node(accepting: .anyEnd) { machine in
                guard machine.core.executor !== outer else { return machine.core.arrived }
                machine.core.executor = outer
                if machine.stack.isEmpty { return machine.core.arrived }
                machine.core.pending = machine.core.arrived
                return .suspend
            }
        )
    }

    /// Whether the run is already on `executor`. Two executors for the same queue count as one.
    private func isOn(_ executor: any TaskExecutor) -> Bool {
        if core.executor === executor { return true }
        guard let here = core.executor as? QueueExecutor, let there = executor as? QueueExecutor else { return false }
        return here.queue === there.queue
    }

    /// Makes `node` the next program of the run, and moves the run to `executor` if it is not there yet. A cancelled
    /// run does not move: it ends as cancelled. The running step must return the signal that this method returns.
    @usableFromInline
    mutating func move(to executor: any TaskExecutor, _ node: Node) -> Signal {
        core.next = node
        if isOn(executor) { return .jump }
        if isCancelled {
            core.next = nil
            return .cancelled
        }
        core.executor = executor
        core.pending = .jump
        return .suspend
    }
}

/// A task executor that runs the jobs of a task on a dispatch queue.
@usableFromInline
final class QueueExecutor: TaskExecutor {
    fileprivate let queue: DispatchQueue

    @usableFromInline
    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    @usableFromInline
    func enqueue(_ job: consuming ExecutorJob) {
        enqueueJob(job, of: self, on: queue)
    }
}
