extension Sequence where Element: Sendable {
    /// The programs that `program` makes of the elements, at most `limit` of them at once, and their values in the
    /// order of the elements.
    ///
    /// ```swift
    /// let pages = urls.parTraverse(limit: 8) { url in load(url) }
    /// ```
    ///
    /// The sequence is walked here, once, and must end; `program` is called by the run. Elements are taken in their
    /// order; programs that run at once may begin in another. The first that fails, or ends as cancelled, ends the whole
    /// so: those that run are cancelled, the rest does not begin, and all have ended, finalizers and all, before the run
    /// goes on. Cancelling the run cancels all.
    ///
    /// There are as many tasks as `limit` says, in no actor's isolation; each takes the next element when it is done
    /// with one. Without a limit there is one for each element. A limit below one is a mistake that stops the process
    /// with a message.
    @inlinable
    public func parTraverse<Environment: Sendable, Failure, Value: Sendable>(
        limit: Int? = nil,
        _ program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, [Value]> {
        if let limit, limit < 1 { nothingCouldRun(limit) }
        let elements = Array(self)
        return EnvIO<Environment, Failure, [Value]>(waiting: { heritage, register in
            let crew = Crew(elements: elements, program: program, heritage: heritage)
            return register.put(await crew.work(by: Swift.min(limit ?? elements.count, elements.count)))
        })
    }

    /// The programs themselves, at most `limit` of them at once, and their values in the order of the programs. See
    /// `parTraverse`.
    @inlinable
    public func parSequence<Environment: Sendable, Failure, Value: Sendable>(
        limit: Int? = nil
    ) -> EnvIO<Environment, Failure, [Value]> where Element == EnvIO<Environment, Failure, Value> {
        parTraverse(limit: limit) { $0 }
    }
}

@usableFromInline
@inline(never)
func nothingCouldRun(_ limit: Int) -> Never {
    fault(
        """
        parTraverse was given a limit of \(limit), with which no program would ever begin. \
        To fix, give it a limit of 1 or more, or none for all at once.
        """
    )
}
