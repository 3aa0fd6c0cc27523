extension EnvIO {
    /// This program with `transform` applied to its value. `transform` runs once in each run, right after this program,
    /// on the same thread.
    ///
    /// ```swift
    /// EnvIO<Void, Never, Int>.pure(2).map { $0 + 1 }  // ends in 3
    /// ```
    @inlinable
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> EnvIO<Environment, Failure, NewValue> {
        switch form {
        case .pure(let value):
            let value = Unchecked(value)
            return EnvIO<Environment, Failure, NewValue>(form: .sync({ _ in transform(value.value) }, depth: 1))
        case .fail(let failure):
            return EnvIO<Environment, Failure, NewValue>(form: .fail(failure))
        case .sync(let operation, let depth) where depth < Limits.depth:
            return EnvIO<Environment, Failure, NewValue>(
                form: .sync(
                    { environment throws(Failure) in transform(try operation(environment)) },
                    depth: depth + 1
                )
            )
        case .sync, .node:
            return EnvIO<Environment, Failure, NewValue>(
                form: .node(
                    Node(source: node, accepting: .value) { machine in
                        let value = machine.take(as: Value.self)
                        if machine.mustUnwind { return .cancelled }
                        machine.put(transform(value))
                        return .value
                    }
                )
            )
        }
    }

    /// This program, and then the one that `next` makes of its value. A failure ends the whole; `next` does not run.
    ///
    /// Chains of any length run in constant stack, nested to the left or to the right.
    @inlinable
    public func flatMap<NewValue>(
        _ next: @escaping @Sendable (Value) -> EnvIO<Environment, Failure, NewValue>
    ) -> EnvIO<Environment, Failure, NewValue> {
        switch form {
        case .pure(let value):
            let value = Unchecked(value)
            return EnvIO<Environment, Failure, NewValue>(
                form: .node(Node { machine in next(value.value).enter(&machine) })
            )
        case .fail(let failure):
            return EnvIO<Environment, Failure, NewValue>(form: .fail(failure))
        case .sync(let operation, let depth):
            return EnvIO<Environment, Failure, NewValue>(
                form: .node(
                    Node { machine in
                        machine.countCalls(depth)
                        do throws(Failure) {
                            return next(try operation(machine.environment(as: Environment.self))).enter(&machine)
                        } catch {
                            return machine.end(throwing: error)
                        }
                    }
                )
            )
        case .node(let node):
            return EnvIO<Environment, Failure, NewValue>(
                form: .node(
                    Node(source: node, accepting: .value) { machine in
                        let value = machine.take(as: Value.self)
                        return machine.mustUnwind ? .cancelled : next(value).enter(&machine)
                    }
                )
            )
        }
    }

    /// This program and then `other`, and both values. A failure of this one means that `other` does not begin.
    @inlinable
    public func zip<Other>(
        _ other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, (Value, Other)> {
        flatMap { value in
            let value = Unchecked(value)
            return other.map { (value.value, $0) }
        }
    }

    /// Returns a program that runs this program and then the others, one after the other, and ends in all values.
    ///
    /// ```swift
    /// let (name, age, town) = try await askName.zip(askAge, askTown).run(terminal)
    /// ```
    ///
    /// Where a program among several is made of a closure, spell its type: `EnvIO<Terminal, any Error, Int> { … }` and
    /// not `.init { … }`, which the 6.3 compiler takes for a closure that may not be shared.
    ///
    /// A closure of one expression that adds up several of the values takes the compiler too long to check. Compute the
    /// result in a statement of its own: `.map { values in let sum = values.0 + values.1 + values.2; return sum }`.
    // Disfavored, so that a failure mismatch of two programs is reported as one, and not as two equal candidates.
    @_disfavoredOverload
    public func zip<each Other>(
        _ others: repeat EnvIO<Environment, Failure, each Other>
    ) -> EnvIO<Environment, Failure, (Value, repeat each Other)> {
        var programs = [map { $0 as Any }]
        repeat programs.append((each others).map { $0 as Any })
        return .collecting(programs, TupleAssembly<Value, repeat each Other>().assemble)
    }

    /// Runs `programs` one after the other and makes their values one.
    private static func collecting<Whole>(
        _ programs: [EnvIO<Environment, Failure, Any>],
        _ assemble: @escaping @Sendable ([Any]) -> Whole
    ) -> EnvIO<Environment, Failure, Whole> {
        programs.reduce(EnvIO<Environment, Failure, [Any]>(form: .pure([]))) { collected, program in
            collected.zip(program).map { $0 + [$1] }
        }
        .map(assemble)
    }

    /// This program and then `other`, and the value of `other` alone.
    @inlinable
    public func followed<Other>(
        by other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, Other> {
        flatMap { _ in other }
    }

    /// This program with `value` in place of its own.
    @inlinable
    public func `as`<NewValue: Sendable>(_ value: NewValue) -> EnvIO<Environment, Failure, NewValue> {
        map { _ in value }
    }

    /// This program without its value.
    @inlinable
    public var void: EnvIO<Environment, Failure, Void> {
        map { _ in }
    }
}

extension EnvIO {
    /// The program that runs the program which this one ends in.
    @inlinable
    public func flatten<Inner>() -> EnvIO<Environment, Failure, Inner>
    where Value == EnvIO<Environment, Failure, Inner> {
        flatMap { $0 }
    }
}
