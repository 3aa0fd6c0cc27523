import FunctionalCore
import TestSupport

/// What the generated programs fail with.
struct Failed: Error, Equatable {
    var code: Int
}

/// What the generated programs run in: a number, and where they write what they do.
struct World: Sendable {
    var number: Int
    let log: Log
}

typealias Program = EnvIO<World, Failed, Int>

/// A program as data: it can be turned into an `EnvIO`, and it can be interpreted by a model that needs no library.
indirect enum Plan: Sendable, CustomStringConvertible {
    case pure(Int)
    case fail(Int)
    case ask
    case sync(Int)
    case throwing(Int)
    case waiting(Int)
    case waitingThrowing(Int)
    case map(Plan, Int)
    case then(Plan, Plan)
    case zip(Plan, Plan)
    case local(Plan, Int)
    case handled(Plan, Plan)
    case renamed(Plan)
    case attempted(Plan)
    case bracketed(Plan, use: Plan, release: Plan)
    case bound(Plan, Plan)
    case suspended(Plan)

    var description: String {
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
        }
    }
}

// MARK: - As a program of the library

extension Plan {
    var program: Program {
        switch self {
        case .pure(let number):
            return .pure(number)
        case .fail(let code):
            return .fail(Failed(code: code))
        case .ask:
            return .access { $0.number }
        case .sync(let tag):
            return Program { (world: World) throws(Failed) -> Int in
                world.log.append("sync \(tag) \(world.number)")
                return tag &+ world.number
            }
        case .throwing(let tag):
            return Program { (world: World) throws(Failed) -> Int in
                world.log.append("throwing \(tag)")
                throw Failed(code: tag)
            }
        case .waiting(let tag):
            return Program { (world: World) async throws(Failed) -> Int in
                await Task.yield()
                world.log.append("waiting \(tag) \(world.number)")
                return tag &- world.number
            }
        case .waitingThrowing(let tag):
            return Program { (world: World) async throws(Failed) -> Int in
                await Task.yield()
                world.log.append("waitingThrowing \(tag)")
                throw Failed(code: tag)
            }
        case .map(let plan, let number):
            return plan.program.map { $0 &+ number }
        case .then(let first, let second):
            let second = second.program
            return first.program.flatMap { value in second.map { value &+ $0 } }
        case .zip(let first, let second):
            return first.program.zip(second.program).map { $0 &* 3 &+ $1 }
        case .local(let plan, let number):
            return plan.program.contramap { World(number: $0.number &+ number, log: $0.log) }
        case .handled(let plan, let handler):
            let handler = handler.program
            return plan.program.handleErrorWith { failure in handler.map { $0 &+ failure.code } }
        case .renamed(let plan):
            return plan.program.mapError { Failed(code: $0.code &+ 1) }
        case .attempted(let plan):
            return plan.program.attempt().setFailureType().map { (try? $0.get()) ?? -1 }
        case .bracketed(let acquire, let use, let release):
            let (use, release) = (use.program, release.program)
            return .bracket(
                acquire: acquire.program, release: { _ in release.void }, use: { value in use.map { $0 &+ value } })
        case .bound(let first, let second):
            let (a, b) = (Program.var(), Program.var())
            let (first, second) = (first.program, second.program)
            return binding(a <- first, b <- second.map { $0 &+ a.get }, yield: a.get &* 5 &+ b.get)
        case .suspended(let plan):
            return .suspend { plan.program }
        }
    }

    /// Whether running it needs no task.
    var isSynchronous: Bool {
        switch self {
        case .pure, .fail, .ask, .sync, .throwing: true
        case .waiting, .waitingThrowing: false
        case .map(let plan, _), .local(let plan, _), .renamed(let plan), .attempted(let plan), .suspended(let plan):
            plan.isSynchronous
        case .then(let first, let second), .zip(let first, let second), .handled(let first, let second),
            .bound(let first, let second):
            first.isSynchronous && second.isSynchronous
        case .bracketed(let acquire, let use, let release):
            acquire.isSynchronous && use.isSynchronous && release.isSynchronous
        }
    }
}

// MARK: - As the model understands it

extension Plan {
    /// What the program does, said without the library.
    func model(_ number: Int, _ log: inout [String]) -> Result<Int, Failed> {
        switch self {
        case .pure(let value):
            return .success(value)
        case .fail(let code):
            return .failure(Failed(code: code))
        case .ask:
            return .success(number)
        case .sync(let tag):
            log.append("sync \(tag) \(number)")
            return .success(tag &+ number)
        case .throwing(let tag):
            log.append("throwing \(tag)")
            return .failure(Failed(code: tag))
        case .waiting(let tag):
            log.append("waiting \(tag) \(number)")
            return .success(tag &- number)
        case .waitingThrowing(let tag):
            log.append("waitingThrowing \(tag)")
            return .failure(Failed(code: tag))
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
            return plan.model(number, &log).mapError { Failed(code: $0.code &+ 1) }
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
        case .suspended(let plan):
            return plan.model(number, &log)
        }
    }
}

// MARK: - At random

extension SeededGenerator {
    mutating func plan(depth: Int = 4, synchronous: Bool = false) -> Plan {
        let tag = Int.random(in: 0..<100, using: &self)
        guard depth > 0, Int.random(in: 0..<5, using: &self) > 0 else {
            switch Int.random(in: 0..<(synchronous ? 5 : 7), using: &self) {
            case 0: return .pure(tag)
            case 1: return .fail(tag)
            case 2: return .ask
            case 3: return .sync(tag)
            case 4: return .throwing(tag)
            case 5: return .waiting(tag)
            default: return .waitingThrowing(tag)
            }
        }
        func inner(_ generator: inout SeededGenerator) -> Plan {
            generator.plan(depth: depth - 1, synchronous: synchronous)
        }
        switch Int.random(in: 0..<10, using: &self) {
        case 0: return .map(inner(&self), tag)
        case 1: return .then(inner(&self), inner(&self))
        case 2: return .zip(inner(&self), inner(&self))
        case 3: return .local(inner(&self), tag)
        case 4: return .handled(inner(&self), inner(&self))
        case 5: return .renamed(inner(&self))
        case 6: return .attempted(inner(&self))
        case 7: return .bracketed(inner(&self), use: inner(&self), release: inner(&self))
        case 8: return .bound(inner(&self), inner(&self))
        default: return .suspended(inner(&self))
        }
    }
}

// MARK: - What a run showed

/// How a program ended and what it did: two programs are the same where these are, in every world.
struct Trace<Value: Equatable & Sendable>: Equatable, Sendable {
    var outcome: Outcome<Value, Failed>
    var log: [String]
}

extension EnvIO where Environment == World, Failure == Failed, Value: Equatable & Sendable {
    func trace(_ number: Int) async -> Trace<Value> {
        let world = World(number: number, log: Log())
        let outcome = await outcome(world)
        return Trace(outcome: outcome, log: world.log.lines)
    }
}
