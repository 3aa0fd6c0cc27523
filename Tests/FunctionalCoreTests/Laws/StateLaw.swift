import FunctionalCore
import PropertyTesting
import Testing

/// The laws of the state monad, which the article on the laws of programs states.
enum StateLaw: CaseIterable {
    case getGet, setSet, setGet, getSet, modify, modifyModify, modifyIdentity, inspect, pure, update
    case mapIdentity, mapComposition, leftIdentity, rightIdentity, associativity, mapIsFlatMap
    case zip, followed, asAndVoid
}

extension StateLaw {
    /// Checks that both sides return the same value and the same state, for generated programs, functions and states.
    func check() async {
        await forAll(StateSample.gen) { sample in
            let (left, right) = equation(sample)
            #expect(left.run(sample.cells) == right.run(sample.cells))
        }
    }

    private typealias Step = State<StateCells, Int>

    private func equation(_ sample: StateSample) -> (Step, Step) {
        let (x, y) = (sample.x.program, sample.y.program)
        let (k, h) = (sample.continuation(sample.first), sample.continuation(sample.second))
        let (s, t, number) = (sample.s, sample.t, sample.number)
        let f: @Sendable (StateCells) -> StateCells = {
            StateCells(a: $0.b, b: $0.a &+ number, seen: $0.seen + [1])
        }
        let g: @Sendable (StateCells) -> StateCells = {
            StateCells(a: $0.a &* 2, b: $0.b, seen: $0.seen.reversed())
        }
        let get = State<StateCells, StateCells>.get()
        let sum: @Sendable (StateCells) -> Int = { $0.a &+ 2 &* $0.b &+ $0.seen.reduce(0, &+) }
        let pair: @Sendable (Int, Int) -> Int = { $0 &* 7 &+ $1 }
        typealias Change = State<StateCells, Void>
        switch self {
        case .getGet: return (get.flatMap { _ in get }.map(sum), get.map(sum))
        case .setSet: return (Change.set(s).flatMap { .set(t) }.as(0), Change.set(t).as(0))
        case .setGet: return (Change.set(s).flatMap { get }.map(sum), Change.set(s).as(sum(s)))
        case .getSet: return (get.flatMap { .set($0) }.as(0), .pure(0))
        case .modify: return (Change.modify(f).as(0), get.map(f).flatMap { .set($0) }.as(0))
        case .modifyModify:
            return (Change.modify(f).flatMap { .modify(g) }.as(0), Change.modify { g(f($0)) }.as(0))
        case .modifyIdentity: return (Change.modify { $0 }.as(0), .pure(0))
        case .inspect: return (.inspect(sum), get.map(sum))
        case .pure: return (Step.pure(number).flatMap { a in x.map { a &+ $0 } }, x.map { number &+ $0 })
        case .update: return (Change.update { $0 = f($0) }.as(0), Change.modify(f).as(0))
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

/// The generated input of a law of states.
private struct StateSample: Sendable {
    var x: StatePlan
    var y: StatePlan
    var first: GeneratedFunction<Int, StatePlan>
    var second: GeneratedFunction<Int, StatePlan>
    var cells: StateCells
    var s: StateCells
    var t: StateCells
    var number: Int

    static let gen: Gen<StateSample> = {
        let plan = Gen<StatePlan>.statePlan
        let small = plan.resized { min($0, 4) }
        let cells = Gen<StateCells>.stateCells
        return Gen.zip(
            plan, plan, small.function(of: Int.self), small.function(of: Int.self), cells, cells, cells,
            Gen.int(in: 0...99)
        )
        .map { StateSample(x: $0, y: $1, first: $2, second: $3, cells: $4, s: $5, t: $6, number: $7) }
    }()

    func continuation(
        _ function: GeneratedFunction<Int, StatePlan>
    ) -> @Sendable (Int) -> State<StateCells, Int> {
        { value in function(value).program.map { $0 &+ value } }
    }
}
