import ArchitectureEngine
import Synchronization

/// The claim of a piece of work to the child that is in a place while the work waits. It is made at most once.
///
/// A claim is a place, too. After its child has ended, it finds no other child there.
final class Claim<S>: ChildPlace<S>, @unchecked Sendable {
    private let place: ChildPlace<S>
    /// Cancelled when the child ends.
    let work = Work()
    /// The works of the child when the claim was created, or `nil` if it was not made then.
    let works: WorkBag?
    private let progress: Atomic<Progress>

    private enum Progress: UInt8, AtomicRepresentable {
        /// Not made, or the wait is over. What is in the place may be worked for.
        case open
        case made
        /// The wait is over. The child is gone, or the child in the place has come meanwhile.
        case over
    }

    /// Creates a claim to the child with this work, or one that is not made yet.
    init(to place: ChildPlace<S>, _ works: WorkBag? = nil) {
        (self.place, self.works) = (place, works)
        progress = Atomic(works == nil ? .open : .made)
        works?.add(work)
    }

    override var keys: [ChildKey] { place.keys }
    override var openKeyCount: Int { place.openKeyCount }
    override var hasEnded: Bool {
        switch progress.load(ordering: .relaxed) {
        // If the place has ended, it finds nothing.
        case .open: false
        case .made: work.isCancelled
        case .over: true
        }
    }

    override func find(in whole: S) -> Presence<S>? { hasEnded ? nil : place.find(in: whole) }

    /// Whether the child has ended while the work waited.
    var isLost: Bool { work.isCancelled && progress.load(ordering: .relaxed) != .open }

    /// Makes the claim, if there is a child in the place now. Only the draining thread may call this.
    func make<Input>(on runtime: ComponentRuntime<S, Input>) {
        guard progress.load(ordering: .relaxed) == .open, let works = runtime.works(of: place) else { return }
        progress.store(.made, ordering: .relaxed)
        works.add(work)
    }

    /// Ends the wait. From now on, an action belongs to the child that is there in its turn, as without a wait. Only the
    /// draining thread may call this.
    func endWait<Input>(on runtime: ComponentRuntime<S, Input>) {
        let isMade = progress.load(ordering: .relaxed) == .made
        let isOver = isMade ? work.isCancelled : runtime.contains(place)
        progress.store(isOver ? .over : .open, ordering: .relaxed)
        work.end()
    }

    /// Cancels the work if the claim was not made.
    func cancelIfNotMade() {
        if progress.load(ordering: .relaxed) == .open { work.cancel() }
    }
}

extension PolicyScoped {
    /// Returns the workflow with a claim in place of each child, and appends the claims to `claims`.
    func claiming(_ claims: inout [Claim<S>]) -> PolicyScoped {
        guard let children else { return self }
        return PolicyScoped(
            policy: policy, origin: origin, key: key,
            emissions: emissions.map { emission in
                if case .scoped(let scoped) = emission { .scoped(scoped.claiming(&claims)) } else { emission }
            },
            children: children.map { child in
                guard let child else { return nil }
                let claim = Claim(to: child)
                claims.append(claim)
                return claim
            },
            cancelling: cancelling)
    }
}
