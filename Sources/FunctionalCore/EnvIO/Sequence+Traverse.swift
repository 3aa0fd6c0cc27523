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
}
