import FunctionalCore
import PropertyTesting
import TestSupport

/// A generated program.
typealias GeneratedProgram = EnvIO<ProgramWorld, ProgramFailure, Int>

/// A description of a program, from which the program and its expected behavior are derived.
///
/// The programs of `sync(_:)`, `throwing(_:)`, `waiting(_:)` and `waitingThrowing(_:)` append one line to the
/// log of their `ProgramWorld`. The line contains the associated value of the case. This value is called the tag.
indirect enum ProgramPlan: Sendable {
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
}

extension ProgramPlan {
    /// The program that this plan describes.
    var program: GeneratedProgram {
        switch self {
        case .pure(let number):
            return .pure(number)
        case .fail(let code):
            return .fail(ProgramFailure(code: code))
        case .ask:
            return .access { $0.number }
        case .sync(let tag):
            return GeneratedProgram { (world: ProgramWorld) throws(ProgramFailure) -> Int in
                world.log.append("sync \(tag) \(world.number)")
                return tag &+ world.number
            }
        case .throwing(let tag):
            return GeneratedProgram { (world: ProgramWorld) throws(ProgramFailure) -> Int in
                world.log.append("throwing \(tag)")
                throw ProgramFailure(code: tag)
            }
        case .waiting(let tag):
            return GeneratedProgram { (world: ProgramWorld) async throws(ProgramFailure) -> Int in
                await Task.yield()
                world.log.append("waiting \(tag) \(world.number)")
                return tag &- world.number
            }
        case .waitingThrowing(let tag):
            return GeneratedProgram { (world: ProgramWorld) async throws(ProgramFailure) -> Int in
                await Task.yield()
                world.log.append("waitingThrowing \(tag)")
                throw ProgramFailure(code: tag)
            }
        case .map(let plan, let number):
            return plan.program.map { $0 &+ number }
        case .then(let first, let second):
            let second = second.program
            return first.program.flatMap { value in second.map { value &+ $0 } }
        case .zip(let first, let second):
            return first.program.zip(second.program).map { $0 &* 3 &+ $1 }
        case .local(let plan, let number):
            return plan.program.contramap { ProgramWorld(number: $0.number &+ number, log: $0.log) }
        case .handled(let plan, let handler):
            let handler = handler.program
            return plan.program.handleErrorWith { failure in handler.map { $0 &+ failure.code } }
        case .renamed(let plan):
            return plan.program.mapError { ProgramFailure(code: $0.code &+ 1) }
        case .attempted(let plan):
            return plan.program.attempt().setFailureType().map { (try? $0.get()) ?? -1 }
        case .bracketed(let acquire, let use, let release):
            let (use, release) = (use.program, release.program)
            return .bracket(
                acquire: acquire.program, release: { _ in release.void }, use: { value in use.map { $0 &+ value } })
        case .bound(let first, let second):
            let (a, b) = (GeneratedProgram.var(), GeneratedProgram.var())
            let (first, second) = (first.program, second.program)
            return binding(a <- first, b <- second.map { $0 &+ a.get }, yield: a.get &* 5 &+ b.get)
        case .suspended(let plan):
            return .suspend { plan.program }
        case .raced(let plan):
            return plan.program.race(.never)
        case .sequenced(let first, let second):
            return [first.program, second.program].parSequence(limit: 1).map { $0[0] &* 3 &+ $0[1] }
        case .masked(let plan):
            return plan.program.uncancellable()
        }
    }
}

extension ProgramPlan {
    /// Computes the result of the program without the library.
    ///
    /// - Parameters:
    ///   - number: The number of the world.
    ///   - log: The log to which the lines of the program are appended.
    /// - Returns: The value or the failure of the program.
    func model(_ number: Int, _ log: inout [String]) -> Result<Int, ProgramFailure> {
        switch self {
        case .pure(let value):
            return .success(value)
        case .fail(let code):
            return .failure(ProgramFailure(code: code))
        case .ask:
            return .success(number)
        case .sync(let tag):
            log.append("sync \(tag) \(number)")
            return .success(tag &+ number)
        case .throwing(let tag):
            log.append("throwing \(tag)")
            return .failure(ProgramFailure(code: tag))
        case .waiting(let tag):
            log.append("waiting \(tag) \(number)")
            return .success(tag &- number)
        case .waitingThrowing(let tag):
            log.append("waitingThrowing \(tag)")
            return .failure(ProgramFailure(code: tag))
        case .map(let plan, let added):
            return plan.model(number, &log).map { $0 &+ added }
        case .then(let first, let second):
            return first.model(number, &log).flatMap { value in second.model(number, &log).map { value &+ $0 } }
        case .zip(let first, let second):
            return first.model(number, &log).flatMap { a in second.model(number, &log).map { a &* 3 &+ $0 } }
        case .local(let plan, let added):
            return plan.model(number &+ added, &log)
        case .handled(let plan, let handler):
            return plan.model(number, &log).flatMapError { failure in
                handler.model(number, &log).map { $0 &+ failure.code }
            }
        case .renamed(let plan):
            return plan.model(number, &log).mapError { ProgramFailure(code: $0.code &+ 1) }
        case .attempted(let plan):
            return .success((try? plan.model(number, &log).get()) ?? -1)
        case .bracketed(let acquire, let use, let release):
            return acquire.model(number, &log).flatMap { value in
                let used = use.model(number, &log).map { $0 &+ value }
                let released = release.model(number, &log)
                if case .success = used, case .failure(let failure) = released { return .failure(failure) }
                return used
            }
        case .bound(let first, let second):
            return first.model(number, &log).flatMap { a in
                second.model(number, &log).map { a &* 5 &+ ($0 &+ a) }
            }
        case .suspended(let plan), .raced(let plan), .masked(let plan):
            return plan.model(number, &log)
        case .sequenced(let first, let second):
            return ProgramPlan.zip(first, second).model(number, &log)
        }
    }
}

extension Gen where Value == ProgramPlan {
    /// Returns a generator of plans of nested programs.
    ///
    /// The plans use all cases of `ProgramPlan`. If `isSynchronous` is `true`, they use only the cases that do not
    /// suspend.
    ///
    /// The size limits the depth. Operations are nested at most four levels deep.
    ///
    /// - Parameter isSynchronous: Whether to generate only programs that run without suspending.
    static func programPlan(isSynchronous: Bool = false) -> Gen {
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
