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
    /// cancelled.
    ///
    /// If both programs end at the same time, either of them may win. A failure can win, too. If only a success may
    /// win, handle the failures of both programs before you race them.
    ///
    /// - Complexity: The cost of a task group with two tasks.
    @inlinable
    public func race(_ other: EnvIO) -> EnvIO {
        let first = self
        return EnvIO(waiting: { heritage, register in
            let ending = Ending<Value, Failure>()
            try? await withThrowingDiscardingTaskGroup { group in
                group.addTask { throw ending.with(await first.outcome(inheriting: heritage)) }
                group.addTask { throw ending.with(await other.outcome(inheriting: heritage)) }
            }
            return register.put(ending.outcome ?? .cancelled)
        })
    }

    /// Returns a program that runs this program and `other` at once, and succeeds with the value of the first to end.
    ///
    /// The `Either` tells which of the two won. In all other respects it behaves like ``race(_:)``.
    ///
    /// ```swift
    /// let answer = askUser.raceResult(waitForNews)  // .left(answer) or .right(news)
    /// ```
    @inlinable
    public func raceResult<Other: Sendable>(
        _ other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, Either<Value, Other>> {
        map { .left($0) }.race(other.map { .right($0) })
    }
}
