extension EnvIO where Environment: Sendable, Value: Sendable {
    /// Returns a program that runs this program and `other` at once, and ends with the outcome of the program that ends
    /// first.
    ///
    /// The result is the winner's value, its failure, or cancellation. The loser is cancelled, and has ended, including
    /// its finalizers, before the run continues.
    ///
    /// ```swift
    /// let page = fromMirror.race(fromOrigin)
    /// ```
    ///
    /// Each program runs in a task of its own, outside of any actor. Cancelling the run cancels both. A loser that does
    /// not respond to cancellation delays the end of the race.
    ///
    /// The outcome of the loser is ignored, and its failure is not reported, because much code fails when it is
    /// cancelled. A failure of one of its finalizers is written to standard error.
    ///
    /// If both programs end at the same time, either of them may win. A failure can win, too. If only a success may
    /// win, handle the failures of both programs before you race them.
    ///
    /// - Complexity: The cost of a task group with two tasks.
    @_alwaysEmitIntoClient
    public func race(_ other: EnvIO) -> EnvIO {
        let first = self
        return EnvIO(inParallel: 2) {
            let end = OneShot<Outcome<Value, Failure>>()
            return ParallelRun { index, machine in
                (index == 0 ? first : other).enter(&machine)
            } end: { _, register, signal in
                throw GroupEnd(end, register.takeOutcome(signal))
            } finish: { register in
                register.put(end.current ?? .cancelled)
            }
        }
    }

    /// Returns a program that runs this program and `other` at once, and succeeds with the value of the program that
    /// ends first.
    ///
    /// The `Either` indicates which program won. In all other respects it behaves like ``race(_:)``.
    ///
    /// ```swift
    /// let answer = askUser.raceResult(waitForNews)  // .left(answer) or .right(news)
    /// ```
    @_alwaysEmitIntoClient
    public func raceResult<Other: Sendable>(
        _ other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, Either<Value, Other>> {
        map { .left($0) }.race(other.map { .right($0) })
    }
}

/// An error that ends a task group before all its tasks have ended. The group cancels its other tasks and waits for
/// them.
///
/// The group is a throwing discarding task group, in which a task that throws cancels the others. Such a group resumes
/// the task that waits for it once, and not once for each of its tasks.
@usableFromInline
struct GroupEnd: Error {
    /// Stores `outcome` as the end of the group in `end`, unless another task has already stored an outcome.
    @inlinable
    init<Outcome>(_ end: OneShot<Outcome>, _ outcome: Outcome) {
        end.complete(outcome)
    }
}

extension Register {
    /// Takes the value of a program that ended with `signal`. If the program did not succeed, stores its failure or
    /// cancellation in `end`, and throws an error that ends the task group.
    @_alwaysEmitIntoClient
    func take<Value, Failure>(_ signal: Signal, orEnding end: OneShot<Outcome<Never, Failure>>) throws -> Value {
        if signal == .value { return take() }
        throw GroupEnd(end, signal == .failure ? .failure(take()) : .cancelled)
    }
}
