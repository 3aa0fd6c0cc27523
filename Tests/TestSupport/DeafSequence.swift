/// A sequence of the values that a closure returns, until it returns `nil`. Unlike `AsyncStream`, it does not observe
/// cancellation.
public struct DeafSequence<Element: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let produce: @Sendable () async throws -> Element?

    public init(_ produce: @escaping @Sendable () async throws -> Element?) { self.produce = produce }

    public func makeAsyncIterator() -> Self { self }

    public func next() async throws -> Element? { try await produce() }
}
