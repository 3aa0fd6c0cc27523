import ArchitectureEngine

/// The children that the emissions of a delayed workflow belong to, apart from the child of the whole workflow: those
/// that were there when the input was processed. So an emission does not begin for another child at the same place.
@usableFromInline
final class Claims: Sendable {
    /// A work for each child by the keys of its place, which is cancelled when the child ends.
    private let works: [[ChildKey]: Work]
    /// The places whose child had ended when the workflow started.
    private let ended: Set<[ChildKey]>

    init(_ works: [[ChildKey]: Work], ended: Set<[ChildKey]> = []) {
        (self.works, self.ended) = (works, ended)
    }

    /// Returns the claims of a workflow that starts now.
    func atStart() -> Claims {
        Claims(works, ended: Set(works.filter { $0.value.isCancelled }.keys))
    }

    @usableFromInline
    func permits<S>(_ child: ChildPlace<S>?) -> Bool {
        ended.isEmpty || child.map { !ended.contains($0.keys) } ?? true
    }
}

extension ComponentRuntime {
    /// Claims the children of the emissions of a workflow until `work` ends.
    func claims<Environment>(of scoped: PolicyScoped<Environment, S>, for work: Work) -> Claims {
        var works: [[ChildKey]: Work] = [:]
        add(scoped, to: &works)
        work.onFinish { [works] in for part in works.values { part.end() } }
        return Claims(works)
    }

    private func add<Environment>(_ scoped: PolicyScoped<Environment, S>, to works: inout [[ChildKey]: Work]) {
        for emission in scoped.emissions {
            if let child = emission.child, works[child.keys] == nil {
                let part = Work()
                add(part, to: child)
                works[child.keys] = part
            }
            if case .scoped(let inner) = emission.kind { add(inner, to: &works) }
        }
    }
}
