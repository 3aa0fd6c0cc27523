public import ArchitectureEngine

/// A handle for the work of one input, to wait for that work or to cancel it.
///
/// ```swift
/// let loading = component.send(.load)
/// await loading.finish()  // or loading.cancel(), or loading.waitUntilFinished()
/// ```
public struct SendTask: Sendable {
    // The work item of the input, or `nil` if all its actions had ended when `send` returned.
    @usableFromInline
    package let work: Work?

    @inlinable
    @inline(__always)
    init(_ work: Work?) {
        self.work = work
    }

    /// Waits until every action of the input has ended, and cancels the work if the calling task is cancelled.
    ///
    /// So the work ends with the task that awaits it, such as that of a view:
    ///
    /// ```swift
    /// .task { await component.send(.load).finish() }
    /// ```
    ///
    /// If the calling task is cancelled, this calls ``cancel()``, and returns when the cancelled work has ended. In a
    /// task that is cancelled already, it cancels the work at once. If another task awaits the same handle, the work is
    /// cancelled for that task, too. To wait without cancelling, call ``waitUntilFinished()``.
    ///
    /// The idea comes from `StoreTask.finish()` of the Composable Architecture.
    public func finish() async {
        guard let work else { return }
        await withTaskCancellationHandler {
            await work.finished()
        } onCancel: {
            work.cancel()
        }
    }

    /// Waits until every action of the input has ended: with a change, a failure or a cancellation.
    ///
    /// An action that ``StateDispatcher/stream(_:)`` makes ends when its sequence ends. Observers without isolation
    /// have then been called. Observers on an actor may still be pending. To wait for them, await
    /// ``Component/settledIncludingObservers()``. Cancelling the calling task neither ends the wait nor cancels the
    /// work.
    public func waitUntilFinished() async {
        await work?.finished()
    }

    /// A Boolean value that indicates whether some of the input's work was cancelled.
    ///
    /// Work is cancelled by ``cancel()``, by a policy in favor of another input, or when its child or the component ends;
    /// see <doc:Lifetimes>.
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
