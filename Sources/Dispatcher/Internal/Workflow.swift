import ArchitectureEngine
public import FunctionalCore

/// The part of an input's actions that a task performs, one action after the other. It begins with the first action
/// that waits, or with the first stream.
@usableFromInline
struct Workflow<S: Sendable, Input: Sendable>: Sendable {
    let runtime: ComponentRuntime<S, Input>
    let input: Input
    let work: Work

    func run(_ steps: [ActionRun<S, Input>.Step]) async {
        // If the first step is an action, it has already begun. It is finished even if it is cancelled, so that its
        // finalizers run.
        for step in steps {
            guard await step(self) else { break }
        }
    }

    /// Performs an action, unless the work was cancelled. Returns whether the next action may begin.
    func perform<Environment>(
        _ action: EnvIO<Environment, any Error, State<S, Void>>, in environment: @Sendable () -> Environment
    ) async -> Bool {
        if work.isCancelled { return false }
        let traced = action.isPure ? nil : begin()
        return await traced.runAsync {
            // This does the same as `outcome(_:)`, but also records the suspension in the trace.
            switch action.begin(environment, stop: work, isInTask: true) {
            case .finished(let outcome): return await finish(as: outcome, traced)
            case .waiting(let suspended):
                traced?.suspend()
                return await finish(as: suspended.finish(), traced)
            }
        }
    }

    /// Finishes an action that began before the task. Returns whether the next action may begin.
    @usableFromInline
    func finish(_ action: SuspendedRun<State<S, Void>, any Error>, _ traced: TracedWork?) async -> Bool {
        await traced.runAsync { await finish(as: action.finish(), traced) }
    }

    /// Commits the change of an action, or reports its failure. Returns whether the next action may begin.
    @usableFromInline
    func finish(as outcome: Outcome<State<S, Void>, any Error>, _ traced: TracedWork? = nil) async -> Bool {
        switch outcome {
        case .value(let change): return await runtime.commitFromTask(change, of: work, traced)
        case .failure(let error): await fail(error, traced)
        case .cancelled: traced?.cancel()
        }
        return false
    }

    /// Commits the changes of a stream, one after the other, and reports its failure. Returns whether the next action
    /// may begin.
    func perform<Environment>(
        _ stream: EnvIO<Environment, any Error, ChangeStream<S>>, in environment: @Sendable () -> Environment
    ) async -> Bool {
        if work.isCancelled { return false }
        let traced = begin()
        return await traced.runAsync {
            traced?.suspend()
            let isOver = !(await commitAll(of: stream.outcome(environment()), traced))
            // Neither call has an effect if a failure has ended the traced work.
            if isOver || work.isCancelled { traced?.cancel() } else { traced?.end() }
            return !isOver
        }
    }

    private func commitAll(
        of stream: Outcome<ChangeStream<S>, any Error>, _ traced: TracedWork?
    ) async -> Bool {
        switch stream {
        case .value(let changes):
            // A stream may never end.
            work.pause()
            defer { work.activate(in: runtime.core.settling) }
            do {
                while let change = try await changes.next() {
                    guard await runtime.commitFromTask(change, of: work, traced, isLast: false) else { return false }
                }
                return true
            } catch {
                await fail(error, traced)
            }
        case .failure(let error): await fail(error, traced)
        case .cancelled: break
        }
        return false
    }

    private func fail(_ error: any Error, _ traced: TracedWork?) async {
        await runtime.fail(error, input, of: work, traced)
    }

    /// Records in the trace that an action or a stream begins in the task. Returns `nil` if there is no trace.
    private func begin() -> TracedWork? { runtime.core.tracer?.begin(input, .action) }
}
