extension Gen {
    /// Returns a generator that always generates `value`.
    public static func always(_ value: Value) -> Gen where Value: Sendable {
        Gen { _ throws(Discarded) in value }
    }

    /// Returns a generator of the elements of a collection. The first element is the simplest.
    ///
    /// ```swift
    /// Gen.element(of: ["", "Oslo", "Rome"])
    /// ```
    ///
    /// Traps if `values` is empty.
    ///
    /// Sort the elements of a set or a dictionary first. Their order differs between processes, so a case could not be
    /// replayed.
    public static func element(of values: some BidirectionalCollection<Value>) -> Gen where Value: Sendable {
        let values = Array(values)
        guard !values.isEmpty else { noChoice("element(of:)", "values") }
        return Gen { source throws(Discarded) in values[Int(source.choose(upTo: UInt64(values.count - 1)))] }
    }

    /// Returns a generator that uses one of several generators. The values of the first one are the simplest.
    ///
    /// All generators are equally probable. Traps if there are none.
    public static func oneOf(_ generators: Gen...) -> Gen {
        oneOf(generators)
    }

    /// Returns a generator that uses one of several generators. The values of the first one are the simplest.
    ///
    /// All generators are equally probable. Traps if there are none.
    public static func oneOf(_ generators: [Gen]) -> Gen {
        frequency(generators.map { (1, $0) })
    }

    /// Returns a generator that uses one of several generators, with a probability proportional to its weight.
    ///
    /// The values of the first generator are the simplest.
    ///
    /// ```swift
    /// Gen.frequency((9, Gen.int(in: 0...9)), (1, Gen.int))
    /// ```
    ///
    /// A generator whose weight is not positive is never used. Traps if no weight is positive, or if the sum of the
    /// weights exceeds `Int.max`.
    public static func frequency(_ choices: (weight: Int, generator: Gen)...) -> Gen {
        frequency(choices)
    }

    /// Returns a generator that uses one of several generators, with a probability proportional to its weight.
    ///
    /// The values of the first generator are the simplest. A generator whose weight is not positive is never used.
    /// Traps if no weight is positive, or if the sum of the weights exceeds `Int.max`.
    public static func frequency(_ choices: [(weight: Int, generator: Gen)]) -> Gen {
        let choices = choices.filter { $0.weight > 0 }
        guard !choices.isEmpty else { noChoice("oneOf or frequency", "generators with a positive weight") }
        let total = choices.reduce(0) { total, choice in
            let (sum, isOver) = total.addingReportingOverflow(choice.weight)
            guard !isOver else {
                fatalError("The sum of the weights of Gen.frequency exceeds Int.max. To fix, pass smaller weights.")
            }
            return sum
        }
        return Gen { source throws(Discarded) in
            // The index of the generator is recorded, so that a smaller choice leads to an earlier generator.
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

    /// Returns a generator of values that contain values of the same type, such as trees.
    ///
    /// Each level has half the size of the level that contains it. There are at most seven levels.
    ///
    /// ```swift
    /// let tree = Gen.recursive(Gen.int.map(Tree.leaf)) { inner in
    ///     Gen.zip(inner, inner).map(Tree.fork)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - leaf: Generates the values that contain no others. They are the simplest.
    ///   - branch: Returns a generator of values that contain others. Its argument generates the contained values.
    public static func recursive(_ leaf: Gen, _ branch: @escaping @Sendable (Gen) -> Gen) -> Gen {
        recursive(leaf, branch, depth: 6)
    }

    /// Returns a generator of values that are nested at most `depth` levels deep. The size does not limit the levels,
    /// because equal choices must lead to equal values at every size.
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
    /// A generator of all cases. The first case is the simplest.
    public static var allCases: Gen {
        element(of: Array(Value.allCases))
    }
}

extension Gen {
    /// A generator of optional values. One value in four is `nil`, which is the simplest.
    public var optional: Gen<Value?> {
        let present = map(Optional.some)
        return Gen<Value?>.frequency([(1, Gen<Value?> { _ throws(Discarded) in nil }), (3, present)])
    }

    /// Returns a generator of successes and failures. One result in four is a failure.
    ///
    /// Successes are the simplest. They contain the values of this generator.
    ///
    /// - Parameter failure: Generates the errors.
    public func result<Failure: Error>(failure: Gen<Failure>) -> Gen<Result<Value, Failure>> {
        Gen<Result<Value, Failure>>.frequency([
            (3, map { .success($0) }), (1, failure.map { .failure($0) }),
        ])
    }
}

private func noChoice(_ function: String, _ things: String) -> Never {
    fatalError("Gen.\(function) was given no \(things) to choose from. To fix, pass at least one.")
}
