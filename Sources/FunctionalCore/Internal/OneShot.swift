import Synchronization

/// A value that is written once, from any thread, and awaited at most once.
///
/// Unchecked: the first caller of `complete` writes `value` before it sets `progress`, and the waiting task writes
/// `continuation` before it sets `progress`. The second of the two threads to set `progress` reads both.
@usableFromInline
package final class OneShot<Value: Sendable>: @unchecked Sendable {
    @usableFromInline
    enum Progress {
        @inlinable static var isAwaited: UInt8 { 1 }
        @inlinable static var isComplete: UInt8 { 2 }
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
    package init() {}

    // Inlinable, so that it is specialized together with the other methods.
    @inlinable
    deinit {}

    /// Writes the value. If a value has already been written, the call changes nothing.
    @inlinable
    package func complete(_ value: Value) {
        guard !isClaimed.exchange(true, ordering: .relaxed) else { return }
        self.value = value
        if progress.exchange(Progress.isComplete, ordering: .acquiringAndReleasing) == Progress.isAwaited { resume() }
    }

    /// The value, or `nil` if it has not been written. Must not be used together with `wait()`, which takes the value.
    @inlinable
    package var current: Value? {
        progress.load(ordering: .acquiring) == Progress.isComplete ? value : nil
    }

    /// Suspends until the value has been written. May be called once.
    @inlinable
    package nonisolated(nonsending) func wait() async -> Value {
        await withCheckedContinuation { continuation in
            self.continuation = continuation
            if progress.exchange(Progress.isAwaited, ordering: .acquiringAndReleasing) == Progress.isComplete {
                resume()
            }
        }
    }

    @inlinable
    func resume() {
        guard let value = value.take(), let continuation = continuation.take() else {
            programmerError("Internal error: a OneShot was resumed without a value or without a waiting task.")
        }
        continuation.resume(returning: value)
    }
}
