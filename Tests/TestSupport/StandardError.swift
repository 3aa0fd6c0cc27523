public import Testing

extension ExitTest.Result {
    /// The standard error of the process, as text. The exit test must observe `\.standardErrorContent`.
    public var standardErrorText: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
