import FunctionalCore
import PropertyTesting

/// What generated `State` programs change.
public struct StateCells: Equatable, Sendable {
    /// A number.
    public var a = 0
    /// Another number.
    public var b = 0
    /// A list, which grows.
    public var seen: [Int] = []

    /// Cells with these contents.
    public init(a: Int = 0, b: Int = 0, seen: [Int] = []) {
        self.a = a
        self.b = b
        self.seen = seen
    }
}

/// A `State` program as data: it can be turned into a program, and it prints.
public indirect enum StatePlan: Sendable {
    /// Ends in a number.
    case pure(Int)
    /// Ends in one of the cells and a number.
    case inspect(Int)
    /// Appends to the list, in place.
    case append(Int)
    /// Swaps the cells and adds.
    case swap(Int)
    /// `map`
    case map(StatePlan, Int)
    /// `flatMap`
    case then(StatePlan, StatePlan)
    /// `zip`
    case zip(StatePlan, StatePlan)

    /// It as a program of the library.
    public var program: State<StateCells, Int> {
        switch self {
        case .pure(let number): return .pure(number)
        case .inspect(let number): return .inspect { $0.a &+ number }
        case .append(let number):
            return .update {
                $0.seen.append(number)
                return $0.seen.count
            }
        case .swap(let number):
            return State.modify { StateCells(a: $0.b, b: $0.a &+ number, seen: $0.seen) }.as(number)
        case .map(let plan, let number): return plan.program.map { $0 &* 2 &+ number }
        case .then(let first, let second):
            let second = second.program
            return first.program.flatMap { value in second.map { $0 &- value } }
        case .zip(let first, let second): return first.program.zip(second.program).map { $0 &+ $1 }
        }
    }
}

extension Gen where Value == StatePlan {
    /// Whole programs of every constructor, as deep as the size allows.
    public static var statePlan: Gen {
        let number = Gen<Int>.int(in: 0...9)
        let leaf = oneOf(
            number.map { .pure($0) }, number.map { .inspect($0) }, number.map { .append($0) },
            number.map { .swap($0) })
        return recursive(leaf) { inner in
            let two = Gen<(StatePlan, StatePlan)>.zip(inner, inner)
            return oneOf(
                Gen<(StatePlan, Int)>.zip(inner, number).map { .map($0, $1) },
                two.map { .then($0, $1) },
                two.map { .zip($0, $1) }
            )
        }
        .resized { min($0, 16) }
    }
}

extension Gen where Value == StateCells {
    /// Cells of any contents.
    public static var stateCells: Gen {
        let number = Gen<Int>.int(in: -9...9)
        return Gen<(Int, Int, [Int])>.zip(number, number, number.array(0...3)).map {
            StateCells(a: $0, b: $1, seen: $2)
        }
    }
}
