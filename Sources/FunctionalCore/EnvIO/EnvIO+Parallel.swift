extension EnvIO where Environment: Sendable, Value: Sendable {
    /// Returns a program that runs this program and `other` at once, and succeeds with both values.
    ///
    /// If one program fails or ends as cancelled, the other program is cancelled immediately. The whole program then
    /// ends in the same way, and the outcome of the other program is ignored. In every case, both programs have ended,
    /// including their finalizers, before the run continues.
    ///
    /// Each program runs in a task of its own, outside of any actor. Cancelling the run cancels both programs. If
    /// neither program fails or affects the other, the result equals that of `zip(_:)`.
    ///
    /// - Complexity: The cost of a task group with two tasks.
    @_alwaysEmitIntoClient
    public func parZip<Other: Sendable>(
        _ other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, (Value, Other)> {
        let first = self
        return EnvIO<Environment, Failure, (Value, Other)>(inParallel: 2) {
            let values = Locked<(left: Value?, right: Other?)>((nil, nil))
            let end = OneShot<Outcome<Never, Failure>>()
            return ParallelRun { index, machine in
                index == 0 ? first.enter(&machine) : other.enter(&machine)
            } end: { index, register, signal in
                if index == 0 {
                    let left: Value = try register.take(signal, orEnding: end)
                    values.withLock { $0.left = left }
                } else {
                    let right: Other = try register.take(signal, orEnding: end)
                    values.withLock { $0.right = right }
                }
            } finish: { register in
                if let end = end.current { return register.put(end) }
                guard case (let left?, let right?) = values.withLock({ $0 }) else { return .cancelled }
                register.put((left, right))
                return .value
            }
        }
    }
}

/// Returns a program that runs all programs at once, and succeeds with all values.
///
/// It behaves like ``EnvIO/parZip(_:)``, for any number of programs.
///
/// ```swift
/// let (user, posts, weather) = try await parallel(loadUser, loadPosts, loadWeather).run(server)
/// ```
///
/// To pass a program that is created from a closure, write its full type: `EnvIO<Server, any Error, Int> { … }`.
///
/// - Complexity: One task for each program. A run stores the values with their types erased, and casts each of them to
///   its type in the end. If the programs do nearly nothing, the run therefore takes up to three times as long as a
///   task group that runs the same programs. For two programs, ``EnvIO/parZip(_:)`` is cheaper.
public func parallel<Environment: Sendable, Failure, each Value: Sendable>(
    _ programs: repeat EnvIO<Environment, Failure, each Value>
) -> EnvIO<Environment, Failure, (repeat each Value)> {
    var erased: [EnvIO<Environment, Failure, any Sendable>] = []
    repeat erased.append((each programs).map { $0 as any Sendable })
    return erased.parSequence().map(TupleAssembly<repeat each Value>().assemble)
}
