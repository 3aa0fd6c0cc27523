extension EnvIO where Environment: Sendable, Value: Sendable {
    /// This program and `other` at once, and the end of whichever ends first: its value, its failure, or that it was
    /// cancelled. The other one is cancelled, and has ended, finalizers and all, before the run goes on.
    ///
    /// ```swift
    /// let page = fromMirror.race(fromOrigin)
    /// ```
    ///
    /// Each runs in a task of its own, in no actor's isolation. How the loser ends is not looked at: a failure of
    /// it is not reported, since much code fails when it is cancelled. A loser that does not heed cancellation holds up
    /// the race. Cancelling the run cancels both.
    ///
    /// A failure wins, too; for the first *success*, give each side an answer to its failure first. Costs about what a
    /// task group of two does.
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

    /// This program and `other` at once, as ``race(_:)`` runs them, and who won with what.
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
