extension Gen {
    /// Always `value`.
    public static func always(_ value: Value) -> Gen where Value: Sendable {
        Gen { _ throws(Discarded) in value }
    }

    /// One of `values`; the first is the simplest. Stops the process when there are none.
    ///
    /// ```swift
    /// Gen.element(of: ["", "Oslo", "Rome"])
    /// ```
    ///
    /// Sets and dictionaries have another order in each process, so that nothing could be replayed: sort them first.
    public static func element(of values: some BidirectionalCollection<Value>) -> Gen where Value: Sendable {
        let values = Array(values)
        guard !values.isEmpty else { noChoice("element(of:)", "values") }
        return Gen { source throws(Discarded) in values[Int(source.choose(upTo: UInt64(values.count - 1)))] }
    }

    /// The values of one of `generators`; those of the first are the simplest.
    public static func oneOf(_ generators: Gen...) -> Gen {
        oneOf(generators)
    }

    /// The values of one of `generators`; those of the first are the simplest. Stops the process when there are none.
    public static func oneOf(_ generators: [Gen]) -> Gen {
        frequency(generators.map { (1, $0) })
    }

    /// The values of one of `choices`, by weight; those of the first are the simplest.
    ///
    /// ```swift
    /// Gen.frequency((9, Gen.int(in: 0...9)), (1, Gen.int))
    /// ```
    ///
    /// A weight of zero is never chosen. Stops the process when no weight is positive.
    public static func frequency(_ choices: (weight: Int, generator: Gen)...) -> Gen {
        frequency(choices)
    }

    /// The values of one of `choices`, by weight; those of the first are the simplest.
    ///
    /// A weight of zero is never chosen. Stops the process when no weight is positive.
    public static func frequency(_ choices: [(weight: Int, generator: Gen)]) -> Gen {
        let choices = choices.filter { $0.weight > 0 }
        guard !choices.isEmpty else { noChoice("oneOf or frequency", "generators with a positive weight") }
        let total = choices.reduce(0) { $0 + $1.weight }
        return Gen { source throws(Discarded) in
            // What is recorded is which one, not where in the weights: the smaller number is the earlier generator.
            let chosen = source.choose(upTo: UInt64(choices.count - 1)) { random, _ in
                var rest = Int(random.next(upTo: UInt64(total - 1)))
                for (index, choice) in choices.enumerated() {
                    rest -= choice.weight
                    if rest < 0 { return UInt64(index) }
                }
                return 0
            }
            return try choices[Int(chosen)].generator.run(&source)
        }
    }

    /// Values that contain values of their own kind: trees, lists, expressions.
    ///
    /// `leaf` makes those that contain none; `branch` gets the generator of what is inside, which is smaller, and makes
    /// the others. Each level has half the size of the one around it, and there are seven levels at most.
    ///
    /// ```swift
    /// let tree = Gen.recursive(Gen.int.map(Tree.leaf)) { inner in
    ///     Gen.zip(inner, inner).map(Tree.fork)
    /// }
    /// ```
    public static func recursive(_ leaf: Gen, _ branch: @escaping @Sendable (Gen) -> Gen) -> Gen {
        recursive(leaf, branch, depth: 6)
    }

    /// The depth, and not the size, bounds the nesting: choices that are repeated at another size mean the same.
    private static func recursive(
        _ leaf: Gen, _ branch: @escaping @Sendable (Gen) -> Gen, depth: Int
    ) -> Gen {
        guard depth > 0 else { return leaf }
        return Gen { source throws(Discarded) in
            let size = source.size
            let branches = source.choose(upTo: 1) { random, _ in size > 1 && random.next(upTo: 3) > 0 ? 1 : 0 } == 1
            guard branches else { return try leaf.run(&source) }
            return try branch(recursive(leaf, branch, depth: depth - 1).resized { $0 / 2 }).run(&source)
        }
    }
}

extension Gen where Value: CaseIterable & Sendable {
    /// Every case; the first is the simplest.
    public static var allCases: Gen {
        element(of: Array(Value.allCases))
    }
}

extension Gen {
    /// `nil`, one time in four, or a value.
    public var optional: Gen<Value?> {
        let present = map(Optional.some)
        return Gen<Value?>.frequency([(1, Gen<Value?> { _ throws(Discarded) in nil }), (3, present)])
    }

    /// A success with a value or, one time in four, a failure with an error of `failure`.
    public func result<Failure: Error>(failure: Gen<Failure>) -> Gen<Result<Value, Failure>> {
        Gen<Result<Value, Failure>>.frequency([
            (3, map { .success($0) }), (1, failure.map { .failure($0) }),
        ])
    }
}

private func noChoice(_ function: String, _ things: String) -> Never {
    fatalError("Gen.\(function) was given no \(things) to choose from. To fix, pass at least one.")
}
