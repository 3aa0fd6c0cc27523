/// A variable of a `binding`: one step binds it with `<-`, and later steps read it with `get`.
///
/// Its value belongs to one run. If one description runs twice at once, each run binds and reads its own value.
public final class BoundVariable<Environment, Failure: Error, Value>: Sendable {
    init() {}

    /// The value that the running `binding` bound to this variable.
    ///
    /// You can read it in `yield` and in the steps after the step that bound it. The closures of these steps may read
    /// it, too, also after an `await` and in the tasks that they start, except for detached tasks. If `yield` creates a
    /// `State`, the closures of the `State` may read it as well. Anywhere else, reading it traps with a message. If a
    /// closure outlives the run, read the variable before you form the closure, and capture the result.
    ///
    /// A value that is not `Sendable` must stay within its run, which only one thread at a time executes. Do not read
    /// such a value in tasks that a step starts. If `yield` creates a `State` that reads such a value, do not run the
    /// `State` on several threads at once.
    ///
    /// - Complexity: O(n) in the number of variables that were bound after this variable, plus a task-local look-up.
    public var get: Value {
        guard let value = Bindings.value(of: ObjectIdentifier(self), as: Value.self) else {
            programmerError(
                """
                A bound variable of type \(Value.self) was read where it has no value: before the step that binds it, or \
                outside the run of its binding. To fix, bind it with <- in an earlier step, or read it inside the \
                binding and capture the result.
                """
            )
        }
        return value
    }
}

extension EnvIO {
    /// Returns a new variable for a value of type `Value`, to be bound in a `binding`.
    public static func `var`() -> BoundVariable<Environment, Failure, Value> {
        BoundVariable()
    }
}

/// The variables that one run of a `binding` has bound: an immutable list, the newest first.
///
/// The list is a task-local value while the code of the run executes, so two runs of one description do not share
/// variables.
@usableFromInline
final class Bindings: Sendable {
    @TaskLocal
    static var current: Bindings?

    private let variable: ObjectIdentifier
    /// Unchecked: the value belongs to the run that bound it, which one thread at a time uses.
    private let value: Unchecked<Any>
    private let outer: Bindings?

    init(_ variable: ObjectIdentifier, _ value: Any, outer: Bindings?) {
        self.variable = variable
        self.value = Unchecked(value)
        self.outer = outer
    }

    /// Returns the newest value that the current run bound to `variable`, or `nil` if the run has not bound it.
    static func value<Value>(of variable: ObjectIdentifier, as type: Value.Type) -> Value? {
        var bindings = current
        while let candidate = bindings {
            if candidate.variable == variable { return candidate.value.value as? Value }
            bindings = candidate.outer
        }
        return nil
    }
}
