extension Sequence where Element: Sendable {
    /// Returns a program that runs `program` for each element, one after the other.
    ///
    /// The program succeeds with the values, in the order of the elements.
    ///
    /// ```swift
    /// let saved = drafts.traverse { draft in save(draft) }
    /// ```
    ///
    /// This method iterates over the sequence once, immediately, so the sequence must be finite. The run calls
    /// `program` for an element when the program of the previous element has ended. If one program fails or ends as
    /// cancelled, the whole program ends in the same way, and the remaining programs do not start.
    ///
    /// No task is created: the programs are steps of the run. They use constant stack space, and each costs as much as
    /// a `flatMap`. To run several programs at once, use `parTraverse(limit:_:)`.
    @_alwaysEmitIntoClient
    public func traverse<Environment, Failure, Value>(
        _ program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, [Value]> {
        let elements = Array(self)
        return .suspend {
            let values = RunVariable<[Value]>([])
            values.value.reserveCapacity(elements.count)
            // Runs the programs of the elements that have no value yet, and succeeds with the values of all elements.
            @Sendable func rest() -> EnvIO<Environment, Failure, [Value]> {
                guard values.value.count < elements.count else { return EnvIO { _ in values.value } }
                return program(elements[values.value.count]).flatMap { value in
                    values.value.append(value)
                    return rest()
                }
            }
            return rest()
        }
    }

    /// Returns a program that runs the programs in this sequence, one after the other.
    ///
    /// The program succeeds with the values, in the order of the programs. See `traverse(_:)`. To run several at once,
    /// use `parSequence(limit:)`.
    @_alwaysEmitIntoClient
    public func sequence<Environment, Failure, Value>() -> EnvIO<Environment, Failure, [Value]>
    where Element == EnvIO<Environment, Failure, Value> {
        traverse { $0 }
    }
}

// MARK: - Several at once

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
    /// If one program fails or ends as cancelled, the whole program ends in the same way. The running programs are
    /// cancelled, and the remaining programs do not start. All programs have ended, including their finalizers, before
    /// the run continues. Cancelling the run cancels all programs.
    ///
    /// The programs run in at most `limit` tasks, outside of any actor. Each task takes the next element when it has
    /// finished an element. The call traps if `limit` is less than 1.
    ///
    /// - Parameters:
    ///   - limit: The largest number of programs that run at once. If it is `nil`, each element has a task of its own.
    ///   - program: Returns the program for an element.
    @_alwaysEmitIntoClient
    public func parTraverse<Environment: Sendable, Failure, Value: Sendable>(
        limit: Int? = nil,
        _ program: @escaping @Sendable (Element) -> EnvIO<Environment, Failure, Value>
    ) -> EnvIO<Environment, Failure, [Value]> {
        if let limit, limit < 1 { nothingCouldRun(limit) }
        let elements = Array(self)
        return EnvIO<Environment, Failure, [Value]>(inParallel: elements.count, limit: limit) {
            let values = Locked<[Value?]>(Array(repeating: nil, count: elements.count))
            let end = OneShot<Outcome<Never, Failure>>()
            return ParallelRun { index, machine in
                program(elements[index]).enter(&machine)
            } end: { index, register, signal in
                let value: Value = try register.take(signal, orEnding: end)
                values.withLock { $0[index] = value }
            } finish: { register in
                if let end = end.current { return register.put(end) }
                register.put(values.withLock { $0.compactMap { $0 } })
                return .value
            }
        }
    }

    /// Returns a program that runs the programs in this sequence, several at once.
    ///
    /// The program succeeds with the values, in the order of the programs. See `parTraverse(limit:_:)`.
    @_alwaysEmitIntoClient
    public func parSequence<Environment: Sendable, Failure, Value: Sendable>(
        limit: Int? = nil
    ) -> EnvIO<Environment, Failure, [Value]> where Element == EnvIO<Environment, Failure, Value> {
        parTraverse(limit: limit) { $0 }
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
