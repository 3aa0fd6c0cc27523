public import FunctionalCore

/// The changes that one iteration of an asynchronous sequence yields.
@usableFromInline
struct ChangeStream<S>: Sendable {
    @usableFromInline
    let next: nonisolated(nonsending) @Sendable () async throws -> State<S, Void>?

    @inlinable
    init(next: nonisolated(nonsending) @escaping @Sendable () async throws -> State<S, Void>?) {
        self.next = next
    }

    @inlinable
    init<Changes: AsyncSequence>(_ changes: Changes)
    where Changes.Element == State<S, Void>, Changes.AsyncIterator: SendableMetatype {
        let iterator = Iteration(changes.makeAsyncIterator())
        self.init { try await iterator.next() }
    }

    @inlinable
    func map<Whole>(_ widen: @escaping @Sendable (State<S, Void>) -> State<Whole, Void>) -> ChangeStream<Whole> {
        let next = next
        return ChangeStream<Whole> { try await next().map(widen) }
    }

    /// Creates a stream of a single change.
    @inlinable
    init(one change: State<S, Void>) {
        let rest = Locked<State<S, Void>?>(change)
        self.init { rest.withLock { $0.take() } }
    }

    /// Returns a stream in which a failure is replaced by the change that `handler` returns. The stream ends after this
    /// change. A `CancellationError` in a cancelled task ends the stream without a change.
    @inlinable
    func handleError(_ handler: @escaping @Sendable (any Error) -> State<S, Void>) -> ChangeStream {
        let next = next
        let hasFailed = Locked(false)
        return ChangeStream {
            if hasFailed.withLock({ $0 }) { return nil }
            do {
                return try await next()
            } catch {
                hasFailed.withLock { $0 = true }
                if error is CancellationError, Task.isCancelled { return nil }
                return Tracer.recovered(from: error, to: handler(error)) { _ in .value(nil) }
            }
        }
    }

    /// Returns a program that reads the stream to its end, and then returns one change that applies all changes of the
    /// stream in order.
    @inlinable
    func all<Environment>() -> EnvIO<Environment, any Error, State<S, Void>> {
        let next = next
        return EnvIO { (_: Environment) async throws in
            var changes: [State<S, Void>] = []
            while let change = try await next() { changes.append(change) }
            let all = changes
            return State { state in for change in all { change.run(&state) } }
        }
    }
}
