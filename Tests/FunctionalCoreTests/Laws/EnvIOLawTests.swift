import FunctionalCore
import TestSupport
import Testing

/// The laws of functor, applicative, monad, errors and reader, each over whole generated programs in generated worlds:
/// the two sides end alike and have done the same, in the same order.
enum EnvIOLaw: String, CaseIterable, Sendable {
    case mapIdentity = "x.map(id) == x"
    case mapComposition = "x.map(f).map(g) == x.map(g . f)"
    case void = "x.void == x.map(f).void"
    case asIsMap = "x.as(b) == x.map { _ in b }"
    case zipIsFlatMap = "x.zip(y) == x.flatMap { a in y.map { (a, $0) } }"
    case leftIdentity = "pure(a).flatMap(k) == k(a)"
    case rightIdentity = "x.flatMap(pure) == x"
    case associativity = "x.flatMap(k).flatMap(h) == x.flatMap { k($0).flatMap(h) }"
    case mapIsFlatMap = "x.flatMap { pure(f($0)) } == x.map(f)"
    case flatten = "pure(x).flatten() == x"
    case comprehension = "binding(a <- x, yield: f(a.get)) == x.map(f)"
    case followed = "x.followed(by: y) == x.flatMap { _ in y }"
    case raiseFlatMap = "fail(e).flatMap(k) == fail(e)"
    case raiseHandle = "fail(e).handleErrorWith(h) == h(e)"
    case pureHandle = "pure(a).handleErrorWith(h) == pure(a)"
    case handleIsHandleWith = "x.handleError(f) == x.handleErrorWith { pure(f($0)) }"
    case attemptFail = "fail(e).attempt() == pure(.failure(e))"
    case attemptPure = "pure(a).attempt() == pure(.success(a))"
    case attemptRethrow = "x.attempt().rethrow() == x"
    case fromResult = "EnvIO(r).attempt() == pure(r)"
    case throwingIsFail = "EnvIO { throw e } == fail(e)"
    case ensure = "x.ensure(p, otherwise: e) == x.flatMap { p($0) ? pure($0) : fail(e($0)) }"
    case mapErrorFail = "fail(e).mapError(f) == fail(f(e))"
    case mapErrorIdentity = "x.mapError(id) == x"
    case failingZip = "fail(e).zip(x) == fail(e), and x does not begin"
    case askTwice = "ask.flatMap { _ in x } == x"
    case accessIsAsk = "access(f) == ask.map(f)"
    case accessMIsAsk = "accessM(k) == ask.flatMap(k)"
    case localAsk = "ask.contramap(f) == access(f)"
    case localPure = "pure(a).contramap(f) == pure(a)"
    case localFlatMap = "x.flatMap(k).contramap(f) == x.contramap(f).flatMap { k($0).contramap(f) }"
    case localIdentity = "x.contramap(id) == x"
    case localComposition = "x.contramap(f).contramap(g) == x.contramap(f . g)"
    case localStays = "x.contramap(f).followed(by: ask) == x.contramap(f).followed(by: ask), in the outer world"
    case provide = "x.provide(e) == x.contramap(const e)"
    case suspend = "suspend { x } == x"
    case notMemoized = "x.followed(by: x) does everything twice"
    case bracketUnit = "bracket(x, release: unit, use: k) == x.flatMap(k)"
    case guaranteeIsBracket = "x.guarantee(f) == bracket(unit, release: f, use: x)"
    case startIsOutcome = "start ends as outcome does"

