extension EnvIO {
    /// Returns a program that applies `transform` to the value of this program.
    ///
    /// The run calls `transform` directly after this program has succeeded, on the same thread. It does not call
    /// `transform` if this program fails, or if the run has been found to be cancelled.
    ///
    /// ```swift
    /// EnvIO<Void, Never, Int>.pure(2).map { $0 + 1 }  // succeeds with 3
    /// ```
    @inlinable
    public func map<NewValue>(
        _ transform: @escaping @Sendable (Value) -> NewValue
    ) -> EnvIO<Environment, Failure, NewValue> {
        switch form {
        case .pure(let value):
            let value = Unchecked(value)
            return .init(form: .sync({ _ in transform(value.value) }, depth: 1))
        case .fail(let failure):
            return .fail(failure)
        case .sync(let operation, let depth) where depth < Limits.depth:
            return .init(
                form: .sync(
                    { environment throws(Failure) in transform(try operation(environment)) }, depth: depth + 1))
        case .sync, .node:
            return .step(after: node, accepting: .value) { machine in
                let value = machine.take(as: Value.self)
                if machine.mustUnwind { return .cancelled }
                machine.put(transform(value))
                return .value
            }
        }
    }

    /// Returns a program that runs this program, and then the program that `next` returns for its value.
    ///
    /// If this program fails, the whole program fails and `next` is not called. Chains of any length run in constant
    /// stack space, whether they are nested to the left or to the right.
    @inlinable
    public func flatMap<NewValue>(
        _ next: @escaping @Sendable (Value) -> EnvIO<Environment, Failure, NewValue>
    ) -> EnvIO<Environment, Failure, NewValue> {
        switch form {
        case .pure(let value):
            let value = Unchecked(value)
            return .step { machine in next(value.value).enter(&machine) }
        case .fail(let failure):
            return .fail(failure)
        case .sync(let operation, let depth):
            return .step { machine in
                machine.countCalls(depth)
                do throws(Failure) {
                    return next(try operation(machine.environment(as: Environment.self))).enter(&machine)
                } catch {
                    return machine.end(throwing: error)
                }
            }
        case .node(let node):
            return .step(after: node, accepting: .value) { machine in
                let value = machine.take(as: Value.self)
                return machine.mustUnwind ? .cancelled : next(value).enter(&machine)
            }
        }
    }

    /// Returns a program that runs this program and then `other`, and succeeds with both values.
    ///
    /// If this program fails, `other` does not start. To run both at once, use `parZip(_:)`.
    @_alwaysEmitIntoClient
    public func zip<Other>(
        _ other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, (Value, Other)> {
        flatMap { value in
            let value = Unchecked(value)
            return other.map { (value.value, $0) }
        }
    }

    /// Returns a program that runs this program and then each of `others` in order, and succeeds with all values.
    ///
    /// ```swift
    /// let (name, age, town) = try await askName.zip(askAge, askTown).run(terminal)
    /// ```
    ///
    /// To pass a program that is created from a closure, write its full type: `EnvIO<Terminal, any Error, Int> { … }`.
    /// The Swift 6.3 compiler rejects `.init { … }` here, because it does not infer the closure as `@Sendable`.
    ///
    /// If a `map` closure adds several of the values in a single expression, the compiler takes too long to type-check
    /// it. Compute the result in a separate statement:
    /// `.map { values in let sum = values.0 + values.1 + values.2; return sum }`.
    // Disfavored, so that the compiler reports two programs with different failure types as such, not as two equally
    // good candidates.
    @_disfavoredOverload
    public func zip<each Other>(
        _ others: repeat EnvIO<Environment, Failure, each Other>
    ) -> EnvIO<Environment, Failure, (Value, repeat each Other)> {
        var programs = [map { $0 as Any }]
        repeat programs.append((each others).map { $0 as Any })
        return programs.traverse { $0 }.map(TupleAssembly<Value, repeat each Other>().assemble)
    }

    /// Returns a program that runs this program and then `other`, and succeeds with the value of `other`.
    @_alwaysEmitIntoClient
    public func followed<Other>(
        by other: EnvIO<Environment, Failure, Other>
    ) -> EnvIO<Environment, Failure, Other> {
        flatMap { _ in other }
    }

    /// Returns a program that runs this program, and succeeds with `value` instead of this program's value.
    @_alwaysEmitIntoClient
    public func `as`<NewValue: Sendable>(_ value: NewValue) -> EnvIO<Environment, Failure, NewValue> {
        map { _ in value }
    }

    /// This program with its value discarded.
    @_alwaysEmitIntoClient
    public var void: EnvIO<Environment, Failure, Void> {
        map { _ in }
    }
}

extension EnvIO {
    /// Returns a program that runs this program and discards its value if `condition` is `true`, and otherwise does
    /// nothing.
    ///
    /// ```swift
    /// let buying = buy.flatTap { order in notify(order).when(order.isGift) }
    /// ```
    ///
    /// `condition` is known when the program is created. If a program computes it, use `flatMap`. In cats, this
    /// operation is `whenA`.
    @_alwaysEmitIntoClient
    public func when(_ condition: Bool) -> EnvIO<Environment, Failure, Void> {
        condition ? void : .pure(())
    }

    /// Returns a program that runs this program and discards its value if `condition` is `false`, and otherwise does
    /// nothing.
    ///
    /// This is ``when(_:)`` with the opposite condition. In cats, this operation is `unlessA`.
    @_alwaysEmitIntoClient
    public func unless(_ condition: Bool) -> EnvIO<Environment, Failure, Void> { when(!condition) }

    /// Returns a program that runs this program, and then the program that it succeeds with.
    @_alwaysEmitIntoClient
    public func flatten<Inner>() -> EnvIO<Environment, Failure, Inner>
    where Value == EnvIO<Environment, Failure, Inner> {
        flatMap { $0 }
    }
}

/// Assembles a tuple from values whose types are erased.
///
/// It is a type and not a function, because a closure that captures a parameter pack crashes the Swift 6.3 compiler.
struct TupleAssembly<each Value>: Sendable {
    func assemble(_ values: [Any]) -> (repeat each Value) {
        var remaining = values[...]
        func next<One>(_: One.Type) -> One {
            // A cast of `Any?` would turn a `nil` of a type such as `Any?` or `Int??` into a value.
            guard let erased = remaining.popFirst(), let value = erased as? One else {
                programmerError("A program of a zip ended with a value of another type than its own.")
            }
            return value
        }
        return (repeat next((each Value).self))
    }
}
