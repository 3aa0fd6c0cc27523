public import FunctionalCore

/// The changes of one run, as they come.
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

    /// The program that takes all changes to the end and makes them one.
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

/// An iterator that closures can share.
///
/// Unchecked: one run iterates it, and one thread at a time uses a run.
@usableFromInline
final class Iteration<Base: AsyncIteratorProtocol & SendableMetatype>: @unchecked Sendable {
    @usableFromInline
    var base: Base

    @inlinable
    init(_ base: Base) {
        self.base = base
    }

    @inlinable
    nonisolated(nonsending) func next() async throws -> Base.Element? {
        try await base.next(isolation: #isolation)
    }
}
