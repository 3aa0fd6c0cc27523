extension EnvIO where Environment: Sendable, Value: Sendable {
    /// This program and `other` at once, and both values.
    ///
    /// The first that fails fails the whole: the other one is cancelled at once, and has ended, finalizers and all,
    /// before the run goes on; how it ends is not looked at. So it is where one of them ends as cancelled. Each runs in a
    /// task of its own, in no actor's isolation; cancelling the run cancels both. Where neither sees the other, it ends as
    /// ``zip(_:)`` does. Costs about what a task group of two does.
    @inlinable
    public func parZip<Other: Sendable>(
        _ other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, (Value, Other)> {
        let first = self
        return EnvIO<Environment, Failure, (Value, Other)>(waiting: { machine in
            let heritage = machine.heritage
            let both = await withTaskGroup(of: Either<Outcome<Value, Failure>, Outcome<Other, Failure>>.self) { group in
                group.addTask { .left(await first.outcome(inheriting: heritage)) }
                group.addTask { .right(await other.outcome(inheriting: heritage)) }
                var (left, right): (Value?, Other?)
                for await end in group {
                    switch end {
                    case .left(.value(let value)): left = value
                    case .right(.value(let value)): right = value
                    case .left(.failure(let failure)), .right(.failure(let failure)):
                        group.cancelAll()
                        return Outcome<(Value, Other), Failure>.failure(failure)
                    case .left(.cancelled), .right(.cancelled):
                        group.cancelAll()
                        return .cancelled
                    }
                }
                guard let left, let right else { return .cancelled }
                return .value((left, right))
            }
            return machine.put(both)
        })
    }
}

/// All programs at once, and all values: ``EnvIO/parZip(_:)`` for any number.
///
/// ```swift
/// let (user, posts, weather) = try await parallel(loadUser, loadPosts, loadWeather).run(server)
/// ```
///
/// Where a program among several is made of a closure, spell its type: `EnvIO<Server, any Error, Int> { … }`.
public func parallel<Environment: Sendable, Failure, each Value: Sendable>(
    _ programs: repeat EnvIO<Environment, Failure, each Value>
) -> EnvIO<Environment, Failure, (repeat each Value)> {
    var erased: [EnvIO<Environment, Failure, any Sendable>] = []
    repeat erased.append((each programs).map { $0 as any Sendable })
    return erased.parSequence().map(TupleAssembly<repeat each Value>().assemble)
}
