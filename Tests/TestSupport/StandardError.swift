public import Testing

extension ExitTest.Result {
    /// The standard error of the process, as text. The exit test must observe `\.standardErrorContent`.
    public var standardErrorText: String { String(decoding: standardErrorContent, as: UTF8.self) }

    /// Expects that the process has written each of the texts to its standard error.
    ///
    /// ```swift
    /// await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
    ///     _ = Schedule<Int>.recurs(-1)
    /// }?.expectError("a count must not be negative")
    /// ```
    public func expectError(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        for text in texts { #expect(standardErrorText.contains(text), sourceLocation: sourceLocation) }
    }
}
