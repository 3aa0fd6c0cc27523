import ArchitectureEngine
import Synchronization

/// The work of a step that belongs to a child.
@usableFromInline
final class ChildStep<S>: Sendable {
    let place: ChildPlace<S>
    /// The works of the child, or `nil` if the child was absent when the step was left to the task. Then an earlier step
    /// of the same input may make it present.
    let works: WorkBag?
    let work = Work()
    private let isClaimed: Atomic<Bool>

    init(of place: ChildPlace<S>, _ works: WorkBag?) {
        (self.place, self.works) = (place, works)
        isClaimed = Atomic(works != nil)
        works?.add(work)
    }

    /// Adds the work to that of the child, if the child has become present. Only the draining thread may call this.
    func claim<Input>(on runtime: ComponentRuntime<S, Input>) {
        guard !isClaimed.load(ordering: .relaxed), let works = runtime.works(of: place) else { return }
        isClaimed.store(true, ordering: .relaxed)
        works.add(work)
    }

    /// Cancels the work, unless the child was present or has become present.
    func skipIfAbsent() {
        if !isClaimed.load(ordering: .relaxed) { work.cancel() }
    }
}
