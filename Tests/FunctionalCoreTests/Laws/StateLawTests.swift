import FunctionalCore
import TestSupport
import Testing

/// What the generated programs change.
struct Cells: Equatable, Sendable {
    var a = 0
    var b = 0
    var seen: [Int] = []
}

/// The laws of the state monad, over generated programs and states.
enum StateLaw: String, CaseIterable, Sendable {
    case getGet = "get >> get == get"
    case setSet = "set s >> set t == set t"
    case setGet = "set s >> get == set s >> pure s"
    case getSet = "get.flatMap(set) == pure ()"
    case modify = "modify f == get.map(f).flatMap(set)"
    case modifyModify = "modify f >> modify g == modify (g . f)"
    case modifyIdentity = "modify id == pure ()"
    case inspect = "inspect f == get.map f"
    case pure = "pure a leaves the state alone"
    case update = "update(inout) == modify"
    case mapIdentity = "x.map(id) == x"
    case mapComposition = "x.map(f).map(g) == x.map(g . f)"
    case leftIdentity = "pure(a).flatMap(k) == k(a)"
    case rightIdentity = "x.flatMap(pure) == x"
    case associativity = "x.flatMap(k).flatMap(h) == x.flatMap { k($0).flatMap(h) }"
    case mapIsFlatMap = "x.flatMap { pure(f($0)) } == x.map(f)"
    case zip = "x.zip(y) == x.flatMap { a in y.map { (a, $0) } }"
    case followed = "x.followed(by: y) == x.flatMap { _ in y }"
    case asAndVoid = "x.as(b) == x.void.map { b }"

    typealias Step = State<Cells, Int>

    func sides(_ random: inout SeededGenerator) -> (Step, Step) {
        let (x, y) = (random.step(), random.step())
        let (k, h) = (random.stepContinuation(), random.stepContinuation())
        let (s, t) = (random.cells(), random.cells())
        let number = Int.random(in: 0..<100, using: &random)
        let f: @Sendable (Cells) -> Cells = { Cells(a: $0.b, b: $0.a &+ number, seen: $0.seen + [1]) }
        let g: @Sendable (Cells) -> Cells = { Cells(a: $0.a &* 2, b: $0.b, seen: $0.seen.reversed()) }
        let get = State<Cells, Cells>.get()
        let sum: @Sendable (Cells) -> Int = { $0.a &+ 2 &* $0.b &+ $0.seen.reduce(0, &+) }
        let pair: @Sendable (Int, Int) -> Int = { $0 &* 7 &+ $1 }
        switch self {
        case .getGet: return (get.flatMap { _ in get }.map(sum), get.map(sum))
        case .setSet: return (State.set(s).flatMap { State.set(t) }.as(0), State.set(t).as(0))
        case .setGet: return (State.set(s).flatMap { get }.map(sum), State.set(s).as(sum(s)))
        case .getSet: return (get.flatMap { State.set($0) }.as(0), .pure(0))
        case .modify: return (State.modify(f).as(0), get.map(f).flatMap { State.set($0) }.as(0))
        case .modifyModify:
            return (State.modify(f).flatMap { State.modify(g) }.as(0), State.modify { g(f($0)) }.as(0))
        case .modifyIdentity: return (State<Cells, Void>.modify { $0 }.as(0), .pure(0))
        case .inspect: return (.inspect(sum), get.map(sum))
        case .pure: return (Step.pure(number).flatMap { a in x.map { a &+ $0 } }, x.map { number &+ $0 })
        case .update: return (State<Cells, Void>.update { $0 = f($0) }.as(0), State.modify(f).as(0))
        case .mapIdentity: return (x.map { $0 }, x)
        case .mapComposition: return (x.map { $0 &* 2 }.map { $0 &+ number }, x.map { $0 &* 2 &+ number })
        case .leftIdentity: return (Step.pure(number).flatMap(k), k(number))
        case .rightIdentity: return (x.flatMap { .pure($0) }, x)
        case .associativity: return (x.flatMap(k).flatMap(h), x.flatMap { k($0).flatMap(h) })
        case .mapIsFlatMap: return (x.flatMap { .pure($0 &* 2) }, x.map { $0 &* 2 })
        case .zip: return (x.zip(y).map(pair), x.flatMap { a in y.map { pair(a, $0) } })
        case .followed: return (x.followed(by: y), x.flatMap { _ in y })
        case .asAndVoid: return (x.as(number), x.void.map { number })
        }
    }
}

extension SeededGenerator {
    mutating func cells() -> Cells {
        Cells(
            a: .random(in: -9...9, using: &self), b: .random(in: -9...9, using: &self),
            seen: [.random(in: 0...9, using: &self)])
    }

    mutating func step(depth: Int = 4) -> State<Cells, Int> {
        let number = Int.random(in: 0..<10, using: &self)
        guard depth > 0 else {
            switch Int.random(in: 0..<4, using: &self) {
            case 0: return .pure(number)
            case 1: return .inspect { $0.a &+ number }
            case 2:
                return .update {
                    $0.seen.append(number)
                    return $0.seen.count
                }
            default: return State.modify { Cells(a: $0.b, b: $0.a &+ number, seen: $0.seen) }.as(number)
            }
        }
        switch Int.random(in: 0..<4, using: &self) {
        case 0: return step(depth: depth - 1).map { $0 &* 2 &+ number }
        case 1: return step(depth: depth - 1).zip(step(depth: depth - 1)).map { $0 &+ $1 }
        case 2:
            let next = step(depth: depth - 1)
            return step(depth: depth - 1).flatMap { value in next.map { $0 &- value } }
        default: return step(depth: depth - 1)
        }
    }

    mutating func stepContinuation() -> @Sendable (Int) -> State<Cells, Int> {
        let steps = (0..<3).map { _ in step(depth: 2) }
        return { value in steps[Int(value.magnitude % 3)].map { $0 &+ value } }
    }
}

@Suite("State: laws")
struct StateLawTests {
    @Test(arguments: StateLaw.allCases)
    func holds(_ law: StateLaw) {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let (left, right) = law.sides(&random)
            let state = random.cells()
            let (a, b) = (left.run(state), right.run(state))
            #expect(a.0 == b.0 && a.1 == b.1, "\(law.rawValue), seed \(seed)")
        }
    }

    @Test func runIsEvalAndExec() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let (step, state) = (random.step(), random.cells())
            var changed = state
            let value = step.run(&changed)
            #expect(step.run(state) == (value, changed))
            #expect(step.eval(state) == value)
            #expect(step.exec(state) == changed)
        }
    }

    @Test func oneElementIsChangedWhereItLies() {
        let step = State<[Int], Void>.update { $0[500] += 1 }
        let steps = (0..<100).reduce(step) { program, _ in program.flatMap { step } }
        var numbers = Array(repeating: 0, count: 1_000)
        let before = numbers.withUnsafeBufferPointer { $0.baseAddress }
        steps.run(&numbers)
        #expect(numbers.withUnsafeBufferPointer { $0.baseAddress } == before)
        #expect(numbers[500] == 101)
    }
}
