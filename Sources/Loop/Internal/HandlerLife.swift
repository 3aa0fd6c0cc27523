public import Synchronization

/// Whether the connection of a handler goes on: what its callbacks ask.
///
/// Unchecked: there is one subclass, and it says why itself.
@usableFromInline
class HandlerLife: @unchecked Sendable {
    @usableFromInline let ending = Atomic<Bool>(false)

    @usableFromInline
    init() {}

    @inlinable
    final var hasEnded: Bool { ending.load(ordering: .acquiring) }

    /// Ends it; says whether it had not ended before.
    final func endLife() -> Bool {
        !ending.exchange(true, ordering: .acquiringAndReleasing)
    }
}
