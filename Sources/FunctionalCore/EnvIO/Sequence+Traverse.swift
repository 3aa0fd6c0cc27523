extension Sequence where Element: Sendable {
    /// The programs that `program` makes of the elements, one after the other, and their values in the order of the
    /// elements.
    ///
    /// ```swift
    /// let saved = drafts.traverse { draft in save(draft) }
    /// ```
    ///
    /// The sequence is walked here, once, and must end; `program` is called by the run, when the program of the element
    /// before has ended. The first that fails, or ends as cancelled, ends the whole so, and the rest does not begin.
    ///
    /// It is as a chain of `flatMap`: no task is made, each program runs where the run is, in constant stack, and costs
    /// what a `flatMap` costs. For several at once there is `parTraverse(limit:_:)`.
    @inlinable
    public func traverse<Environment, Failure, Value>(
        _ program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, [Value]> {
        let elements = Array(self)
        return .suspend { Walk(elements: elements, program: program).rest() }
    }

    /// The programs themselves, one after the other, and their values in the order of the programs. See `traverse`.
    @inlinable
    public func sequence<Environment, Failure, Value>() -> EnvIO<Environment, Failure, [Value]>
    where Element == EnvIO<Environment, Failure, Value> {
        traverse { $0 }
    }
}

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
