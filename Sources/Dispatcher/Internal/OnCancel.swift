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

/// What is done when the running steps of a workflow are cancelled.
@usableFromInline
final class Revocation<S>: Sendable {
    let changes: [(group: CancelGroup, change: State<S, Void>)]
    /// The works of the child that the workflow belongs to, or `nil` if it belongs to none.
    private let owner: WorkBag?
    private let isConcluded = Atomic(false)

    /// Creates what is done for a workflow, or `nil` if `onCancel` was not called for it.
    init?<Environment>(of scoped: PolicyScoped<Environment, S>, _ owner: WorkBag?) {
        guard let cancelling = scoped.cancelling else { return nil }
        changes = cancelling.compactMap { onCancel in
            if case .change(let change) = onCancel.change { (onCancel.group, change) } else { nil }
        }
        self.owner = owner
    }

    /// Whether nothing is done any more, because the workflow or its child has ended.
    var isOver: Bool { isConcluded.load(ordering: .relaxed) || owner?.isClosed == true }

    /// Called when the last change was committed, or the workflow has failed or ended.
    func conclude() {
        isConcluded.store(true, ordering: .relaxed)
    }
}

extension ComponentRuntime {
    /// Makes the changes for a workflow that is cancelled: at once if a policy cancels it, and otherwise in turn.
    ///
    /// - Parameter cause: The cause of the changes in a trace.
    func revoke(_ revocation: Revocation<S>, causedBy cause: TraceCause?) {
        let makeChanges = { [self] in
            if isClosed || revocation.isOver { return }
            TraceCause.with(cause) {
                for (group, change) in revocation.changes where group.takeChange() { commit(change, from: nil) }
            }
        }
        // A policy cancels work in the turn of the newer work. An observer or a transition is called within a change.
        if core.isDrainingHere, core.confined.sender == nil, !core.isChangingHere {
            makeChanges()
        } else {
            perform(makeChanges)
        }
    }

    private var isClosed: Bool { policies.withLock { $0 == nil } }
}

extension Emission {
    /// Returns the emission with a change for the case that its workflow, or one within it, is cancelled. An emission
    /// that is no workflow stays as it is.
    func cancelling(_ onCancel: OnCancel<Environment, S>) -> Emission {
        guard case .scoped(let scoped) = self else { return self }
        return .scoped(
            PolicyScoped(
                policy: scoped.policy, origin: scoped.origin, key: scoped.key,
                emissions: scoped.emissions.map { $0.cancelling(onCancel) }, children: scoped.children,
                cancelling: (scoped.cancelling ?? []) + [onCancel]))
    }
}
