/// The variables that one run of a `binding` has bound so far: an immutable list, the newest first.
///
/// It travels as a task-local value while that run's own code runs, so that two runs of one description never meet.
///
/// Unchecked: immutable, and the values in it are read by the run that bound them, which one thread uses at a time.
@usableFromInline
class Bindings: @unchecked Sendable {
    @TaskLocal
    static var current: Bindings?

    final let variable: ObjectIdentifier
    final let outer: Bindings?

    init(variable: ObjectIdentifier, outer: Bindings?) {
        self.variable = variable
        self.outer = outer
    }

    /// The newest value bound to `variable`, by the run that is going on here.
    static func value<Value>(of variable: ObjectIdentifier, as type: Value.Type) -> Value? {
        var bindings = current
        while let candidate = bindings {
            if candidate.variable == variable { return (candidate as? Binding<Value>)?.value }
            bindings = candidate.outer
        }
        return nil
    }

    /// One variable and its value.
    final class Binding<Value>: Bindings, @unchecked Sendable {
        let value: Value

        init(_ variable: ObjectIdentifier, _ value: Value, outer: Bindings?) {
            self.value = value
            super.init(variable: variable, outer: outer)
        }
    }
}
