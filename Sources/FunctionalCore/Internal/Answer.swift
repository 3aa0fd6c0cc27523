import Synchronization

/// A value that is given once, from any thread, and waited for once.
///
/// Unchecked: who gives the value writes it before `progress` says so, and who waits writes the continuation before
/// `progress` says so; whichever of the two comes second reads what the other has written.
@usableFromInline
final class Answer<Value: Sendable>: @unchecked Sendable {
    @usableFromInline
    enum Progress {
        @inlinable static var isAwaited: UInt8 { 1 }
        @inlinable static var isGiven: UInt8 { 2 }
    }

    @usableFromInline
    let isClaimed = Atomic(false)
    @usableFromInline
    let progress = Atomic<UInt8>(0)
    @usableFromInline
    var value: Value?
    @usableFromInline
    var continuation: CheckedContinuation<Value, Never>?

    @inlinable
    init() {}

    @inlinable
    deinit {}

    /// The first value counts; others are ignored.
    @inlinable
    func give(_ value: Value) {
        guard !isClaimed.exchange(true, ordering: .relaxed) else { return }
        self.value = value
        if progress.exchange(Progress.isGiven, ordering: .acquiringAndReleasing) == Progress.isAwaited { resume() }
    }

    /// Waits for the value, and is called once.
    @inlinable
    nonisolated(nonsending) func wait() async -> Value {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            if progress.exchange(Progress.isAwaited, ordering: .acquiringAndReleasing) == Progress.isGiven { resume() }
        }
    }

    @inlinable
    func resume() {
        guard let value = value.take(), let continuation = continuation.take() else {
            programmerError("An answer was given that nobody has waited for.")
        }
        continuation.resume(returning: value)
    }
}
