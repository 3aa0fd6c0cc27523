public import ArchitectureEngine
public import FunctionalCore

/// The handling of one input: its actions as they are handed over, and where that has got to.
@usableFromInline
struct Turn<S: Sendable, Input: Sendable> {
    // Made for an input that waits its turn, or whose actions wait.
    @usableFromInline var work: Work?
    // From the first action that waits on, everything is left to a task.
    @usableFromInline var later: [Later]?
    @usableFromInline var hasEnded = false

    /// One step of a workflow that goes on in a task; says whether the next may begin.
    @usableFromInline
    typealias Later = @Sendable (Workflow<S, Input>) async -> Bool

    @inlinable
    init(work: Work?) {
        self.work = work
    }

    /// Does what there is to do for `input`, or leaves it to the task.
    @inlinable
    @inline(__always)
    mutating func take<Environment>(
        _ emission: Emission<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on root: Root<S, Input>
    ) {
        if case .change(let change) = emission, later == nil {
            if !isOver { root.commit(change) }
        } else {
            begin(emission, of: input, in: environment, on: root)
        }
    }

    /// Whether nothing that follows may begin.
    @inlinable
    var isOver: Bool { hasEnded || work?.isSet == true }

    @inlinable
    mutating func begin<Environment>(
        _ emission: Emission<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on root: Root<S, Input>
    ) {
        if isOver { return }
        guard case .action(let action) = emission, later == nil else { return postpone(emission, environment) }
        switch action.begin(environment, stop: work) {
        case .finished(.value(let change)):
            // Cancelled meanwhile, by another thread or by itself: what comes of it is dropped.
            if !isOver { root.commit(change) }
        case .finished(.failure(let error)):
            if !isOver { root.report(error, input) }
            hasEnded = true
        case .finished(.cancelled):
            hasEnded = true
        case .waiting(let suspended):
            later = [{ workflow in await workflow.end(as: suspended.finish()) }]
        }
    }

    @usableFromInline
    mutating func postpone<Environment>(
        _ emission: Emission<Environment, S>,
        _ environment: @escaping @Sendable () -> Environment
    ) {
        let step: Later =
            switch emission {
            case .change(let change): { workflow in await workflow.end(as: .value(change)) }
            case .action(let action): { workflow in await workflow.end(as: action.outcome(environment())) }
            case .stream(let stream): { workflow in await workflow.take(stream.outcome(environment())) }
            }
        later?.append(step)
        if later == nil { later = [step] }
    }
}
