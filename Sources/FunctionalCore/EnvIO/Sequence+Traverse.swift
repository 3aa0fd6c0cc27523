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
        return .suspend { Walk(elements: elements, program: program).rest() }
    }
}
