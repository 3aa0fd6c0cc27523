import PropertyTesting

/// A row of the shrinking challenge, <https://github.com/jlink/shrinking-challenge>: a property that does not hold, and
/// its smallest counterexample.
struct ShrinkingChallenge: Sendable {
    let name: String
    let minimum: String
    let falsify: @Sendable (PropertySettings) async -> Falsified?

    /// Creates a row from a property that holds for an input if `holds` returns true.
    init<Input>(
        _ name: String, _ generator: Gen<Input>, minimum: String,
        holds: @escaping @Sendable (Input) throws -> Bool
    ) {
        self.name = name
        self.minimum = minimum
        falsify = { settings in
            await PropertyTesting.falsify(generator, settings: settings) { input in
                let holds = try holds(input)
                try require(holds, "does not hold")
            }
        }
    }

    static let all = [
        bound5, largeUnionList, reverse, calculator, lengthList, differenceZero, differenceSmall, differenceOne,
        binaryHeap, coupling, deletion, distinct, nestedLists,
    ]
}

extension ShrinkingChallenge {
    /// The 16-bit sums overflow. The sum of each list is below 256, so a counterexample needs numbers in two lists.
    static let bound5 = {
        @Sendable func sum(_ numbers: [Int16]) -> Int16 { numbers.reduce(0, &+) }
        let list = Gen<Int16>.integer(in: .min ... .max).array(0...10).filter { sum($0) < 256 }
        return ShrinkingChallenge(
            "bound5", Gen.zip(list, list, list, list, list), minimum: "([], [], [], [-1], [-32768])"
        ) { a, b, c, d, e in sum(a + b + c + d + e) < 5 * 256 }
    }()

    static let largeUnionList = ShrinkingChallenge(
        "large_union_list", Gen.int(in: .min ... .max).array().array(), minimum: "[[0, 1, -1, 2, -2]]"
    ) { lists in Set(lists.joined()).count <= 4 }

    static let reverse = ShrinkingChallenge("reverse", Gen.int.array(), minimum: "[0, 1]") { numbers in
        numbers.reversed() == numbers
    }

    static let lengthList = {
        let lists = Gen.int(in: 1...100).flatMap { count in Gen.int(in: 0...1_000).array(count...count) }
        return ShrinkingChallenge("lengthlist", lists, minimum: "[900]") { numbers in
            numbers.allSatisfy { $0 < 900 }
        }
    }()

    static let differenceZero = difference("difference_zero", 0...0, minimum: "(10, 10)")
    static let differenceSmall = difference("difference_small", 1...4, minimum: "(10, 6)")
    static let differenceOne = difference("difference_one", 1...1, minimum: "(10, 9)")

    private static func difference(_ name: String, _ wrong: ClosedRange<Int>, minimum: String) -> ShrinkingChallenge {
        let positive = Gen.int(in: 1...Int(Int32.max))
        return ShrinkingChallenge(name, Gen.zip(positive, positive), minimum: minimum) { first, second in
            first < 10 || !wrong.contains(abs(first - second))
        }
    }

    static let coupling = ShrinkingChallenge("coupling", Gen.int(in: 0...10).array(), minimum: "[1, 0]") { numbers in
        try assume(numbers.allSatisfy { $0 < numbers.count })
        return numbers.indices.allSatisfy { numbers[$0] == $0 || numbers[numbers[$0]] != $0 }
    }

    static let deletion = {
        let lists = Gen.zip(Gen.int(in: .min ... .max).array(), Gen.int(in: 0...10))
        return ShrinkingChallenge("deletion", lists, minimum: "([0, 0], 0)") { numbers, index in
            try assume(index < numbers.count)
            var rest = numbers
            rest.remove(at: numbers.firstIndex(of: numbers[index]) ?? index)
            return !rest.contains(numbers[index])
        }
    }()

    static let distinct = ShrinkingChallenge("distinct", Gen.int.array(), minimum: "[0, 1, -1]") { numbers in
        Set(numbers).count < 3
    }

    static let nestedLists = ShrinkingChallenge(
        "nestedlists", Gen.int.array().array(), minimum: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"
    ) { lists in lists.joined().count <= 10 }
}

// MARK: - Expressions

extension ShrinkingChallenge {
    private indirect enum Expression: Sendable, CustomStringConvertible {
        case number(Int)
        case sum(Expression, Expression)
        case quotient(Expression, Expression)

        static let gen = Gen<Expression>.recursive(Gen.int.map(Expression.number)) { inner in
            let pair = Gen<(Expression, Expression)>.zip(inner, inner)
            return Gen.oneOf(pair.map { .sum($0, $1) }, pair.map { .quotient($0, $1) })
        }

        var dividesByLiteralZero: Bool {
            switch self {
            case .number: false
            case .quotient(_, .number(0)): true
            case .sum(let left, let right), .quotient(let left, let right):
                left.dividesByLiteralZero || right.dividesByLiteralZero
            }
        }

        /// The value, or `nil` after a division by zero.
        var value: Int? {
            switch self {
            case .number(let number): return number
            case .sum(let left, let right):
                guard let left = left.value, let right = right.value else { return nil }
                return left &+ right
            case .quotient(let left, let right):
                guard let left = left.value, let right = right.value, right != 0 else { return nil }
                return left / right
            }
        }

        var description: String {
            switch self {
            case .number(let number): "\(number)"
            case .sum(let left, let right): "(\(left) + \(right))"
            case .quotient(let left, let right): "(\(left) / \(right))"
            }
        }
    }

    static let calculator = ShrinkingChallenge("calculator", Expression.gen, minimum: "(0 / (0 + 0))") { expression in
        try assume(!expression.dividesByLiteralZero)
        return expression.value != nil
    }
}

// MARK: - Heaps

extension ShrinkingChallenge {
    private indirect enum Heap: Sendable, CustomStringConvertible {
        case none
        case node(Int, Heap, Heap)

        /// A heap whose numbers are `least` or larger.
        static func gen(_ least: Int, size: Int) -> Gen<Heap> {
            guard size > 0 else { return Gen.always(.none) }
            let node = Gen.int(in: least...least + 1_000).flatMap { head in
                Gen.zip(gen(head, size: size / 2), gen(head, size: size / 2)).map { Heap.node(head, $0, $1) }
            }
            return Gen.oneOf(Gen.always(.none), node)
        }

        var numbers: [Int] {
            guard case .node(let head, let left, let right) = self else { return [] }
            return [head] + right.numbers + left.numbers
        }

        static func merged(_ left: Heap, _ right: Heap) -> Heap {
            guard case .node(let leftHead, let leftLeft, let leftRight) = left else { return right }
            guard case .node(let rightHead, let rightLeft, let rightRight) = right else { return left }
            return leftHead <= rightHead
                ? .node(leftHead, merged(leftRight, right), leftLeft)
                : .node(rightHead, merged(rightRight, left), rightLeft)
        }

        /// The numbers in an order that should be sorted, and is not.
        var wronglySorted: [Int] {
            guard case .node(let head, let left, let right) = self else { return [] }
            return [head] + Heap.merged(left, right).numbers
        }

        var description: String {
            switch self {
            case .none: "None"
            case .node(let head, let left, let right): "(\(head), \(left), \(right))"
            }
        }
    }

    static let binaryHeap = ShrinkingChallenge(
        "binheap", Gen.int(in: 0...20).flatMap { Heap.gen(0, size: $0) },
        minimum: "(0, None, (0, (0, None, None), (1, None, None)))"
    ) { heap in heap.wronglySorted == heap.numbers.sorted() }
}
