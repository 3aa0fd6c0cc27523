/// A variable of a `binding`: bound by `<-` to the value of one step, read by `get` in the steps after it.
///
/// Its value belongs to a run. One description that runs twice at once binds it twice, and each run reads its own.
public final class BoundVariable<Environment, Failure: Error, Value>: Sendable {
    init() {}

    /// The value that the running `binding` bound to this variable.
    ///
    /// Readable in the steps after the one that bound it and in `yield`, also in their closures and after an `await` in
    /// them. Elsewhere there is no value, and reading stops the process with a message: where a closure outlives the
    /// run, read the variable before forming it. A value that is not `Sendable` belongs to the run, which one thread
    /// uses at a time: do not read it in tasks that a step starts, nor in a `State` that is run by several at once.
    /// Costs a task-local look-up and a walk over the variables bound since.
    public var get: Value {
        guard let value = Bindings.value(of: ObjectIdentifier(self), as: Value.self) else {
            fault(
                """
                A bound variable of type \(Value.self) was read where it has no value: before the step that binds it, or \
                outside of the run of its binding. To fix, bind it with <- in an earlier step, or read it inside the \
                binding and capture what was read.
                """
            )
        }
        return value
    }
}

extension EnvIO {
    /// A variable for a value of this type, to be bound in a `binding`.
    public static func `var`() -> BoundVariable<Environment, Failure, Value> {
        BoundVariable()
    }
}
