import Synchronization

/// A value that is given once, from any thread, and waited for once.
///
/// Unchecked: who gives the value writes it before `progress` says so, and who waits writes the continuation before
/// `progress` says so; whichever of the two comes second reads what the other has written.
@usableFromInline
final class Answer<Value: Sendable>: @unchecked Sendable {
    private static var isAwaited: UInt8 { 1 }
    private static var isGiven: UInt8 { 2 }

    private let isClaimed = Atomic(false)
    private let progress = Atomic<UInt8>(0)
    private var value: Value?
    private var continuation: CheckedContinuation<Value, Never>?

    @usableFromInline
    init() {}

    /// The first value counts; others are ignored.
    @usableFromInline
    func give(_ value: Value) {
        guard !isClaimed.exchange(true, ordering: .relaxed) else { return }
        self.value = value
        if progress.exchange(Self.isGiven, ordering: .acquiringAndReleasing) == Self.isAwaited { resume() }
    }

    /// Waits for the value, and is called once.
    @usableFromInline
    nonisolated(nonsending) func wait() async -> Value {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            if progress.exchange(Self.isAwaited, ordering: .acquiringAndReleasing) == Self.isGiven { resume() }
        }
    }

    private func resume() {
        guard let value = value.take(), let continuation = continuation.take() else {
            fault("An answer was given that nobody has waited for.")
        }
        continuation.resume(returning: value)
    }
}
