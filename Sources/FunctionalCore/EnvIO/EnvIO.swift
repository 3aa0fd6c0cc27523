/// A description of a computation that needs an environment, may suspend, and ends with a value, a typed failure, or
/// cancellation.
///
/// A program is a value: you can store it, pass it on and compose it. Creating a program runs nothing. Each run
/// executes the whole program again.
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
/// Programs of any length run in constant stack space, and are deallocated in constant stack space. A synchronous step
/// costs about as much as allocating an object. A program that consists of one synchronous closure costs one call.
///
/// The type comes from the library Bow, where it is a reader over the type `IO`. Cancellation and `async` closures are
/// additions to Bow's type.
@frozen
public struct EnvIO<Environment, Failure: Error, Value> {
    /// The forms of a program. All except `node` run without a `Machine`.
    @usableFromInline
    enum Form {
        case pure(Value)
        case fail(Failure)
        /// A synchronous closure that nests at most `Limits.depth` closures.
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

// Unchecked: the closures are `@Sendable`, and a stored value was `Sendable` where it entered the description (`pure`,
// `fail`, `provide`). `Value` itself may be any type, because each run creates its own values.
extension EnvIO: @unchecked Sendable {}

/// The limits that decide how a run is divided into steps, cancellation checks and pauses.
@usableFromInline
enum Limits {
    /// The largest number of closures that operations such as `map` nest in one another before they create a node.
    /// Nested closures are faster than nodes, but use the thread's stack.
    @inlinable static var depth: UInt8 { 31 }

    /// The number of calls to a program's closures after which a run checks for cancellation.
    ///
    /// One step makes at most 63 calls: its own, and those of two programs of up to `depth` nested closures. So there
    /// are never more than 256 calls between two checks.
    static var callsBetweenChecks: UInt16 { 192 }

    /// The number of cancellation checks after which a run pauses, so that other tasks can run.
    ///
    /// Counting steps instead of measuring time keeps runs on a manual executor deterministic. If closures do nearly
    /// nothing, a pause takes about one percent of the time between two pauses.
    static var checksBetweenPauses: UInt8 { 64 }
}

// MARK: - Creating a program

extension EnvIO {
    /// Returns a program that succeeds with `value` and runs nothing.
    ///
    /// The description stores the value, so it must be `Sendable`.
    @inlinable
    public static func pure(_ value: Value) -> EnvIO where Value: Sendable {
        EnvIO(form: .pure(value))
    }

    /// Returns a program that fails with `failure`.
    @inlinable
    public static func fail(_ failure: Failure) -> EnvIO {
        EnvIO(form: .fail(failure))
    }

    /// Returns a program that fails with `failure`.
    ///
    /// This is Bow's name for ``fail(_:)``.
    @inlinable
    public static func raiseError(_ failure: Failure) -> EnvIO {
        fail(failure)
    }

    /// Creates a program that calls a synchronous closure.
    ///
    /// Each run calls `operation` on the thread that runs the program. An error that `operation` throws is the
    /// program's failure, with one exception: a `CancellationError` that it throws while the run is cancelled ends the
    /// run as cancelled. `try Task.checkCancellation()` throws such an error. In an uncancellable region and under
    /// ``runSync(_:)``, such an error is a failure.
    @inlinable
    public init(_ operation: @escaping @Sendable (Environment) throws(Failure) -> Value) {
        self.init(form: .sync(operation, depth: 1))
    }

    /// Creates a program that calls an `async` closure.
    ///
    /// Each run calls `operation` in the isolation that runs the program, as a `nonisolated(nonsending)` function.
    /// ``on(_:)-(DispatchQueue)`` and `continueOn` move it elsewhere.
    ///
    /// The closure has to respond to task cancellation by itself, as any `async` code does. A `CancellationError` that
    /// it throws while the run is cancelled ends the run as cancelled. Any other error is the program's failure.
    ///
    /// The environment should be `Sendable`. If it is not, the compiler rejects uses of it after the closure's first
    /// `await` that leaves the isolation.
    @inlinable
    public init(
        _ operation: nonisolated(nonsending) @escaping @Sendable (Environment) async throws(Failure) -> Value
    ) {
        self.init(waiting: { context, register in
            let environment = context.environment(as: Environment.self)
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

    /// Creates a program that calls `wait`, unless the run is cancelled when it reaches this program.
    @inlinable
    init(waiting wait: @escaping Machine.Wait) {
        self.init(form: .node(Node(waiting: wait)))
    }

    /// Returns a program that runs `source`, and then `step` if `accepted` contains the end of `source`. Without a
    /// source, the program is `step` alone.
    @inlinable
    @inline(__always)
    static func step(
        after source: Node? = nil, accepting accepted: Signal = .anyEnd, _ step: @escaping Node.Step
    ) -> EnvIO {
        EnvIO(form: .node(Node(source: source, accepting: accepted, step)))
    }

    /// Creates a program that succeeds or fails with the contents of `result`.
    @inlinable
    public init(_ result: Result<Value, Failure>) where Value: Sendable {
        switch result {
        case .success(let value): self = .pure(value)
        case .failure(let failure): self = .fail(failure)
        }
    }

    /// Returns a program that calls `build` in each run, and then runs the result.
    ///
    /// Use it for recursive programs, and for descriptions that are expensive to build.
    @inlinable
    public static func suspend(_ build: @escaping @Sendable () -> EnvIO) -> EnvIO {
        .step { machine in build().enter(&machine) }
    }
}

// MARK: - Entering a program

extension EnvIO {
    /// Starts this program as the continuation of the running node. The step of that node must return the signal that
    /// this method returns.
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
            machine.core.next = node
            return .jump
        }
    }

    /// This program as a node, which can be the source of other nodes.
    @inlinable
    var node: Node {
        if case .node(let node) = form { return node }
        let program = self
        return Node { machine in program.enter(&machine) }
    }
}
