import ArchitectureEngine
public import FunctionalCore

/// The actions of one input from the first one that waits. A task performs them, one after the other.
@usableFromInline
struct Workflow<S: Sendable, Input: Sendable>: Sendable {
    let runtime: ComponentRuntime<S, Input>
    let input: Input
    let work: WorkItem
    let finiteWork: FiniteWork

    func run(_ steps: [ActionRun<S, Input>.Step]) async {
        // If the first step is an action, it has already begun. It is finished even if it is cancelled, so that its
        // finalizers run.
        for step in steps {
            guard await step(self) else { break }
        }
    }

    /// Commits the change of an action, or reports its failure. Returns whether the next action may begin.
    @usableFromInline
    func end(as outcome: Outcome<State<S, Void>, any Error>) async -> Bool {
        switch outcome {
        case .value(let change): return await runtime.commit(change, of: work)
        case .failure(let error): await fail(error)
        case .cancelled: break
        }
        return false
    }

    /// Commits the changes of a stream, one after the other. Returns whether the next action may begin.
    func take(_ stream: Outcome<ChangeStream<S>, any Error>) async -> Bool {
        switch stream {
        case .value(let changes):
            // A stream may never end.
            finiteWork.pause()
            defer { finiteWork.resume() }
            do {
                while let change = try await changes.next() {
                    guard await runtime.commit(change, of: work) else { return false }
                }
                return true
            } catch {
                await fail(error)
            }
        case .failure(let error): await fail(error)
        case .cancelled: break
        }
        return false
    }

    private func fail(_ error: any Error) async {
        await runtime.fail(error, input, of: work)
    }
}
