import ArchitectureEngine
public import FunctionalCore

/// The actions of one input from the first on that had to wait: run by a task, one after the other.
@usableFromInline
struct Workflow<S: Sendable, Input: Sendable>: Sendable {
    let root: Root<S, Input>
    let input: Input
    let work: WorkItem
    let progress: FiniteWork

    func run(_ steps: [Turn<S, Input>.Later]) async {
        // The first has begun already: it is finished even when cancelled, so that its finalizers run.
        for step in steps {
            guard await step(self) else { break }
        }
    }

    /// Commits what an action ended in, or tells of its failure. Says whether the next may begin.
    @usableFromInline
    func end(as outcome: Outcome<State<S, Void>, any Error>) async -> Bool {
        switch outcome {
        case .value(let change): return await root.commit(change, of: work)
        case .failure(let error): await fail(error)
        case .cancelled: break
        }
        return false
    }

    /// Commits the changes of a stream as they come.
    func take(_ stream: Outcome<ChangeStream<S>, any Error>) async -> Bool {
        switch stream {
        case .value(let changes):
            // A stream may never end.
            progress.pause()
            defer { progress.resume() }
            do {
                while let change = try await changes.next() {
                    guard await root.commit(change, of: work) else { return false }
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
        await root.fail(error, input, of: work)
    }
}
