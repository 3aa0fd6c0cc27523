/// Makes a tuple of values whose types it knows.
///
/// A closure that captures a parameter pack crashes the 6.3 compiler; a type that carries one does not.
struct TupleAssembly<First, each Rest>: Sendable {
    func assemble(_ values: [Any]) -> (First, repeat each Rest) {
        var remaining = values[...]
        func next<Value>(_: Value.Type) -> Value {
            guard let value = remaining.popFirst() as? Value else { fault("A value of a zip is of another type.") }
            return value
        }
        return (next(First.self), repeat next((each Rest).self))
    }
}
