import Synchronization

extension Sequence where Element: Sendable {
    /// Returns a program that runs `program` for each element, several at once.
    ///
    /// The program succeeds with the values, in the order of the elements.
    ///
    /// ```swift
    /// let pages = urls.parTraverse(limit: 8) { url in load(url) }
    /// ```
    ///
    /// This method iterates over the sequence once, immediately, so the sequence must be finite. Each run calls
    /// `program` for the stored elements. Elements are taken in order, but programs that run at once may start in
    /// another order.
    ///
    /// If one program fails or ends as cancelled, the whole program ends in the same way. The others are cancelled, and
    /// the remaining ones do not start. All have ended, including their finalizers, before the run continues.
    /// Cancelling the run cancels all.
    ///
    /// The programs run in at most `limit` tasks, outside of any actor. Each task takes the next element when it has
    /// finished one. The call traps if `limit` is less than 1.
    ///
    /// - Parameters:
    ///   - limit: The largest number of programs that run at once. If it is `nil`, each element has a task of its own.
    ///   - program: Returns the program for an element.
    @inlinable
    public func parTraverse<Environment: Sendable, Failure, Value: Sendable>(
        limit: Int? = nil,
        _ program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, [Value]> {
        if let limit, limit < 1 { nothingCouldRun(limit) }
        let elements = Array(self)
        return EnvIO<Environment, Failure, [Value]>(waiting: { context, register in
            let traversal = ParallelTraversal(elements: elements, program: program, context: context)
            return register.put(await traversal.run(inTasks: Swift.min(limit ?? elements.count, elements.count)))
        })
    }

    /// Returns a program that runs the programs in this sequence, several at once.
    ///
    /// The program succeeds with the values, in the order of the programs. See `parTraverse(limit:_:)`.
    @inlinable
    public func parSequence<Environment: Sendable, Failure, Value: Sendable>(
        limit: Int? = nil
    ) -> EnvIO<Environment, Failure, [Value]> where Element == EnvIO<Environment, Failure, Value> {
        parTraverse(limit: limit) { $0 }
    }
}

/// One run of `parTraverse`: tasks that share the elements. Each task takes the next element when it has finished one.
@usableFromInline
final class ParallelTraversal<Element: Sendable, Environment: Sendable, Failure: Error, Value: Sendable>: Sendable {
    @usableFromInline
    let elements: [Element]
    @usableFromInline
    let program: @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    @usableFromInline
    let context: RunContext
    /// The index of the element that is taken next.
    @usableFromInline
    let next = Atomic(0)
    @usableFromInline
    let values: Locked<[Value?]>
    @usableFromInline
    let end = OneShot<Outcome<Never, Failure>>()

    @inlinable
    init(
        elements: [Element], program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>,
        context: RunContext
    ) {
        self.elements = elements
        self.program = program
        self.context = context
        values = Locked(Array(repeating: nil, count: elements.count))
    }

    @inlinable
    deinit {}

    /// Returns all values, in the order of the elements.
    @inlinable
    nonisolated(nonsending) func run(inTasks count: Int) async -> Outcome<[Value], Failure> {
        try? await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await self.runTask() } }
        }
        if let end = end.current { return end.map { never -> [Value] in } }
        return .value(values.withLock { $0.compactMap { $0 } })
    }

    /// Runs the programs of elements until none is left. Programs that end at once let other tasks run now and then.
    @inlinable
    nonisolated(nonsending) func runTask() async throws {
        for number in 1... {
            if number & 0x01FF == 0 { await context.pause() }
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < elements.count else { return }
            let value = try await program(elements[index]).outcome(in: context).value(orEnding: end)
            values.withLock { $0[index] = value }
        }
    }
}

@usableFromInline
@inline(never)
func nothingCouldRun(_ limit: Int) -> Never {
    programmerError(
        """
        parTraverse was called with a limit of \(limit), so no program could start. \
        To fix, pass a limit of 1 or more, or no limit to run all programs at once.
        """
    )
}
