import ArchitectureEngine
import FunctionalCore
import Synchronization

/// The change of a call of `onCancel` for one input.
@usableFromInline
struct OnCancel<Environment, S>: Sendable {
    let group: CancelGroup
    /// An emission, so that it is widened as others are. It is always a change.
    let change: Emission<Environment, S>
}

/// The workflows of one input to which a call of `onCancel` applies. The change is made for the first that is cancelled.
///
/// Unchecked: only the draining thread uses it.
@usableFromInline
final class CancelGroup: @unchecked Sendable {
    private var isOver = false

    /// Returns whether the change must be made, because it was not made before.
    func takeChange() -> Bool {
        defer { isOver = true }
        return !isOver
    }
}

/// The changes for the case that the running actions of a workflow are cancelled.
@usableFromInline
final class Revocation<S>: Sendable {
    let changes: [(group: CancelGroup, change: State<S, Void>)]
    /// The claim to the child that the workflow belongs to, or `nil` if it belongs to none.
    private let claim: Claim<S>?
    private let progress = Atomic(Progress.waiting)

    private enum Progress: UInt8, AtomicRepresentable {
        case waiting
        /// The changes are in the list of those that are due.
        case due
        /// The last change was committed, or the workflow has failed or ended. Nothing is done any more.
        case concluded
        /// The changes were made. The workflow commits no further change.
        case revoked
    }

    /// Creates what is done for a workflow, or `nil` if `onCancel` was not called for it.
    init?<Environment>(of scoped: PolicyScoped<Environment, S>, for claim: Claim<S>?) {
        guard let cancelling = scoped.cancelling else { return nil }
        self.claim = claim
        changes = cancelling.compactMap { onCancel in
            if case .change(let change) = onCancel.change { (onCancel.group, change) } else { nil }
        }
    }

    var isRevoked: Bool { progress.load(ordering: .relaxed) == .revoked }

    /// Called when the last change is committed, or the workflow has failed or ended. Nothing is done any more.
    func conclude() {
        _ = advance(from: .waiting, to: .concluded) || advance(from: .due, to: .concluded)
        claim?.work.end()
    }

    /// Returns whether the changes are due now, and were not before.
    func becomeDue() -> Bool { advance(from: .waiting, to: .due) }

    /// Returns whether the due changes must be made: the workflow has not ended, and neither has its child.
    func revoke() -> Bool {
        let isLost = claim?.isLost == true
        claim?.work.end()
        return advance(from: .due, to: .revoked) && !isLost
    }

    /// Ends the claim to the child, unless the changes are due.
    func endClaim() {
        if progress.load(ordering: .relaxed) != .due { claim?.work.end() }
    }

    private func advance(from old: Progress, to new: Progress) -> Bool {
        progress.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
    }
}

/// The changes of `onCancel` that are due, and that no turn has made yet.
final class PendingChanges: Sendable {
    private let changes = Locked<[@Sendable () -> Void]>([])

    func append(_ change: @escaping @Sendable () -> Void) {
        changes.withLock { $0.append(change) }
    }

    func make() {
        for change in changes.withLock({ exchange(&$0, with: []) }) { change() }
    }
}

extension ComponentRuntime {
    /// Cancels a workflow by calling `cancel`, and makes its changes: at once in the turn of the work that replaces it,
    /// and otherwise in a turn of their own, or before newer work of a policy begins.
    ///
    /// - Parameter cause: The cause of the changes in a trace.
    func revoke(
        _ revocation: Revocation<S>, because reason: Work.CancelReason, causedBy cause: TraceCause?,
        _ cancel: () -> Void
    ) {
        guard revocation.becomeDue() else { return cancel() }
        let pending = lazyPendingChanges.load() ?? lazyPendingChanges.storeIfNil(PendingChanges())
        // Newer work may begin on the draining thread before this thread has cancelled the parts.
        pending.append { [self] in
            guard !isClosed, revocation.revoke() else { return }
            TraceCause.with(cause) {
                for (group, change) in revocation.changes where group.takeChange() { commit(change, from: nil) }
            }
        }
        hasPendingChanges.store(true, ordering: .releasing)
        cancel()
        if reason == .replaced, core.isDrainingHere {
            makePendingChanges()
        } else {
            perform { [self] in makePendingChanges() }
        }
    }

    /// Makes the changes that are due before newer work of a policy begins. Only the draining thread may call this.
    func makePendingChanges() {
        if !hasPendingChanges.load(ordering: .relaxed) { return }
        // A change that another thread appends later sets the flag again.
        hasPendingChanges.store(false, ordering: .sequentiallyConsistent)
        lazyPendingChanges.load()?.make()
    }

    private var isClosed: Bool { policies.withLock { $0 == nil } }
}

extension Emission {
    /// Returns the emission with a change for the case that its workflow, or one within it, is cancelled. An emission
    /// that is not a workflow stays as it is.
    func cancelling(_ onCancel: OnCancel<Environment, S>) -> Emission {
        guard case .scoped(let scoped) = self else { return self }
        return .scoped(
            PolicyScoped(
                policy: scoped.policy, origin: scoped.origin, key: scoped.key,
                emissions: scoped.emissions.map { $0.cancelling(onCancel) }, children: scoped.children,
                cancelling: (scoped.cancelling ?? []) + [onCancel]))
    }
}
