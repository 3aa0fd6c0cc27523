public import ArchitectureEngine
public import FunctionalCore

/// The handling of one input: its actions as they are handed over, and where that has got to.
@usableFromInline
struct Turn<S: Sendable, Input: Sendable> {
    // Made for an input that waits its turn, or whose actions wait.
    @usableFromInline var work: WorkItem?
    @usableFromInline var rest: Rest?
    @usableFromInline var hasEnded = false

    /// What goes on when the turn is over.
    @usableFromInline
    struct Rest {
        /// From the first action that waits on, all that is not a workflow of its own is left to a task.
        @usableFromInline var steps: [Later] = []
        /// The workflows under policies.
        @usableFromInline var parts: [WorkItem] = []
    }

    /// One step of a workflow that goes on in a task; says whether the next may begin.
    @usableFromInline
    typealias Later = @Sendable (Workflow<S, Input>) async -> Bool

    @inlinable
    init(work: WorkItem?) {
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
        if case .change(let change) = emission, rest == nil {
            if !isOver { root.commit(change) }
        } else {
            begin(emission, of: input, in: environment, on: root)
        }
    }

    /// Whether nothing that follows may begin.
    @inlinable
    var isOver: Bool { hasEnded || work?.isCancelled == true }

    @inlinable
    mutating func begin<Environment>(
        _ emission: Emission<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on root: Root<S, Input>
    ) {
        if case .policed(let policed) = emission { return submit(policed, of: input, in: environment, on: root) }
        if isOver { return }
        if let rest, !rest.steps.isEmpty { return postpone(emission, environment) }
        switch emission {
        case .change(let change):
            root.commit(change)
        case .action(let action):
            begin(action, of: input, in: environment, on: root)
        case .stream, .policed:
            postpone(emission, environment)
        }
    }

    @inlinable
    mutating func begin<Environment>(
        _ action: EnvIO<Environment, any Error, State<S, Void>>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on root: Root<S, Input>
    ) {
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
            postpone { workflow in await workflow.end(as: suspended.finish()) }
        }
    }

    /// A workflow of its own, which no failure of this one ends.
    @usableFromInline
    mutating func submit<Environment>(
        _ policed: Policed<Environment, S>,
        of input: Input,
        in environment: @escaping @Sendable () -> Environment,
        on root: Root<S, Input>
    ) {
        if work?.isCancelled == true { return }
        let part = root.submit(policed, of: input, in: environment)
        // What is done needs no handle, unless that is to say that it was not done.
        if !part.isFinished || part.isCancelled { leave { $0.parts.append(part) } }
    }

    @usableFromInline
    mutating func postpone<Environment>(
        _ emission: Emission<Environment, S>,
        _ environment: @escaping @Sendable () -> Environment
    ) {
        switch emission {
        case .change(let change): postpone { workflow in await workflow.end(as: .value(change)) }
        case .action(let action): postpone { workflow in await workflow.end(as: action.outcome(environment())) }
        case .stream(let stream): postpone { workflow in await workflow.take(stream.outcome(environment())) }
        case .policed: break
        }
    }

    @usableFromInline
    mutating func postpone(_ step: @escaping Later) {
        leave { $0.steps.append(step) }
    }

    private mutating func leave(_ body: (inout Rest) -> Void) {
        var left = rest.take() ?? Rest()
        body(&left)
        rest = left
    }
}
