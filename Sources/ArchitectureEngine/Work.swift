public import FunctionalCore
import Synchronization

/// A piece of work that a message has started: the actions of an input, the handling of an effect, or a request of a
/// stream. The work can be cancelled, and callers can wait for its end. An instance is called a work item.
///
/// It is also the cancellation token of the program (`EnvIO`) that does the work. The program may start before the work
/// has a task.
///
/// If the work is finite, `Settling` counts it from the call of `activate(in:)` until it ends or is deallocated, except
/// while it is paused.
@usableFromInline
package final class Work: CancellationToken, Sendable {
    private struct Fields {
        var onCancel: (@Sendable (Work) -> Void)?
        var isFinished = false
        var waiters: [Waiter] = []
        var context: SendContext?
        /// The counter of the owner's finite work, or `nil` if the work has not been counted.
        var settling: Settling?
    }

    /// A closure that is called when the work is finished, or when it is cancelled, whichever comes first.
    private struct Waiter {
        let isForCancel: Bool
        let body: @Sendable () -> Void
    }

    private let fields = Locked(Fields())
    /// The work that this work becomes a part of, or `nil`. Its cancellation is seen at once, before `unite` makes it
    /// cancel this work.
    private let enclosing: Work?
    /// The recorder of the policy's decisions about the work, or `nil` if the owner has no trace or the policy makes no
    /// decisions.
    let submission: TracedSubmission?
    private let cancellation = Atomic<Bool>(false)
    private let reason = Atomic(CancelReason.request)
    private let phase = Atomic<UInt8>(Settling.Phase.uncounted)

    @usableFromInline
    package init() {
        (submission, enclosing) = (nil, nil)
    }

    package init(_ submission: TracedSubmission?, within enclosing: Work? = nil) {
        (self.submission, self.enclosing) = (submission, enclosing)
    }

    deinit { if phase.load(ordering: .relaxed) != Settling.Phase.ended { settleAtEnd() } }

    // MARK: - Cancelling

    @usableFromInline
    package var isCancelled: Bool { isCancelledItself || enclosing?.isCancelled == true }

    /// Whether the work was cancelled itself, and not only the work that it is a part of.
    package var isCancelledItself: Bool { cancellation.load(ordering: .acquiring) }

    /// Registers `body` to be called when the work itself is cancelled, in place of the closure of an earlier call. If
    /// that has happened already, calls `body` at once. If the work is finished, does not register `body`. `body` may
    /// be called more than once.
    package func onCancel(_ body: @escaping @Sendable (Work) -> Void) {
        // The replaced closure is released outside of the lock.
        _ = fields.withLock { fields in
            let replaced = fields.onCancel
            fields.onCancel = fields.isFinished ? nil : body
            return replaced
        }
        if isCancelledItself { body(self) }
    }

    /// The cause of a cancellation.
    package enum CancelReason: UInt8, Sendable, AtomicRepresentable {
        /// Its handle, or other code, has cancelled it.
        case request
        /// A policy starts newer work in its place, in the turn of that work.
        case replaced
        /// Its owner is gone: a component, or a child of one.
        case abandoned
    }

    /// Cancels the work, unless it is finished. May be called from any thread. When this function returns, the closure
    /// of `onCancel` has been called, even if another thread is also cancelling.
    package func cancel(_ reason: CancelReason = .request) {
        var waiters: [Waiter] = []
        let onCancel = fields.withLock { fields -> (@Sendable (Work) -> Void)? in
            if fields.isFinished { return nil }
            if !cancellation.load(ordering: .relaxed) { self.reason.store(reason, ordering: .relaxed) }
            cancellation.store(true, ordering: .releasing)
            if !fields.waiters.isEmpty {
                waiters = fields.waiters.filter(\.isForCancel)
                fields.waiters.removeAll(where: \.isForCancel)
            }
            return fields.onCancel
        }
        onCancel?(self)
        for waiter in waiters { waiter.body() }
    }

    /// The reason of the first cancellation, if the work, or the work that it is a part of, is cancelled.
    package var cancelReason: CancelReason {
        if let enclosing, !isCancelledItself { return enclosing.cancelReason }
        return reason.load(ordering: .relaxed)
    }

    /// Registers `body` to be called when the work is cancelled or finished. Calls `body` at once if it is.
    package func onEnd(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = fields.withLock { fields in
            let hasEnded = fields.isFinished || cancellation.load(ordering: .relaxed)
            if !hasEnded { fields.waiters.append(Waiter(isForCancel: true, body: body)) }
            return hasEnded
        }
        if hasEnded { body() }
    }

    // MARK: - Running

    /// The context of the message that the work belongs to. It is set if the work starts after that message has been
    /// processed, and otherwise `nil`.
    package var context: SendContext? {
        get { fields.withLock { $0.context } }
        set { fields.withLock { $0.context = newValue } }
    }

    /// Starts a task that does the work; see `SendContext.startTask`. Cancelling the work cancels the task, at once if
    /// the work is already cancelled.
    ///
    /// - Parameter current: The context of the message that the work belongs to. A work that starts late starts in it.
    package func startTask(
        in current: @autoclosure () -> SendContext, on executor: (any TaskExecutor)?,
        _ body: @escaping @Sendable () async -> Void
    ) {
        let attach: @Sendable (Task<Void, Never>) -> Void = { [self] task in onCancel { _ in task.cancel() } }
        current().startTask(on: executor, attach: attach) { [self] in
            // The task may begin before it is attached.
            if isCancelled { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
            await body()
        }
    }

    /// Begins to count the work in `settling`. Does nothing if it is counted already or has ended.
    package func activate(in settling: Settling) {
        let released = fields.withLock { fields in
            defer { fields.settling = settling }
            return fields.settling
        }
        withExtendedLifetime(released) { settling.exchange(phase, for: Settling.Phase.active) }
    }

    /// Stops counting the work until `activate(in:)` is called. Used while the work waits for a stream that may never
    /// end.
    package func pause() {
        if phase.load(ordering: .relaxed) == Settling.Phase.active { settle(Settling.Phase.paused) }
    }

    private func settleAtEnd() {
        let (uncounted, ended) = (Settling.Phase.uncounted, Settling.Phase.ended)
        // Most work ends without having been counted.
        if !phase.compareExchange(expected: uncounted, desired: ended, ordering: .relaxed).exchanged { settle(ended) }
    }

    private func settle(_ phase: UInt8) {
        fields.withLock { $0.settling }?.exchange(self.phase, for: phase)
    }

    // MARK: - Ending

    /// Ends the work, whether it succeeded, failed or was cancelled.
    ///
    /// In this order: `traced` ends as cancelled, unless it has ended; the callers that wait are resumed, and the policy
    /// starts the next work; this work is no longer counted. So callers of `settled()` also wait for the next work.
    ///
    /// - Parameters:
    ///   - traced: The work in a trace, or `nil` if the trace does not contain it.
    ///   - queue: The queue of the policy that has started the work, or `nil` if no policy has.
    @usableFromInline
    package func end(_ traced: TracedWork? = nil, in queue: PolicyQueue? = nil) {
        traced?.cancel()
        if let queue { queue.finish(self) } else { finish() }
        settleAtEnd()
    }

    /// Cancels and ends this work, which never starts.
    @usableFromInline
    package func drop() {
        cancel()
        end()
    }

    /// Marks the work as finished, and calls the closures that were registered with `onFinish(_:)`.
    func finish() {
        // The closures and the context are released outside of the lock.
        let released: Fields? = fields.withLock { fields in
            fields.isFinished = true
            // Most work has neither closures nor a context.
            if fields.onCancel == nil, fields.waiters.isEmpty, fields.context == nil { return nil }
            defer { (fields.onCancel, fields.waiters, fields.context) = (nil, [], nil) }
            return fields
        }
        for waiter in released?.waiters ?? [] { waiter.body() }
    }

    @usableFromInline
    package var isFinished: Bool { fields.withLock { $0.isFinished } }

    /// Registers `body` to be called when the work is finished. Calls `body` at once if the work is already finished.
    /// Closures of earlier calls stay registered.
    package func onFinish(_ body: @escaping @Sendable () -> Void) {
        let isFinished = fields.withLock { fields in
            if !fields.isFinished { fields.waiters.append(Waiter(isForCancel: false, body: body)) }
            return fields.isFinished
        }
        if isFinished { body() }
    }

    /// Makes `parts` the parts of this work. There must be at least one part. Cancelling this work cancels all parts.
    /// When the last part has finished, this work is cancelled if one of its parts was cancelled. Then it ends; see
    /// `end(in:)`. `cancelling` is called in place of the function that cancels the parts, and must call it.
    package func unite(
        _ parts: [Work], in queue: PolicyQueue? = nil,
        _ cancelling: @escaping @Sendable (Work.CancelReason, _ cancelParts: () -> Void) -> Void = { $1() }
    ) {
        onCancel { whole in
            let reason = whole.cancelReason
            cancelling(reason) { for part in parts { part.cancel(reason) } }
        }
        end(with: parts, in: queue)
        let isLast = Self.countdown(parts.count)
        for part in parts {
            part.onFinish { [self] in
                guard isLast() else { return }
                if parts.contains(where: \.isCancelled) { cancel() }
                end(in: queue)
            }
        }
    }

    /// Cancels this work when nothing of `parts` runs any more because their owners are gone, and makes its place in
    /// `queue` free, although cancelled parts may still unwind.
    package func end(with parts: [Work], in queue: PolicyQueue?) {
        let isLast = Self.countdown(parts.count)
        for part in parts {
            part.onEnd { [self] in
                let cancelled = isLast() ? parts.filter(\.isCancelled) : []
                if cancelled.isEmpty || cancelled.contains(where: { $0.cancelReason != .abandoned }) { return }
                cancel(.abandoned)
                queue?.release(self)
            }
        }
    }

    /// Returns a function whose call with this number returns `true`, and earlier calls return `false`.
    private static func countdown(_ count: Int) -> @Sendable () -> Bool {
        let remaining = Locked(count)
        return {
            remaining.withLock { count in
                count -= 1
                return count == 0
            }
        }
    }

    /// Waits until the work is finished.
    package func finished() async {
        await withCheckedContinuation { waiter in onFinish { waiter.resume() } }
    }
}