    /// Both sides of the equation, for some programs, functions and numbers.
    func sides(_ random: inout SeededGenerator) -> (Program, Program) {
        let (x, y) = (random.plan().program, random.plan().program)
        let (k, h) = (random.continuation(), random.continuation())
        let number = Int.random(in: 0..<100, using: &random)
        let failure = Failed(code: number)
        let double: @Sendable (Int) -> Int = { $0 &* 2 }
        let add: @Sendable (Int) -> Int = { $0 &+ number }
        let outer: @Sendable (World) -> World = { World(number: $0.number &+ number, log: $0.log) }
        let inner: @Sendable (World) -> World = { World(number: $0.number &* 3, log: $0.log) }
        let ask = EnvIO<World, Failed, World>.ask()
        let pair: @Sendable (Int, Int) -> Int = { $0 &* 7 &+ $1 }
        switch self {
        case .mapIdentity: return (x.map { $0 }, x)
        case .mapComposition: return (x.map(double).map(add), x.map { add(double($0)) })
        case .void: return (x.void.as(1), x.map(double).void.as(1))
        case .asIsMap: return (x.as(number), x.map { _ in number })
        case .zipIsFlatMap: return (x.zip(y).map(pair), x.flatMap { a in y.map { pair(a, $0) } })
        case .leftIdentity: return (Program.pure(number).flatMap(k), k(number))
        case .rightIdentity: return (x.flatMap { .pure($0) }, x)
        case .associativity: return (x.flatMap(k).flatMap(h), x.flatMap { k($0).flatMap(h) })
        case .mapIsFlatMap: return (x.flatMap { .pure(double($0)) }, x.map(double))
        case .flatten: return (EnvIO<World, Failed, Program>.pure(x).flatten(), x)
        case .comprehension:
            let a = Program.var()
            return (binding(a <- x, yield: double(a.get)), x.map(double))
        case .followed: return (x.followed(by: y), x.flatMap { _ in y })
        case .raiseFlatMap: return (Program.fail(failure).flatMap(k), .fail(failure))
        case .raiseHandle:
            return (Program.raiseError(failure).handleErrorWith { k($0.code) }, k(number))
        case .pureHandle: return (Program.pure(number).handleErrorWith { k($0.code) }, .pure(number))
        case .handleIsHandleWith:
            return (x.handleError { $0.code }, x.handleErrorWith { .pure($0.code) })
        case .attemptFail: return (Program.fail(failure).attempt().folded, .pure(-number))
        case .attemptPure: return (Program.pure(number).attempt().folded, .pure(number))
        case .attemptRethrow: return (x.attempt().rethrow(), x)
        case .fromResult:
            let result: Result<Int, Failed> = number % 2 == 0 ? .success(number) : .failure(failure)
            return (Program(result), number % 2 == 0 ? .pure(number) : .fail(failure))
        case .throwingIsFail:
            return (Program { (_: World) throws(Failed) -> Int in throw failure }, .fail(failure))
        case .ensure:
            let isEven: @Sendable (Int) -> Bool = { $0 % 2 == 0 }
            return (
                x.ensure(isEven, otherwise: { Failed(code: $0) }),
                x.flatMap { isEven($0) ? .pure($0) : .fail(Failed(code: $0)) }
            )
        case .mapErrorFail:
            return (
                Program.fail(failure).mapError { Failed(code: double($0.code)) }, .fail(Failed(code: double(number)))
            )
        case .mapErrorIdentity: return (x.mapError { $0 }, x)
        case .failingZip: return (Program.fail(failure).zip(x).map(pair), .fail(failure))
        case .askTwice: return (ask.flatMap { _ in x }, x)
        case .accessIsAsk: return (.access { $0.number }, ask.map { $0.number })
        case .accessMIsAsk: return (.accessM { k($0.number) }, ask.flatMap { k($0.number) })
        case .localAsk: return (ask.contramap(outer).map { $0.number }, .access { outer($0).number })
        case .localPure: return (Program.pure(number).contramap(outer), .pure(number))
        case .localFlatMap:
            return (x.flatMap(k).contramap(outer), x.contramap(outer).flatMap { k($0).contramap(outer) })
        case .localIdentity: return (x.contramap { $0 }, x)
        case .localComposition: return (x.contramap(outer).contramap(inner), x.contramap { outer(inner($0)) })
        case .localStays:
            let after = Program.access { $0.number }
            return (
                x.contramap(outer).zip(after).map(pair), x.contramap(outer).flatMap { a in after.map { pair(a, $0) } }
            )
        case .provide:
            // The provided world writes where the surrounding one does, so that both sides can be read.
            return (
                .accessM { world in x.provide(outer(world)) },
                .accessM { world in x.contramap { (_: World) in outer(world) } }
            )
        case .suspend: return (.suspend { x }, x)
        case .notMemoized: return (x.followed(by: x), x.flatMap { _ in x })
        case .bracketUnit: return (.bracket(acquire: x, release: { _ in .pure(()) }, use: k), x.flatMap(k))
        case .guaranteeIsBracket:
            return (
                x.guarantee(y.void),
                .bracket(acquire: EnvIO<World, Failed, Void>.pure(()), release: { y.void }, use: { x })
            )
        case .startIsOutcome: return (x, x.started)
        }
    }
}

