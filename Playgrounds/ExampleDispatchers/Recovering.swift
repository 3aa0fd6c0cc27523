extension AsyncSequence {
    /// The same elements; where this sequence fails, a last one that says so.
    func recovering(_ last: @escaping @Sendable (any Error) -> Element) -> Recovering<Self> {
        Recovering(base: self, last: last)
    }
}

/// A sequence whose failure has become an element.
struct Recovering<Base: AsyncSequence>: AsyncSequence {
    let base: Base
    let last: @Sendable (any Error) -> Base.Element

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator?
        fileprivate let last: @Sendable (any Error) -> Base.Element

        mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Base.Element? {
            do {
                return try await base?.next(isolation: isolation)
            } catch {
                base = nil
                return last(error)
            }
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), last: last)
    }
}
