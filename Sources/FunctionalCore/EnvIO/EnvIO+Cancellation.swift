import Synchronization

extension EnvIO {
    /// The program that ends the run as cancelled, through its finalizers. No handler of failures sees it.
    ///
    /// It is the program's own decision, so a region that cannot be cancelled from outside does not hold it up.
    @inlinable
    public static var cancelled: EnvIO {
        EnvIO(form: .node(Node { _ in .cancelled }))
    }

    /// This program, and when it is cancelled `finalizer`, before the run goes on unwinding. `finalizer` itself is not
    /// cancelled; where it fails, that is written to standard error. It does not run where this program ends by itself.
    ///
    /// Finalizers run from the innermost to the outermost.
    @inlinable
    public func onCancel(_ finalizer: EnvIO<Environment, Failure, Void>) -> EnvIO {
        EnvIO(
            form: .node(
                Node(source: node, accepting: .cancelled) { machine in
                    machine.keepEnd(of: Value.self, failure: Failure.self)
                    return finalizer.enter(&machine)
                }
            )
        )
    }

    /// The program that `body` makes, which is not cancelled once it has begun, but for the parts that it hands to
    /// `poll`: those can be cancelled as if they stood outside.
    ///
    /// ```swift
    /// let transfer = EnvIO<Bank, any Error, Receipt>.uncancellable { poll in
    ///     withdraw.flatMap { money in
    ///         poll(confirm).onCancel(putBack(money)).flatMap { deposit(money) }
    ///     }
    /// }
    /// ```
    ///
    /// A run that is cancelled meanwhile goes on to the end of the region, and ends as cancelled at the next step after
    /// it that waits. What waits in the region does so in tasks of its own, which are not cancelled. A `race`, `parZip`
    /// or `timeout` in it still cancels its own sides.
    ///
    /// The sides of a race in it are runs of their own, which `poll` does not open: poll the whole race.
    ///
    /// What it cannot promise: a synchronous step that asks `Task.isCancelled` by itself is told the truth, and where it
    /// throws a `CancellationError` for that, it has failed. And a region that never ends holds up its canceller's wait
    /// for ever.
    @inlinable
    public static func uncancellable(_ body: @escaping @Sendable (_ poll: Poll) -> EnvIO) -> EnvIO {
        EnvIO(
            form: .node(
                Node { machine in
                    if machine.isCancelled { return .cancelled }
                    let poll = machine.beginRegion()
                    return body(poll).enter(&machine)
                }
            )
        )
    }

    /// This program as a region that is not cancelled once it has begun. See ``uncancellable(_:)``.
    @inlinable
    public func uncancellable() -> EnvIO {
        let program = self
        return .uncancellable { _ in program }
    }
}

/// Makes a part of a region that is not cancelled one that is: see ``EnvIO/uncancellable(_:)``.
///
/// It undoes its own region and no other: in one that lies inside of it, in one that lies around it, and after its own
/// has ended it changes nothing.
public struct Poll: Sendable {
    /// The region's own number, which no other region ever has.
    @usableFromInline
    let region: UInt
    /// That of the region around it, which polling goes back to.
    @usableFromInline
    let outer: UInt

    fileprivate init(region: UInt, outer: UInt) {
        self.region = region
        self.outer = outer
    }

    /// `program`, which can be cancelled as if it stood outside of the region. Where the run has been cancelled
    /// already, it does not begin.
    @inlinable
    public func callAsFunction<Environment, Failure, Value>(
        _ program: EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, Value> {
        EnvIO(
            form: .node(
                Node { machine in
                    let isOpened = machine.open(self)
                    return isOpened && machine.isCancelled ? .cancelled : program.enter(&machine)
                }
            )
        )
    }
}

extension Machine {
    /// Begins a region that is not cancelled, and sees to it that it ends with the program that is entered next.
    @usableFromInline
    mutating func beginRegion() -> Poll {
        let number = Machine.regions.wrappingAdd(1, ordering: .relaxed).newValue
        let outer = region
        masked += 1
        region = number
        push(
            Node { machine in
                machine.masked -= 1
                machine.region = outer
                return machine.arrived
            }
        )
        return Poll(region: number, outer: outer)
    }

    /// Opens the region of `poll` for the program that is entered next, if it is the innermost that can be polled; says
    /// whether it was. An `acquire` in it is closed once more, and stays closed.
    @usableFromInline
    mutating func open(_ poll: Poll) -> Bool {
        guard region == poll.region else { return false }
        masked -= 1
        region = poll.outer
        push(
            Node { machine in
                machine.masked += 1
                machine.region = poll.region
                return machine.arrived
            }
        )
        return true
    }

    private static let regions = Atomic<UInt>(0)
}
