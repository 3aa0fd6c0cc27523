public import FunctionalCore
import Synchronization

/// The work that one message has started, such as the actions of an input. The work can be cancelled, and callers can
/// wait for its end.
///
/// A work item is also the cancellation token of the program (`EnvIO`) that does the work: the program polls
/// `isCancelled`. The program may start before the work has a task. A task that is attached after the cancellation is
/// cancelled at once.
@usableFromInline
package final class WorkItem: CancellationToken, Sendable {
    private struct Fields {
        var onCancel: (@Sendable (WorkItem) -> Void)?
        var isFinished = false
        var waiters: [@Sendable () -> Void] = []
    }

    private let cancellation = Atomic<Bool>(false)
    private let fields = Locked(Fields())

    /// The recorder of the policy's decisions about the work, or `nil` if the owner has no trace or the policy makes no
    /// decisions.
    let submission: TracedSubmission?

    @usableFromInline
    package init() {
        submission = nil
    }

    init(_ submission: TracedSubmission?) {
        self.submission = submission
    }

    @usableFromInline
    package var isCancelled: Bool { cancellation.load(ordering: .acquiring) }

    /// Attaches the task that does the work, so that cancelling the work cancels the task. If the work is already
    /// cancelled, cancels the task at once.
    package func attach(_ task: Task<Void, Never>) {
        onCancel { _ in task.cancel() }
    }

    /// Registers `body` to be called when the work is cancelled, in place of the closure of an earlier call. If the
    /// work is already cancelled, calls `body` at once. If the work is finished, does not register `body`. `body` may
    /// be called more than once.
    package func onCancel(_ body: @escaping @Sendable (WorkItem) -> Void) {
        // The replaced closure is released outside of the lock.
        _ = fields.withLock { fields in
            let replaced = fields.onCancel
            fields.onCancel = fields.isFinished ? nil : body
            return replaced
        }
        if isCancelled { body(self) }
    }

    /// Cancels the work, unless it is finished. May be called from any thread. When this function returns, the closure
    /// of `onCancel` has been called, even if another thread is also cancelling.
    package func cancel() {
        let onCancel = fields.withLock { fields -> (@Sendable (WorkItem) -> Void)? in
            if fields.isFinished { return nil }
            cancellation.store(true, ordering: .releasing)
            return fields.onCancel
        }
        onCancel?(self)
    }

    /// Marks the work as finished, and calls the closures that were registered with `onFinish(_:)`.
    @usableFromInline
    package func finish() {
        // The closures are released outside of the lock.
        let released = fields.withLock { fields in
            let released = fields
            fields = Fields(isFinished: true)
            return released
        }
        for waiter in released.waiters { waiter() }
    }

    @usableFromInline
    package var isFinished: Bool { fields.withLock { $0.isFinished } }

    /// Registers `body` to be called when the work is finished. Calls `body` at once if the work is already finished.
    /// Closures of earlier calls stay registered.
    package func onFinish(_ body: @escaping @Sendable () -> Void) {
        let isFinished = fields.withLock { fields in
            if !fields.isFinished { fields.waiters.append(body) }
            return fields.isFinished
        }
        if isFinished { body() }
    }

    /// Makes `parts` the parts of this work. There must be at least one part. Cancelling this work cancels all parts.
    /// When the last part has finished, this work is cancelled if one of its parts was cancelled. Then `end` is called
    /// with this work, and must finish it.
    package func unite(_ parts: [WorkItem], _ end: @escaping @Sendable (WorkItem) -> Void) {
        onCancel { _ in for part in parts { part.cancel() } }
        let remaining = Locked(parts.count)
        for part in parts {
            part.onFinish { [self] in
                let isLast = remaining.withLock { count in
                    count -= 1
                    return count == 0
                }
                guard isLast else { return }
                if parts.contains(where: \.isCancelled) { cancel() }
                end(self)
            }
        }
    }

    /// Cancels and finishes this work, which never starts.
    @usableFromInline
    package func drop() {
        cancel()
        finish()
    }

    /// Waits until the work is finished.
    package func finished() async {
        await withCheckedContinuation { waiter in onFinish { waiter.resume() } }
    }
}
