import Synchronization

extension EnvIO {
    /// A program that ends the run as cancelled.
    ///
    /// The run executes its finalizers before it ends.
    ///
    /// Handlers of failures are not called for cancellation. A program may cancel itself inside an uncancellable
    /// region, too: the region protects only against cancellation from outside.
    @_alwaysEmitIntoClient
    public static var cancelled: EnvIO {
        .step { _ in .cancelled }
    }

    /// Returns a program that runs this program, and then `finalizer` if this program is cancelled.
    ///
    /// `finalizer` does not run if this program succeeds or fails. It is not cancelled itself. If it fails, the failure
    /// is written to standard error, and the run still ends as cancelled.
    ///
    /// Finalizers run from the innermost to the outermost.
    @_alwaysEmitIntoClient
    public func onCancel(_ finalizer: EnvIO<Environment, Failure, Void>) -> EnvIO {
        .step(after: node, accepting: .cancelled) { machine in
            machine.keepEnd(of: Value.self, failure: Failure.self)
            return finalizer.enter(&machine)
        }
    }

    /// Returns a program that runs the result of `body` as an uncancellable region.
    ///
    /// Once the region has started, cancelling the run does not affect it. The exceptions are the parts that `body`
    /// passes to `poll`, which can be cancelled as if they were outside the region.
    ///
    /// ```swift
    /// let transfer = EnvIO<Bank, any Error, Receipt>.uncancellable { poll in
    ///     withdraw.flatMap { money in
    ///         poll(confirm).onCancel(putBack(money)).flatMap { deposit(money) }
    ///     }
    /// }
    /// ```
    ///
    /// A run that is cancelled meanwhile continues to the end of the region. It ends as cancelled in one of the steps
    /// after the region, at the latest in the next step that suspends. If no such step follows, the run may end with a
    /// value.
    ///
    /// A step that suspends inside the region runs in a task of its own, which is not cancelled. A `race`, `parZip` or
    /// `timeout` inside the region still cancels its own losers. The programs of these operations are separate runs, so
    /// a `poll` around one of them has no effect. Poll the whole race, not one of its programs.
    ///
    /// The protection has two limits:
    ///
    /// - A synchronous step that reads `Task.isCancelled` gets `true` if the task is cancelled. If the step throws a
    ///   `CancellationError` for that reason, the error is a failure: handlers of failures receive it, and the step
    ///   does not end as cancelled.
    /// - A task that awaits a cancelled run waits until the region has ended. If the region never ends, neither does
    ///   that wait.
    @_alwaysEmitIntoClient
    public static func uncancellable(_ body: @escaping @Sendable (_ poll: Poll) -> EnvIO) -> EnvIO {
        .step { machine in
            if machine.isCancelled { return .cancelled }
            let poll = machine.beginRegion()
            return body(poll).enter(&machine)
        }
    }

    /// Returns a program that runs this program as an uncancellable region.
    ///
    /// See ``uncancellable(_:)``.
    @_alwaysEmitIntoClient
    public func uncancellable() -> EnvIO {
        .uncancellable { _ in self }
    }
}

/// A function that makes a part of an uncancellable region cancellable. See ``EnvIO/uncancellable(_:)``.
///
/// A poll applies only to its own region. It has no effect outside of that region or in a nested region. To make a part
/// of a nested region cancellable, apply the polls of both regions in this order: `inner(outer(program))`.
public struct Poll: Sendable {
    /// The number of the region, which is unique in the process.
    @usableFromInline
    let region: UInt
    /// The number of the enclosing region, or 0 if there is none. It is the current region while a polled part runs.
    @usableFromInline
    let outer: UInt

    fileprivate init(region: UInt, outer: UInt) {
        self.region = region
        self.outer = outer
    }

    /// Returns a program that runs `program` as if it were outside the region, so that it can be cancelled.
    ///
    /// If the poll has an effect and the run is already cancelled, `program` does not start.
    @_alwaysEmitIntoClient
    public func callAsFunction<Environment, Failure, Value>(
        _ program: EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, Value> {
        .step { machine in
            let isOpened = machine.open(self)
            return isOpened && machine.isCancelled ? .cancelled : program.enter(&machine)
        }
    }
}

extension Machine {
    /// Begins an uncancellable region for the program that is entered next, and returns the region's poll.
    @usableFromInline
    mutating func beginRegion() -> Poll {
        let number = Machine.regions.wrappingAdd(1, ordering: .relaxed).newValue
        let outer = core.region
        core.masked += 1
        core.region = number
        push(
            Node { machine in
                machine.core.masked -= 1
                machine.core.region = outer
                return machine.core.arrived
            }
        )
        return Poll(region: number, outer: outer)
    }

    /// Ends the protection by the region of `poll` for the program that is entered next, if that region is the current
    /// region.
    ///
    /// Inside an `acquire` or an enclosing region, the program stays uncancellable: each of them counts in
    /// `core.masked`.
    ///
    /// - Returns: Whether the region of `poll` is the current region.
    @usableFromInline
    mutating func open(_ poll: Poll) -> Bool {
        guard core.region == poll.region else { return false }
        core.masked -= 1
        core.region = poll.outer
        push(
            Node { machine in
                machine.core.masked += 1
                machine.core.region = poll.region
                return machine.core.arrived
            }
        )
        return true
    }

    private static let regions = Atomic<UInt>(0)
}
