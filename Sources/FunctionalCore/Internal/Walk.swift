/// How far one run has come through the elements of a `traverse`.
///
/// Unchecked: it is of one run, which is used by one thread at a time.
@usableFromInline
final class Walk<Element: Sendable, Environment, Failure: Error, Value>: @unchecked Sendable {
    @usableFromInline
    let elements: [Element]
    @usableFromInline
    let program: @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    @usableFromInline
    var values: [Value] = []

    @inlinable
    init(elements: [Element], program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>) {
        self.elements = elements
        self.program = program
        values.reserveCapacity(elements.count)
    }

    @inlinable
    deinit {}

    /// The programs of the elements that have no value yet, and then all values.
    @inlinable
    func rest() -> EnvIO<Environment, Failure, [Value]> {
        guard values.count < elements.count else { return EnvIO { _ in self.values } }
        return program(elements[values.count]).flatMap { value in
            self.values.append(value)
            return self.rest()
        }
    }
}
