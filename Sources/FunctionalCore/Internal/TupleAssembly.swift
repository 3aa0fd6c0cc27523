/// Makes a tuple of values whose types it knows.
///
/// A closure that captures a parameter pack crashes the 6.3 compiler; a type that carries one does not.
struct TupleAssembly<each Value>: Sendable {
    func assemble(_ values: [Any]) -> (repeat each Value) {
        var remaining = values[...]
        func next<One>(_: One.Type) -> One {
            guard let value = remaining.popFirst() as? One else {
                programmerError("A value of a zip is of another type.")
            }
            return value
        }
        return (repeat next((each Value).self))
    }
}
