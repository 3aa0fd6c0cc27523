import FunctionalCore
import PropertyTesting
import TestSupport

/// A generated schedule that can be printed and shrunk.
indirect enum SchedulePlan: Sendable {
    case forever
    case recurs(Int)
    case spaced(Int)
    case fixedRate(Int)
    case exponential(Int, Double)
    case fibonacci(Int)
    case whileInput(SchedulePlan, not: Int)
    case upTo(SchedulePlan, Int)
    case capped(SchedulePlan, Int)
    case jittered(SchedulePlan, seed: Int)
    case both(SchedulePlan, SchedulePlan)
    case either(SchedulePlan, SchedulePlan)
    case andThen(SchedulePlan, SchedulePlan)

    var schedule: Schedule<Int> {
        switch self {
        case .forever: .forever
        case .recurs(let count): .recurs(count)
        case .spaced(let delay): .spaced(.seconds(delay))
        case .fixedRate(let period): .fixedRate(.seconds(period + 1))
        case .exponential(let base, let factor): .exponential(base: .seconds(base), factor: factor)
        case .fibonacci(let base): .fibonacci(.seconds(base))
        case .whileInput(let plan, let last): plan.schedule.whileInput { $0 != last }
        case .upTo(let plan, let limit): plan.schedule.upTo(.seconds(limit))
        case .capped(let plan, let limit): plan.schedule.capped(at: .seconds(limit))
        case .jittered(let plan, let seed):
            plan.schedule.jittered(using: SeededGenerator(seed: UInt64(seed)))
        case .both(let left, let right): left.schedule && right.schedule
        case .either(let left, let right): left.schedule || right.schedule
        case .andThen(let first, let second): first.schedule.andThen(second.schedule)
        }
    }
}

extension Gen where Value == SchedulePlan {
    static func schedulePlan() -> Gen {
        let small = Gen<Int>.int(in: 0...9)
        let leaf = Gen.oneOf(
            small.map { .recurs($0) },
            .always(.forever),
            small.map { .spaced($0) },
            small.map { .fixedRate($0) },
            Gen<(Int, Double)>.zip(small, Gen<Double>.double(in: 0...3)).map { .exponential($0, $1) },
            small.map { .fibonacci($0) }
        )
        return .recursive(leaf) { inner in
            let pair = Gen<(SchedulePlan, SchedulePlan)>.zip(inner, inner)
            let numbered = Gen<(SchedulePlan, Int)>.zip(inner, small)
            return .oneOf(
                pair.map { .both($0, $1) },
                pair.map { .either($0, $1) },
                pair.map { .andThen($0, $1) },
                numbered.map { .whileInput($0, not: $1) },
                numbered.map { .upTo($0, $1 * 4) },
                numbered.map { .capped($0, $1) },
                numbered.map { .jittered($0, seed: $1) }
            )
        }
    }
}
