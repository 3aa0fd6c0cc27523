public import ArchitectureEngine
public import FunctionalCore

/// The handling of one input: its actions as they are handed over, and where that has got to.
@usableFromInline
struct Turn<S: Sendable, Input: Sendable> {
    @usableFromInline let root: Root<S, Input>
    @usableFromInline let input: Input
    // Made for an input that waits its turn, or whose actions wait.
    @usableFromInline var work: Work?
    // From the first action that waits on, everything is left to a task.
    @usableFromInline var later: [Later] = []
    @usableFromInline var hasEnded = false

    /// One step of a workflow that goes on in a task; says whether the next may begin.
    @usableFromInline
    typealias Later = @Sendable (Workflow<S, Input>) async -> Bool

    @inlinable
    init(root: Root<S, Input>, input: Input, work: Work?) {
        self.root = root
        self.input = input
        self.work = work
    }

    /// Runs an action now, or leaves it to the task.
    @inlinable
    @inline(__always)
    mutating func take<Environment>(
        _ emission: Emission<Environment, S>,
        _ environment: @escaping @Sendable () -> Environment
    ) {
        if case .action(let action) = emission, later.isEmpty {
            if hasEnded || work?.isSet == true { return }
            switch action.begin(environment, stop: work) {
            case .finished(.value(let change)): root.commit(change)
            case .finished(let end): fail(end)
            case .waiting(let suspended): later.append { workflow in await workflow.end(as: suspended.finish()) }
            }
        } else {
            postpone(emission, environment)
        }
    }

    @usableFromInline
    @inline(never)
    mutating func fail(_ end: Outcome<State<S, Void>, any Error>) {
        hasEnded = true
        if case .failure(let error) = end { root.report(error, input) }
    }

    @usableFromInline
    @inline(never)
    mutating func postpone<Environment>(
        _ emission: Emission<Environment, S>,
        _ environment: @escaping @Sendable () -> Environment
    ) {
        if hasEnded { return }
        switch emission {
        case .action(let action):
            later.append { workflow in await workflow.end(as: action.outcome(environment())) }
        case .stream(let stream):
            later.append { workflow in await workflow.take(stream.outcome(environment())) }
        }
    }
}
