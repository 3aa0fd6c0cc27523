public import ArchitectureEngine

/// A handle for the work of one input, to wait for that work or to cancel it.
///
/// ```swift
/// let loading = component.send(.load)
/// await loading.finish()  // or loading.cancel()
/// ```
public struct SendTask: Sendable {
    // The work item of the input, or `nil` if all its actions had ended when `send` returned.
    @usableFromInline
    package let work: WorkItem?

    @inlinable
    @inline(__always)
    init(_ work: WorkItem?) {
        self.work = work
    }

    /// Waits until every action of the input has ended: with a change, a failure or a cancellation.
    ///
    /// An action that ``StateDispatcher/stream(_:)`` makes ends when its sequence ends.
    ///
    /// Observers without isolation have then been called. Observers on an actor may still be pending. To wait for them,
    /// await ``Component/settledIncludingObservers()``. Cancelling the calling task does not end the wait.
    public func finish() async {
        await work?.finished()
    }

    /// A Boolean value that indicates whether some of the input's work was cancelled.
    ///
    /// Work is cancelled by ``cancel()``, by a policy in favor of another input, or when the component is deallocated.
    /// An input that is dropped counts as cancelled. It is dropped as a ``RunawayInput``, if the clock of a policy fails
    /// while the input waits, or if the part of its scope is absent. After ``finish()`` has returned, the value does not
    /// change.
    public var isCancelled: Bool {
        work?.isCancelled ?? false
    }

    /// Cancels all work of the input that is running or waiting.
    ///
    /// The tasks of that work are cancelled, and their late results are dropped. Actions that have not begun do not
    /// run. Changes that were committed stay. Work of other inputs is not affected. After all work has ended, this does
    /// nothing.
    ///
    /// May be called from any thread. It does not wait until cancelled tasks have ended.
    public func cancel() {
        work?.cancel()
    }
}
