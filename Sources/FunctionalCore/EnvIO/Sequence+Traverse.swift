extension Sequence where Element: Sendable {
    /// Returns a program that runs `program` for each element, one after the other.
    ///
    /// The program succeeds with the values, in the order of the elements.
    ///
    /// ```swift
    /// let saved = drafts.traverse { draft in save(draft) }
    /// ```
    ///
    /// This method iterates over the sequence once, immediately, so the sequence must be finite. The run calls
    /// `program` for an element when the program of the previous element has ended. If one program fails or ends as
    /// cancelled, the whole program ends in the same way, and the remaining ones do not start.
    ///
    /// No task is created: the programs are steps of the run. They use constant stack space, and each costs as much as
    /// a `flatMap`. To run several at once, use `parTraverse(limit:_:)`.
    @inlinable
    public func traverse<Environment, Failure, Value>(
        _ program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, [Value]> {
        let elements = Array(self)
        return .suspend { SequentialTraversal(elements: elements, program: program).rest() }
    }
}

/// The progress of one run of `traverse`.
///
/// Unchecked: it belongs to one run, which one thread at a time uses.
@usableFromInline
final class SequentialTraversal<Element: Sendable, Environment, Failure: Error, Value>: @unchecked Sendable {
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

    /// Returns a program that runs the programs of the elements without a value, and succeeds with all values.
    @inlinable
    func rest() -> EnvIO<Environment, Failure, [Value]> {
        guard values.count < elements.count else { return EnvIO { _ in self.values } }
        return program(elements[values.count]).flatMap { value in
            self.values.append(value)
            return self.rest()
        }
    }
}
