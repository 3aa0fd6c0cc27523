extension EnvIO {
    /// Returns a program that handles a failure of this program by running the result of `handler`.
    ///
    /// Cancellation is not a failure, so `handler` is not called for it.
    ///
    /// ```swift
    /// let page = cached.handleErrorWith { _ in download }
    /// ```
    @_alwaysEmitIntoClient
    public func handleErrorWith<NewFailure: Error>(
        _ handler: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        handled(by: handler)
    }

    /// Returns a program that handles a failure of this program by running the result of `handler`.
    ///
    /// This overload keeps the failure type, so the compiler can infer the result of `handler`, as in
    /// `handleErrorWith { _ in .pure(0) }`.
    @_alwaysEmitIntoClient
    public func handleErrorWith(_ handler: @escaping @Sendable (Failure) -> EnvIO) -> EnvIO {
        handled(by: handler)
    }

    /// Returns a program that handles a failure of this program by running the result of `handler`.
    ///
    /// - Parameter isRecorded: Whether a trace records what the failure has become.
    @inlinable
    func handled<NewFailure: Error>(
        isRecorded: Bool = true, by handler: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        switch form {
        case .pure(let value):
            return .init(form: .pure(value))
        case .fail(let failure):
            return .step { machine in handler(failure).replacing(failure, isRecorded).enter(&machine) }
        case .sync(let operation, let depth):
            return .step { machine in
                machine.countCalls(depth)
                do throws(Failure) {
                    machine.put(try operation(machine.environment(as: Environment.self)))
                    return .value
                } catch {
                    if machine.isCancellation(error) { return .cancelled }
                    return handler(error).replacing(error, isRecorded).enter(&machine)
                }
            }
        case .node(let node):
            return .step(after: node, accepting: .failure) { machine in
                let failure = machine.take(as: Failure.self)
                if machine.mustUnwind { return .cancelled }
                return handler(failure).replacing(failure, isRecorded).enter(&machine)
            }
        }
    }

    /// Returns this program, which a handler has returned for `failure`. If `isRecorded`, a trace records this.
    @inlinable
    func replacing(_ failure: some Error, _ isRecorded: Bool = true) -> EnvIO {
        if !isRecorded { return self }
        return Tracer.recovered(from: failure, to: self) { program in
            switch program.form {
            case .pure: .value(nil)
            case .fail(let failure): .failure(TraceValue(failure))
            case .sync, .node: .fallback
            }
        }
    }

    /// Returns a program that handles a failure of this program by succeeding with the result of `handler`.
    ///
    /// The failure type stays the same, so the new program can replace this program anywhere. To state in the type that
    /// no failure is left, use ``attempt()``, or `handleErrorWith` with a program that cannot fail.
    @inlinable
    public func handleError(_ handler: @escaping @Sendable (Failure) -> Value) -> EnvIO {
        mapEnd { failure in EnvIO(form: .pure(handler(failure))) }
    }

    /// Returns a program that runs `other` if this program fails.
    ///
    /// The failure of this program is ignored. Cancellation is not a failure, so `other` does not run for it.
    ///
    /// ```swift
    /// let page = fromMirror.orElse(fromOrigin)
    /// ```
    ///
    /// For another failure type, write `handleErrorWith { _ in other }`.
    @_alwaysEmitIntoClient
    public func orElse(_ other: EnvIO) -> EnvIO {
        handled { _ in other }
    }

    /// Returns a program that applies `transform` to the failure of this program.
    @_alwaysEmitIntoClient
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> EnvIO<Environment, NewFailure, Value> {
        mapEnd { failure in .fail(transform(failure)) }
    }

    /// Returns a program that applies `transformFailure` to a failure of this program, and `transform` to its value.
    ///
    /// ```swift
    /// let age = parsed.bimap({ error in FormError.age(error) }, { number in Age(number) })
    /// ```
    @_alwaysEmitIntoClient
    public func bimap<NewFailure: Error, NewValue>(
        _ transformFailure: @escaping @Sendable (Failure) -> NewFailure,
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> EnvIO<Environment, NewFailure, NewValue> {
        map(transform).mapError(transformFailure)
    }

    /// Returns a program that cannot fail, and whose value is this program's value or failure as a `Result`.
    ///
    /// A cancelled program still ends as cancelled.
    @_alwaysEmitIntoClient
    public func attempt() -> EnvIO<Environment, Never, Result<Value, Failure>> {
        map { Result<Value, Failure>.success($0) }.mapEnd { failure in .init(form: .pure(.failure(failure))) }
    }

    /// Returns a program that fails with `failure(value)` if the value of this program does not satisfy `predicate`.
    ///
    /// ```swift
    /// age.ensure({ $0 >= 18 }, otherwise: { TooYoung(age: $0) })
    /// ```
    @_alwaysEmitIntoClient
    public func ensure(
        _ predicate: @escaping @Sendable (Value) -> Bool,
        otherwise failure: @escaping @Sendable (Value) -> Failure
    ) -> EnvIO {
        flatMap { value in predicate(value) ? EnvIO(form: .pure(value)) : .fail(failure(value)) }
    }

    /// Returns a program that handles a failure of this program by running the result of `handler`, which runs nothing:
    /// its form is `pure` or `fail`.
    @inlinable
    func mapEnd<NewFailure: Error>(
        isRecorded: Bool = true, _ handler: @escaping @Sendable (Failure) -> EnvIO<Environment, NewFailure, Value>
    ) -> EnvIO<Environment, NewFailure, Value> {
        // If the failure may mean cancellation, only the machine can tell, and a single fused closure has no access to
        // it.
        let isFused = !Machine.mayBeCancellation(Failure.self)
        guard isFused, case .sync(let operation, let depth) = form, depth < Limits.depth else {
            return handled(isRecorded: isRecorded, by: handler)
        }
        let fused = { @Sendable (environment: Environment) throws(NewFailure) in
            do throws(Failure) {
                return try operation(environment)
            } catch {
                return try handler(error).replacing(error, isRecorded).runSync(environment)
            }
        }
        return .init(form: .sync(fused, depth: depth + 1))
    }
}

extension EnvIO where Failure == Never {
    /// Returns this program, which cannot fail, with another failure type.
    ///
    /// Use it where a program that can fail is expected.
    @_alwaysEmitIntoClient
    public func setFailureType<NewFailure: Error>(
        to type: NewFailure.Type = NewFailure.self
    ) -> EnvIO<Environment, NewFailure, Value> {
        // A program that cannot fail never stores a failure in the register, so its nodes are valid for any failure
        // type.
        EnvIO<Environment, NewFailure, Value>(form: .node(node))
    }

    /// Returns a program that succeeds with the value, or fails with the failure, of this program's `Result`.
    ///
    /// This is the inverse of ``attempt()``.
    @_alwaysEmitIntoClient
    public func rethrow<Success, NewFailure: Error>() -> EnvIO<Environment, NewFailure, Success>
    where Value == Result<Success, NewFailure> {
        setFailureType(to: NewFailure.self).flatMap { result in
            switch result {
            case .success(let value): .init(form: .pure(value))
            case .failure(let failure): .fail(failure)
            }
        }
    }
}
