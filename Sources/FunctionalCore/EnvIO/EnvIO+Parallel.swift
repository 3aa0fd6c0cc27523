extension EnvIO where Environment: Sendable, Value: Sendable {
    /// This program and `other` at once, and both values.
    ///
    /// The first that fails fails the whole: the other one is cancelled at once, and has ended, finalizers and all,
    /// before the run goes on; how it ends is not looked at. So it is where one of them ends as cancelled. Each runs in
    /// a task of its own, in no actor's isolation; cancelling the run cancels both. Where neither sees the other, it
    /// ends as `zip` does. Costs about what a task group of two does.
    @inlinable
    public func parZip<Other: Sendable>(
        _ other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, (Value, Other)> {
        let first = self
        return EnvIO<Environment, Failure, (Value, Other)>(waiting: { heritage, register in
            let both = Both<Value, Other, Failure>()
            try? await withThrowingDiscardingTaskGroup { group in
                group.addTask { both.left = try both.value(of: await first.outcome(inheriting: heritage)) }
                group.addTask { both.right = try both.value(of: await other.outcome(inheriting: heritage)) }
            }
            return register.put(both.outcome)
        })
    }
}

/// What two sides come to.
///
/// Unchecked: each side writes one of the two values, which are read when both have ended.
@usableFromInline
final class Both<Left: Sendable, Right: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline
    let ending = Ending<Never, Failure>()
    @usableFromInline
    var left: Left?
    @usableFromInline
    var right: Right?

    @inlinable
    init() {}

    @inlinable
    deinit {}

    @inlinable
    func value<Value>(of outcome: Outcome<Value, Failure>) throws -> Value {
        switch outcome {
        case .value(let value): return value
        case .failure(let failure): throw ending.with(.failure(failure))
        case .cancelled: throw ending.with(.cancelled)
        }
    }

    @inlinable
    var outcome: Outcome<(Left, Right), Failure> {
        if case .failure(let failure) = ending.outcome { return .failure(failure) }
        guard let left, let right else { return .cancelled }
        return .value((left, right))
    }
}

/// All programs at once, and all values: ``EnvIO/parZip(_:)`` for any number.
///
/// ```swift
/// let (user, posts, weather) = try await parallel(loadUser, loadPosts, loadWeather).run(server)
/// ```
///
/// Costs up to three times what a task group does where the programs do nothing, as the values are put together by
/// their types when it runs; for two, ``EnvIO/parZip(_:)`` is cheaper. Where a program among several is made of a
/// closure, spell its type: `EnvIO<Server, any Error, Int> { … }`.
public func parallel<Environment: Sendable, Failure, each Value: Sendable>(
    _ programs: repeat EnvIO<Environment, Failure, each Value>
) -> EnvIO<Environment, Failure, (repeat each Value)> {
    var erased: [EnvIO<Environment, Failure, any Sendable>] = []
    repeat erased.append((each programs).map { $0 as any Sendable })
    return erased.parSequence().map(TupleAssembly<repeat each Value>().assemble)
}
