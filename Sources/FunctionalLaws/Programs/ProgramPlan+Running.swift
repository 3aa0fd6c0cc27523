import FunctionalCore

extension ProgramPlan {
    /// The program that this plan describes.
    public var program: GeneratedProgram {
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

    /// A Boolean value that indicates whether the program runs without suspending.
    public var isSynchronous: Bool {
        switch self {
        case .pure, .fail, .ask, .sync, .throwing: true
        case .waiting, .waitingThrowing, .raced, .sequenced: false
        case .map(let plan, _), .local(let plan, _), .renamed(let plan), .attempted(let plan), .suspended(let plan),
            .masked(let plan):
            plan.isSynchronous
        case .then(let first, let second), .zip(let first, let second), .handled(let first, let second),
            .bound(let first, let second):
            first.isSynchronous && second.isSynchronous
        case .bracketed(let acquire, let use, let release):
            acquire.isSynchronous && use.isSynchronous && release.isSynchronous
        }
    }
}
