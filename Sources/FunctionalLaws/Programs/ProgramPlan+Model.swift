extension ProgramPlan {
    /// Computes the result of the program without the library.
    ///
    /// - Parameters:
    ///   - number: The number of the world.
    ///   - log: The log to which the lines of the program are appended.
    /// - Returns: The value or the failure of the program.
    public func model(_ number: Int, _ log: inout [String]) -> Result<Int, ProgramFailure> {
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
