import FunctionalCore
import PropertyTesting

/// The state of generated `State` programs.
struct StateCells: Equatable, Sendable {
    var a = 0
    var b = 0
    var seen: [Int] = []
}

/// A description of a `State` program, from which the program is created.
indirect enum StatePlan: Sendable {
    /// A program that returns the number.
    case pure(Int)
    /// An `inspect` that returns the first number of the state plus the number.
    case inspect(Int)
    /// An `update` that appends the number to the list in place, and returns the count of the list.
    case append(Int)
    /// A `modify` that swaps the numbers of the state, adds the number to the second, and returns the number.
    case swap(Int)
    /// A `map` that doubles the value and adds the number.
    case map(StatePlan, Int)
    /// A `flatMap` that subtracts the first value from the second.
    case then(StatePlan, StatePlan)
    /// A `zip` that adds the values of both programs.
    case zip(StatePlan, StatePlan)

    /// The program that this plan describes.
    var program: State<StateCells, Int> {
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
    /// A generator of nested programs, made of all cases. The size of the case limits the depth.
    static var statePlan: Gen {
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
    /// A generator of states with up to three elements in the list.
    static var stateCells: Gen {
        let number = Gen<Int>.int(in: -9...9)
        return Gen<(Int, Int, [Int])>.zip(number, number, number.array(0...3)).map {
            StateCells(a: $0, b: $1, seen: $2)
        }
    }
}
