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

    /// One change and no more.
    @inlinable
    init(one change: State<S, Void>) {
        let isTaken = Ended()
        self.init { isTaken.end() ? change : nil }
    }

    /// The same changes; where the stream fails, a last one that `handler` makes of that.
    @inlinable
    func handleError(_ handler: @escaping @Sendable (any Error) -> State<S, Void>) -> ChangeStream {
        let next = next
        let hasFailed = Ended()
        return ChangeStream {
            if hasFailed.isSet { return nil }
            do {
                return try await next()
            } catch {
                _ = hasFailed.end()
                return error is CancellationError && Task.isCancelled ? nil : handler(error)
            }
        }
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

/// Whether a stream has ended.
///
/// Unchecked: one run iterates it, and one thread at a time uses a run.
@usableFromInline
final class Ended: @unchecked Sendable {
    @usableFromInline
    private(set) var isSet = false

    @usableFromInline
    init() {}

    /// Ends it; says whether it had not ended before.
    @usableFromInline
    func end() -> Bool {
        defer { isSet = true }
        return !isSet
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
