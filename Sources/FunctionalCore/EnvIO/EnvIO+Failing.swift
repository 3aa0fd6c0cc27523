extension EnvIO {
    /// This program, and where it fails the one that `handler` makes of the failure. Cancellation is not a failure:
    /// `handler` never sees it.
    ///
    /// ```swift
    /// let page = cached.handleErrorWith { _ in download }
    /// ```
    @inlinable
    public func handleErrorWith<NewFailure: Error>(
        _ handler: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        handled(by: handler)
    }

    /// The same where the failure's type stays: what `handler` makes may then leave it to the compiler, as in
    /// `handleErrorWith { _ in .pure(0) }`.
    @inlinable
    public func handleErrorWith(_ handler: @escaping @Sendable (Failure) -> EnvIO) -> EnvIO {
        handled(by: handler)
    }

    @inlinable
    func handled<NewFailure: Error>(
        by handler: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        switch form {
        case .pure(let value):
            return EnvIO<Environment, NewFailure, Value>(form: .pure(value))
        case .fail(let failure):
            return EnvIO<Environment, NewFailure, Value>(
                form: .node(Node { machine in handler(failure).enter(&machine) })
            )
        case .sync(let operation, let depth):
            return EnvIO<Environment, NewFailure, Value>(
                form: .node(
                    Node { machine in
                        machine.countCalls(depth)
                        do throws(Failure) {
                            machine.put(try operation(machine.environment(as: Environment.self)))
                            return .value
                        } catch {
                            return machine.isCancellation(error) ? .cancelled : handler(error).enter(&machine)
                        }
                    }
                )
            )
        case .node(let node):
            return EnvIO<Environment, NewFailure, Value>(
                form: .node(
                    Node(source: node, accepting: .failure) { machine in
                        let failure = machine.take(as: Failure.self)
                        return machine.mustUnwind ? .cancelled : handler(failure).enter(&machine)
                    }
                )
            )
        }
    }

    /// This program, with the value that `handler` makes of a failure in the failure's place.
    ///
    /// The failure's type stays, so that the program fits where it was; ``attempt()``, or `handleErrorWith` with a
    /// program that cannot fail, says in the type that nothing is left to handle.
    @inlinable
    public func handleError(_ handler: @escaping @Sendable (Failure) -> Value) -> EnvIO {
        mapEnd { failure throws(Failure) in handler(failure) }
    }

    /// This program, with `transform` applied to its failure.
    @inlinable
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> EnvIO<Environment, NewFailure, Value> {
        mapEnd { failure throws(NewFailure) in throw transform(failure) }
    }

    /// This program without failures: what it ends in, as a `Result`. Cancellation stays cancellation.
    @inlinable
    public func attempt() -> EnvIO<Environment, Never, Result<Value, Failure>> {
        map { Result<Value, Failure>.success($0) }.mapEnd { failure throws(Never) in .failure(failure) }
    }

    /// Ends in `failure(value)` where the value does not satisfy `predicate`.
    ///
    /// ```swift
    /// age.ensure({ $0 >= 18 }, otherwise: { TooYoung(age: $0) })
    /// ```
    @inlinable
    public func ensure(
        _ predicate: @escaping @Sendable (Value) -> Bool,
        otherwise failure: @escaping @Sendable (Value) -> Failure
    ) -> EnvIO {
        flatMap { value in predicate(value) ? EnvIO(form: .pure(value)) : .fail(failure(value)) }
    }

    /// One closure for a failure that ends in a value or in another failure.
    @inlinable
    func mapEnd<NewFailure: Error>(
        _ handler: @escaping @Sendable (Failure) throws(NewFailure) -> Value
    ) -> EnvIO<Environment, NewFailure, Value> {
        switch form {
        case .pure(let value):
            return EnvIO<Environment, NewFailure, Value>(form: .pure(value))
        case .sync where Machine.mayBeCancellation(Failure.self):
            // What catches it must ask the machine, which one closure for both cannot.
            return handled { failure in
                EnvIO<Environment, NewFailure, Value>(
                    form: .sync({ _ throws(NewFailure) in try handler(failure) }, depth: 1))
            }
        case .sync(let operation, let depth) where depth < Limits.depth:
            return EnvIO<Environment, NewFailure, Value>(
                form: .sync(
                    { environment throws(NewFailure) in
                        do throws(Failure) {
                            return try operation(environment)
                        } catch {
                            return try handler(error)
                        }
                    },
                    depth: depth + 1
                )
            )
        case .fail, .sync, .node:
            return EnvIO<Environment, NewFailure, Value>(
                form: .node(
                    Node(source: node, accepting: .failure) { machine in
                        let failure = machine.take(as: Failure.self)
                        if machine.mustUnwind { return .cancelled }
                        do throws(NewFailure) {
                            machine.put(try handler(failure))
                            return .value
                        } catch {
                            machine.put(error)
                            return .failure
                        }
                    }
                )
            )
        }
    }
}

extension EnvIO where Failure == Never {
    /// The same program where one that can fail is asked for.
    @inlinable
    public func setFailureType<NewFailure: Error>(
        to type: NewFailure.Type = NewFailure.self
    ) -> EnvIO<Environment, NewFailure, Value> {
        // A program that cannot fail never fills the register with a failure: its nodes serve any failure type.
        EnvIO<Environment, NewFailure, Value>(form: .node(node))
    }

    /// The program that ends as the `Result` says which this one ends in: undoes `attempt`.
    @inlinable
    public func rethrow<Success, NewFailure: Error>() -> EnvIO<Environment, NewFailure, Success>
    where Value == Result<Success, NewFailure> {
        setFailureType(to: NewFailure.self).flatMap { result in
            switch result {
            case .success(let value): EnvIO<Environment, NewFailure, Success>(form: .pure(value))
            case .failure(let failure): .fail(failure)
            }
        }
    }
}
