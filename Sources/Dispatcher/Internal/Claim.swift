import ArchitectureEngine
import Synchronization

/// The claim of a piece of work to the child that is in a place at one moment. It is made at most once.
///
/// A claim is a place, too: that of this child alone. After the child has ended, it finds no other child there.
final class Claim<S>: ChildPlace<S>, @unchecked Sendable {
    private let place: ChildPlace<S>
    /// Cancelled when the child ends.
    let work = Work()
    /// The works of the child when the claim was created, or `nil` if it was not made then.
    let works: WorkBag?
    private let isMade: Atomic<Bool>

    /// Creates a claim to the child that has these works, or one that is not made yet.
    init(to place: ChildPlace<S>, _ works: WorkBag? = nil) {
        (self.place, self.works) = (place, works)
        isMade = Atomic(works != nil)
        works?.add(work)
    }

    override var keys: [ChildKey] { place.keys }
    override var openKeyCount: Int { place.openKeyCount }
    override var hasEnded: Bool { work.isCancelled }

    override func find(in whole: S) -> Presence<S>? { hasEnded ? nil : place.find(in: whole) }

    /// Makes the claim, if there is a child in the place now. Only the draining thread may call this.
    func make<Input>(on runtime: ComponentRuntime<S, Input>) {
        guard !isMade.load(ordering: .relaxed), let works = runtime.works(of: place) else { return }
        isMade.store(true, ordering: .relaxed)
        works.add(work)
    }

    /// Cancels the work if the claim was not made. Returns whether it was not made.
    @discardableResult
    func cancelIfNotMade() -> Bool {
        if isMade.load(ordering: .relaxed) { return false }
        work.cancel()
        return true
    }
}

extension PolicyScoped {
    /// Returns the workflow with a claim in place of each child, and appends the claims to `claims`.
    func claiming(_ claims: inout [Claim<S>]) -> PolicyScoped {
        PolicyScoped(
            policy: policy, origin: origin, key: key,
            emissions: emissions.map { emission in
                if case .scoped(let scoped) = emission { .scoped(scoped.claiming(&claims)) } else { emission }
            },
            children: children?.map { child in
                guard let child else { return nil }
                let claim = Claim(to: child)
                claims.append(claim)
                return claim
            },
            cancelling: cancelling)
    }
}
