import FunctionalCore
import PropertyTesting

/// A program that was generated.
public typealias GeneratedProgram = EnvIO<ProgramWorld, ProgramFailure, Int>

/// A program as data: it can be turned into an `EnvIO`, it can be interpreted by a model that needs no
/// library, and it prints.
public indirect enum ProgramPlan: Sendable, CustomStringConvertible {
    /// Ends in a number.
    case pure(Int)
    /// Fails.
    case fail(Int)
    /// Ends in the number of the world.
    case ask
    /// Writes, and ends in a number, at once.
    case sync(Int)
    /// Writes, and fails.
    case throwing(Int)
    /// Waits, writes, and ends in a number.
    case waiting(Int)
    /// Waits, writes, and fails.
    case waitingThrowing(Int)
    /// `map`
    case map(ProgramPlan, Int)
    /// `flatMap`
    case then(ProgramPlan, ProgramPlan)
    /// `zip`
    case zip(ProgramPlan, ProgramPlan)
    /// `contramap`, to another number.
    case local(ProgramPlan, Int)
    /// `handleErrorWith`
    case handled(ProgramPlan, ProgramPlan)
    /// `mapError`
    case renamed(ProgramPlan)
    /// `attempt`
    case attempted(ProgramPlan)
    /// `bracket`
    case bracketed(ProgramPlan, use: ProgramPlan, release: ProgramPlan)
    /// `binding` of two steps.
    case bound(ProgramPlan, ProgramPlan)
    /// `suspend`
    case suspended(ProgramPlan)
    /// `race`, which it wins.
    case raced(ProgramPlan)
    /// `parSequence`, with a limit of one.
    case sequenced(ProgramPlan, ProgramPlan)
    /// `uncancellable`
    case masked(ProgramPlan)

    /// The program in a few words.
    public var description: String {
        switch self {
        case .pure(let number): "pure \(number)"
        case .fail(let code): "fail \(code)"
        case .ask: "ask"
        case .sync(let tag): "sync \(tag)"
        case .throwing(let tag): "throwing \(tag)"
        case .waiting(let tag): "waiting \(tag)"
        case .waitingThrowing(let tag): "waitingThrowing \(tag)"
        case .map(let plan, let number): "(\(plan)).map+\(number)"
        case .then(let first, let second): "(\(first)).then(\(second))"
        case .zip(let first, let second): "zip(\(first), \(second))"
        case .local(let plan, let number): "(\(plan)).local+\(number)"
        case .handled(let plan, let handler): "(\(plan)).handled(\(handler))"
        case .renamed(let plan): "(\(plan)).renamed"
        case .attempted(let plan): "(\(plan)).attempted"
        case .bracketed(let acquire, let use, let release): "bracket(\(acquire), \(use), \(release))"
        case .bound(let first, let second): "bound(\(first), \(second))"
        case .suspended(let plan): "suspended(\(plan))"
        case .raced(let plan): "(\(plan)).raced"
        case .sequenced(let first, let second): "sequenced(\(first), \(second))"
        case .masked(let plan): "(\(plan)).masked"
        }
    }
}

extension Gen where Value == ProgramPlan {
    /// Whole programs of every constructor, as deep as the size allows; those that need no task when `isSynchronous`.
    public static func programPlan(isSynchronous: Bool = false) -> Gen {
        let tag = Gen<Int>.int(in: 0...99)
        let leaves: [Gen] = [
            tag.map(ProgramPlan.pure), tag.map(ProgramPlan.fail), .always(.ask), tag.map(ProgramPlan.sync),
            tag.map(ProgramPlan.throwing),
        ]
        let waiting: [Gen] = [tag.map(ProgramPlan.waiting), tag.map(ProgramPlan.waitingThrowing)]
        let all = isSynchronous ? leaves : leaves + waiting
        let leaf = Gen<Int>.int(in: 0...all.count - 1).flatMap { all[$0] }
        // Half as large at each level, and never more than four levels deep.
        return recursive(leaf) { inner in
            let two = Gen<(ProgramPlan, ProgramPlan)>.zip(inner, inner)
            let atOnce: [Gen] = [inner.map { .raced($0) }, two.map { .sequenced($0, $1) }]
            let composed: [Gen] = [
                Gen<(ProgramPlan, Int)>.zip(inner, tag).map { .map($0, $1) },
                two.map { .then($0, $1) },
                two.map { .zip($0, $1) },
                Gen<(ProgramPlan, Int)>.zip(inner, tag).map { .local($0, $1) },
                two.map { .handled($0, $1) },
                inner.map { .renamed($0) },
                inner.map { .attempted($0) },
                Gen<(ProgramPlan, ProgramPlan, ProgramPlan)>.zip(inner, inner, inner).map {
                    .bracketed($0, use: $1, release: $2)
                },
                two.map { .bound($0, $1) },
                inner.map { .suspended($0) },
                inner.map { .masked($0) },
            ]
            let all = isSynchronous ? composed : composed + atOnce
            return Gen<Int>.int(in: 0...all.count - 1).flatMap { all[$0] }
        }
        .resized { min($0, 16) }
    }
}
