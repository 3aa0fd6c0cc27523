/// An iterator that closures can share.
///
/// Unchecked: only one run calls the iterator, and a run is on one thread at a time.
@usableFromInline
final class Iteration<Base: AsyncIteratorProtocol & SendableMetatype>: @unchecked Sendable {
    @usableFromInline
    var base: Base

    @inlinable
    init(_ base: Base) {
        self.base = base
    }

    @inlinable
    nonisolated(nonsending) func next() async throws -> Base.Element? {
        try await base.next(isolation: #isolation)
    }
}
