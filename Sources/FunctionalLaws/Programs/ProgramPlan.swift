import FunctionalCore
import PropertyTesting

/// A generated program.
public typealias GeneratedProgram = EnvIO<ProgramWorld, ProgramFailure, Int>

/// A description of a program, from which the program and its expected behavior are derived.
///
/// ``program`` is the `EnvIO` that the plan describes. ``model(_:_:)`` computes the result and the log of that program
/// without the library.
///
/// The programs of ``sync(_:)``, ``throwing(_:)``, ``waiting(_:)`` and ``waitingThrowing(_:)`` append one line to the
/// log of their ``ProgramWorld``. The line contains the associated value of the case. This value is called the tag.
public indirect enum ProgramPlan: Sendable, CustomStringConvertible {
    /// A program that returns the number.
    case pure(Int)
    /// A program that fails with the code.
    case fail(Int)
    /// A program that returns the number of its world.
    case ask
    /// A synchronous program that writes one line, and returns the tag plus the number of its world.
    case sync(Int)
    /// A synchronous program that writes one line, and throws a failure with the tag as its code.
    case throwing(Int)
    /// A program that suspends, writes one line, and returns the tag minus the number of its world.
    case waiting(Int)
    /// A program that suspends, writes one line, and throws a failure with the tag as its code.
    case waitingThrowing(Int)
    /// A `map` that adds the number.
    case map(ProgramPlan, Int)
    /// A `flatMap` that adds the values of both programs.
    case then(ProgramPlan, ProgramPlan)
    /// A `zip` that returns three times the first value plus the second value.
    case zip(ProgramPlan, ProgramPlan)
    /// A `contramap` that adds the number to the number of the world.
    case local(ProgramPlan, Int)
    /// A `handleErrorWith` whose handler runs the second program and adds the code of the failure.
    case handled(ProgramPlan, ProgramPlan)
    /// A `mapError` that adds one to the code.
    case renamed(ProgramPlan)
    /// An `attempt` that returns -1 for a failure.
    case attempted(ProgramPlan)
    /// A `bracket` that returns the sum of the acquired value and the value of `use`. The release ignores the acquired
    /// value.
    case bracketed(ProgramPlan, use: ProgramPlan, release: ProgramPlan)
    /// A `binding` of two steps, the second of which uses the variable of the first.
    case bound(ProgramPlan, ProgramPlan)
    /// A `suspend` that creates the program when it runs.
    case suspended(ProgramPlan)
    /// A `race` against a program that never ends.
    case raced(ProgramPlan)
    /// A `parSequence` of both programs with a limit of one. It returns the same number as `zip`.
    case sequenced(ProgramPlan, ProgramPlan)
    /// A program in an uncancellable region.
    case masked(ProgramPlan)

    /// A short text for the program.
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
    /// Returns a generator of plans of nested programs.
    ///
    /// The plans use all cases of ``ProgramPlan``. If `isSynchronous` is `true`, they use only the cases that do not
    /// suspend.
    ///
    /// The size limits the depth. Operations are nested at most four levels deep.
    ///
    /// - Parameter isSynchronous: Whether to generate only programs that run without suspending.
    public static func programPlan(isSynchronous: Bool = false) -> Gen {
        let tag = Gen<Int>.int(in: 0...99)
        let leaves: [Gen] = [
            tag.map(ProgramPlan.pure), tag.map(ProgramPlan.fail), .always(.ask), tag.map(ProgramPlan.sync),
            tag.map(ProgramPlan.throwing),
        ]
        let waiting: [Gen] = [tag.map(ProgramPlan.waiting), tag.map(ProgramPlan.waitingThrowing)]
        let all = isSynchronous ? leaves : leaves + waiting
        let leaf = Gen<Int>.int(in: 0...all.count - 1).flatMap { all[$0] }
        // The size halves at each level, so operations are nested at most four levels deep.
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