extension SeededGenerator {
    /// A function from a value to a program, one of several by the value.
    mutating func continuation() -> @Sendable (Int) -> Program {
        let plans = (0..<3).map { _ in plan(depth: 2) }
        return { value in plans[Int(value.magnitude % 3)].program.map { $0 &+ value } }
    }
}

extension EnvIO where Environment == World, Failure == Never, Value == Result<Int, Failed> {
    /// One number for either: the value, or the negated code.
    fileprivate var folded: Program {
        setFailureType().map { result in
            switch result {
            case .success(let value): value
            case .failure(let failure): -failure.code
            }
        }
    }
}

extension Program {
    /// The same program, run through `start`.
    fileprivate var started: Program {
        Program { (world: World) async throws(Failed) -> Int in
            let outcome: Outcome<Int, Failed> =
                switch start(world, isolation: nil) {
                case .finished(let outcome): outcome
                case .waiting(let running): await running.outcome
                }
            switch outcome {
            case .value(let value): return value
            case .failure(let failure): throw failure
            case .cancelled: return -1
            }
        }
    }
}

@Suite("EnvIO: laws")
struct EnvIOLawTests {
    @Test(arguments: EnvIOLaw.allCases)
    func holds(_ law: EnvIOLaw) async {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let (left, right) = law.sides(&random)
            let number = Int.random(in: -50..<50, using: &random)
            let (a, b) = (await left.trace(number), await right.trace(number))
            #expect(a == b, "\(law.rawValue), seed \(seed)")
        }
    }

    @Test func programsDoWhatTheModelSays() async {
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let plan = random.plan()
            let number = Int.random(in: -50..<50, using: &random)
            var log: [String] = []
            let expected = plan.model(number, &log)
            let trace = await plan.program.trace(number)
            #expect(trace == Trace(outcome: Outcome(expected), log: log), "\(plan), seed \(seed)")
        }
    }

    @Test func runSyncAndStartEndAsOutcomeDoes() async {
        for seed in 0..<2_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let plan = random.plan(synchronous: true)
            let expected = await plan.program.trace(7)
            let world = World(number: 7, log: Log())
            let synchronous = Result { () throws(Failed) in try plan.program.runSync(world) }
            #expect(Trace(outcome: Outcome(synchronous), log: world.log.lines) == expected, "\(plan), seed \(seed)")
            let other = World(number: 7, log: Log())
            guard case .finished(let outcome) = plan.program.start(other, isolation: nil) else {
                Issue.record("A program that never waits was handed to a task: \(plan)")
                continue
            }
            #expect(Trace(outcome: outcome, log: other.log.lines) == expected, "\(plan), seed \(seed)")
        }
    }

    @Test func buildingRunsNothing() async {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let world = World(number: 1, log: Log())
            _ = random.plan().program.contramap { (_: Int) in world }.map { $0 + 1 }.attempt()
            #expect(world.log.lines.isEmpty)
        }
    }
}

extension Outcome {
    init(_ result: Result<Value, Failure>) {
        switch result {
        case .success(let value): self = .value(value)
        case .failure(let failure): self = .failure(failure)
        }
    }
}
