/// A description of a computation that needs an environment, may wait, and ends in a value, a typed failure, or
/// cancellation.
///
/// Building one runs nothing, and each run of it runs all of it again. It is a value: it can be kept, passed on and
/// composed before anything happens.
///
/// ```swift
/// struct Shop: Sendable { var price: @Sendable (String) async throws -> Int }
///
/// let total = EnvIO<Shop, any Error, Int> { shop in
///     try await shop.price("tea") + shop.price("cake")
/// }
/// let words = total.map { "That is \($0)." }
///
/// try await words.run(Shop { _ in 3 })  // "That is 6."
/// ```
///
/// A program of a million steps runs, and is freed, on any stack. A synchronous step costs about as much as allocating
/// an object; a program of a single synchronous closure costs a call.
///
/// The type is Bow's `EnvIO` (a reader over `IO`), with typed failures, cancellation and `async` added.
@frozen
public struct EnvIO<Environment, Failure: Error, Value> {
    /// The forms of a program. What is short stays out of the machine.
    @usableFromInline
    enum Form {
        case pure(Value)
        case fail(Failure)
        /// A synchronous closure, made of at most `Limits.depth` nested ones.
        case sync(@Sendable (Environment) throws(Failure) -> Value, depth: UInt8)
        case node(Node)
    }

    @usableFromInline
    let form: Form

    @inlinable
    @inline(__always)
    init(form: Form) {
        self.form = form
    }
}

// Unchecked: closures in it are `@Sendable`, and what it stores was `Sendable` where it entered (`pure`, `fail`,
// `provide`). `Value` itself may be anything: it is made by the run.
extension EnvIO: @unchecked Sendable {}

/// How much a run does before something else is done.
@usableFromInline
enum Limits {
    /// How deep closures may nest before a program becomes nodes: deep enough to be fast, shallow enough for any stack.
    @inlinable static var depth: UInt8 { 31 }

    /// After how many calls of a program's closures a run looks whether it was cancelled. A step makes at most 63,
    /// where one nest of closures makes another, so that there are never more than 256 from one look to the next.
    static var callsBetweenLooks: UInt16 { 192 }

    /// After how many of those looks a run lets others go ahead. Where closures do nothing that is after a tenth of a
    /// millisecond, of which the pause takes a hundredth. Counted and not timed, so that on an executor that is drained
    /// by hand the same always happens in the same order.
    static var looksBetweenPauses: UInt8 { 64 }
}

// MARK: - Making one

extension EnvIO {
    /// A program that ends in `value`. Nothing is run. The value is kept in the description, so it must be `Sendable`.
    @inlinable
    public static func pure(_ value: Value) -> EnvIO where Value: Sendable {
        EnvIO(form: .pure(value))
    }

    /// A program that ends in `failure`.
    @inlinable
    public static func fail(_ failure: Failure) -> EnvIO {
        EnvIO(form: .fail(failure))
    }

    /// A program that ends in `failure`: Bow's word for ``fail(_:)``.
    @inlinable
    public static func raiseError(_ failure: Failure) -> EnvIO {
        fail(failure)
    }

    /// A program that calls a synchronous closure, on the thread that runs it, each time it is run. What the closure
    /// throws is the program's failure, but for a `CancellationError` while the run is cancelled (as of
    /// `try Task.checkCancellation()`), which ends the run as cancelled.
    @inlinable
    public init(_ operation: @escaping @Sendable (Environment) throws(Failure) -> Value) {
        self.init(form: .sync(operation, depth: 1))
    }

    /// A program that calls an `async` closure each time it is run.
    ///
    /// The closure runs in the isolation that runs the program (as `nonisolated(nonsending)` functions do), or where
    /// ``on(_:)-(DispatchQueue)`` and `continueOn` say. It must cooperate in cancellation as any `async` code does: a
    /// `CancellationError` that it throws while the run is cancelled ends the run as cancelled; any other error is the
    /// program's failure.
    ///
    /// An environment that is not `Sendable` cannot be used after the closure's first `await` on something that leaves
    /// the isolation; the compiler says so. Make environments `Sendable`.
    @inlinable
    public init(
        _ operation: nonisolated(nonsending) @escaping @Sendable (Environment) async throws(Failure) -> Value
    ) {
        self.init(waiting: { heritage, register in
            let environment = heritage.environment(as: Environment.self)
            do throws(Failure) {
                register.put(try await operation(environment))
                return .value
            } catch {
                if Task.isCancelled, error is CancellationError { return .cancelled }
                register.put(error)
                return .failure
            }
        })
    }

    /// A program that waits, unless the run is cancelled when it comes to it.
    @inlinable
    init(waiting wait: @escaping Machine.Wait) {
        self.init(form: .node(Node(waiting: wait)))
    }

    /// A program that ends as `result` says.
    @inlinable
    public init(_ result: Result<Value, Failure>) where Value: Sendable {
        switch result {
        case .success(let value): self = .pure(value)
        case .failure(let failure): self = .fail(failure)
        }
    }

    /// The program that `build` makes when it is run: for recursion, and for building that costs.
    @inlinable
    public static func suspend(_ build: @escaping @Sendable () -> EnvIO) -> EnvIO {
        EnvIO(form: .node(Node { machine in build().enter(&machine) }))
    }
}

// MARK: - Entering

extension EnvIO {
    /// Begins this program in place of the running node, which accounts for its end.
    @inlinable
    @inline(__always)
    func enter(_ machine: inout Machine) -> Signal {
        switch form {
        case .pure(let value):
            machine.put(value)
            return .value
        case .fail(let failure):
            machine.put(failure)
            return .failure
        case .sync(let operation, let depth):
            machine.countCalls(depth)
            do throws(Failure) {
                machine.put(try operation(machine.environment(as: Environment.self)))
                return .value
            } catch {
                return machine.end(throwing: error)
            }
        case .node(let node):
            machine.next = node
            return .jump
        }
    }

    /// This program as a node that others can continue.
    @inlinable
    var node: Node {
        if case .node(let node) = form { return node }
        let program = self
        return Node { machine in program.enter(&machine) }
    }
}
