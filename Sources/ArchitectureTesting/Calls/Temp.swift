public import Testing
public final class Recorder: Sendable {
    public init() {}
    var unexpected: [(String, Int?)] { [] }
    func takeUnstubbed() -> [(String, Int?)] { [] }
    public func expectCall<each Argument: Equatable & Sendable>(_ name: String, _ arguments: repeat each Argument, sourceLocation: SourceLocation) {}
}
