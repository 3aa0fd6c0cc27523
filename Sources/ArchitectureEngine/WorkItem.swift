public import FunctionalCore
import Synchronization

/// What one message started and what may still be going on: a task that can be cancelled, and waited for.
///
/// It is what stops the run, too, which exists before the task does: whoever attaches the task looks again whether to
/// stop.
///
/// Unchecked: what is not atomic is touched under a lock. There may be very many works, each locked once or twice, so
/// they share a few locks.
@usableFromInline
package final class WorkItem: CancellationToken, @unchecked Sendable {
    private let isStopped = Atomic<Bool>(false)
    private var cancellation: (@Sendable (WorkItem) -> Void)?
    private var isDone = false
    private var waiters: [@Sendable () -> Void] = []

    private let lock = Locked()

    @usableFromInline
    package init() {}

    @usableFromInline
    package var isCancelled: Bool { isStopped.load(ordering: .acquiring) }

    /// Hands the task over that does the work. A cancellation that came before it reaches it all the same.
    package func attach(_ task: Task<Void, Never>) {
        onCancel { _ in task.cancel() }
    }

    /// Has `body` called by whoever cancels the work, in place of what was called before; at once if it is cancelled
    /// already. It may be called twice.
    package func onCancel(_ body: @escaping @Sendable (WorkItem) -> Void) {
        // What the replaced one holds is let go of outside of the lock.
        _ = lock.withLock {
            defer { cancellation = isDone ? nil : body }
            return cancellation
        }
        if isCancelled { body(self) }
    }

    /// Asks the work to stop, unless it is done. Any thread; returns at once, and then whoever is to be told has been:
    /// also where another thread has asked, and is still telling.
    package func cancel() {
        let tell: (@Sendable (WorkItem) -> Void)? = lock.withLock {
            if isDone { return nil }
            isStopped.store(true, ordering: .releasing)
            return cancellation
        }
        tell?(self)
    }

    /// The work is done; who waits for it goes on.
    @usableFromInline
    package func finish() {
        // What the cancellation holds is let go of outside of the lock.
        let (released, _) = lock.withLock {
            isDone = true
            defer { (waiters, cancellation) = ([], nil) }
            return (waiters, cancellation)
        }
        for waiter in released { waiter() }
    }

    /// Whether the work is done.
    @usableFromInline
    package var isFinished: Bool { lock.withLock { isDone } }

    /// Has `body` called by whoever finishes the work, at once if it is done already.
    package func onFinish(_ body: @escaping @Sendable () -> Void) {
        let isDone = lock.withLock {
            if !self.isDone { waiters.append(body) }
            return self.isDone
        }
        if isDone { body() }
    }

    /// Makes this the work of `parts`: to cancel it is to cancel them. When the last is done, `end` is called with
    /// this, which is to finish it; it is cancelled by then if one of them was.
    package func unite(_ parts: [WorkItem], _ end: @escaping @Sendable (WorkItem) -> Void) {
        onCancel { _ in for part in parts { part.cancel() } }
        let remaining = Remaining(parts.count)
        for part in parts {
            part.onFinish { [self] in
                guard remaining.takeOne() else { return }
                if parts.contains(where: \.isCancelled) { cancel() }
                end(self)
            }
        }
    }

    /// Cancels and finishes work that will not be done.
    @usableFromInline
    package func drop() {
        cancel()
        finish()
    }

    /// Waits until the work is done.
    package func finished() async {
        await withCheckedContinuation { waiter in onFinish { waiter.resume() } }
    }
}

/// How many are still to come.
private final class Remaining: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) {
        self.count = Atomic(count)
    }

    /// One has come; says whether it was the last.
    func takeOne() -> Bool {
        count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}

/// The tasks of an owner, which cancels them when it ends.
@usableFromInline
package final class TaskBag: Sendable {
    // `nil` once the bag is closed.
    private let items = Locked<[ObjectIdentifier: WorkItem]?>([:])

    @usableFromInline
    package init() {}

    /// Begins a task that does `work`. The task is cancelled if the bag is closed.
    package func begin(
        _ work: WorkItem, on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void
    ) {
        let isOpen = items.withLock { items in
            items?[ObjectIdentifier(work)] = work
            return items != nil
        }
        if !isOpen { work.cancel() }
        work.attach(
            Task(executorPreference: executor) { [self] in
                await body()
                _ = items.withLock { $0?.removeValue(forKey: ObjectIdentifier(work)) }
            })
    }

    package var isEmpty: Bool { items.withLock { $0?.isEmpty ?? true } }

    /// Cancels all tasks, and those that begin later.
    package func close() {
        let cancelled = items.withLock { items in
            defer { items = nil }
            return items
        }
        for work in (cancelled ?? [:]).values { work.cancel() }
    }
}
