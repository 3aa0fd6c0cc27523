public import Synchronization

/// The flag that cancels an entry of a `CancellableList`, such as an observer, or the results of a policy's work items
/// that wait in a queue. The first cancellation calls a closure.
///
/// Unchecked: only the draining thread uses `place`.
@usableFromInline
package final class Cancellation: @unchecked Sendable {
    /// The index of the entry in its list. The list updates it.
    var place = 0
    @usableFromInline let flag = Atomic<Bool>(false)
    private let onCancel: @Sendable () -> Void

    @usableFromInline
    package init(_ onCancel: @escaping @Sendable () -> Void = {}) {
        self.onCancel = onCancel
    }

    @inlinable
    package var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Cancels the entry. May be called from any thread. Does not wait until calls of the entry have returned.
    ///
    /// After this function has returned, no thread decides to call the entry. A thread that has decided earlier may
    /// still make its call.
    @usableFromInline
    package func cancel() {
        if !flag.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }
}
