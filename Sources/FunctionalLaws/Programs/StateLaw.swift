import FunctionalCore
import PropertyTesting

/// The laws of the state monad, for generated programs, functions and states.
///
/// An equation holds if both sides return the same value and the same state.
public enum StateLaw: String, CaseIterable, Sendable {
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
    case comprehension =
        "binding(a <- x, b <- k(a.get), yield: f(a.get, b.get)) == x.flatMap { a in k(a).map { f(a, $0) } }"
    case traverseIsZip = "[a, b].traverse(k) == k(a).zip(k(b))"
    case sequenceIsZip = "[x, y].sequence() == x.zip(y)"
}

extension StateLaw {
    /// Returns a property that checks this law for the library's operations.
    public func property() -> Property {
        property(of: LibraryStates())
    }

    /// Returns a property that checks this law for other operations, with which the tests break one at a time.
    package func property(of algebra: some StateAlgebra) -> Property {
        Property(StateSample.gen) { sample in
            let (left, right) = sides(sample, algebra)
            let verdict = Verdict(law: rawValue)
            let (first, second) = (left.run(sample.cells), right.run(sample.cells))
            try verdict.same(first.0, second.0)
            try verdict.same(first.1, second.1)
        }
    }

    private typealias Step = State<StateCells, Int>

    private func sides(_ sample: StateSample, _ algebra: some StateAlgebra) -> (
        State<StateCells, Int>, State<StateCells, Int>
    ) {
        let (x, y) = (sample.x.program, sample.y.program)
        let (k, h) = (sample.continuation(sample.first), sample.continuation(sample.second))
        let (s, t, number) = (sample.s, sample.t, sample.number)
        let f: @Sendable (StateCells) -> StateCells = {
            StateCells(a: $0.b, b: $0.a &+ number, seen: $0.seen + [1])
        }
        let g: @Sendable (StateCells) -> StateCells = {
            StateCells(a: $0.a &* 2, b: $0.b, seen: $0.seen.reversed())
        }
        let get: State<StateCells, StateCells> = algebra.get()
        let sum: @Sendable (StateCells) -> Int = { $0.a &+ 2 &* $0.b &+ $0.seen.reduce(0, &+) }
        let pair: @Sendable (Int, Int) -> Int = { $0 &* 7 &+ $1 }
        let nothing: Step = algebra.pure(0)
        switch self {
        case .getGet: return (algebra.flatMap(get) { _ in get }.map(sum), get.map(sum))
        case .setSet: return (algebra.flatMap(algebra.set(s)) { algebra.set(t) }.as(0), algebra.set(t).as(0))
        case .setGet: return (algebra.flatMap(algebra.set(s)) { get }.map(sum), algebra.set(s).as(sum(s)))
        case .getSet: return (algebra.flatMap(get) { algebra.set($0) }.as(0), nothing)
        case .modify:
            return (algebra.modify(f).as(0), algebra.flatMap(algebra.map(get, f)) { algebra.set($0) }.as(0))
        case .modifyModify:
            return (
                algebra.flatMap(algebra.modify(f)) { algebra.modify(g) }.as(0), algebra.modify { g(f($0)) }.as(0)
            )
        case .modifyIdentity: return (algebra.modify { (cells: StateCells) in cells }.as(0), nothing)
        case .inspect: return (algebra.inspect(sum), algebra.map(get, sum))
        case .pure: return (algebra.flatMap(algebra.pure(number)) { a in x.map { a &+ $0 } }, x.map { number &+ $0 })
        case .update: return (algebra.update { $0 = f($0) }.as(0), algebra.modify(f).as(0))
        case .mapIdentity: return (algebra.map(x) { $0 }, x)
        case .mapComposition:
            return (
                algebra.map(algebra.map(x) { $0 &* 2 }) { $0 &+ number }, algebra.map(x) { $0 &* 2 &+ number }
            )
        case .leftIdentity: return (algebra.flatMap(algebra.pure(number), k), k(number))
        case .rightIdentity: return (algebra.flatMap(x) { algebra.pure($0) }, x)
        case .associativity:
            return (
                algebra.flatMap(algebra.flatMap(x, k), h), algebra.flatMap(x) { algebra.flatMap(k($0), h) }
            )
        case .mapIsFlatMap: return (algebra.flatMap(x) { algebra.pure($0 &* 2) }, algebra.map(x) { $0 &* 2 })
        case .zip: return (algebra.zip(x, y).map(pair), algebra.flatMap(x) { a in y.map { pair(a, $0) } })
        case .followed: return (x.followed(by: y), algebra.flatMap(x) { _ in y })
        case .asAndVoid: return (x.as(number), algebra.map(x.void) { number })
        case .comprehension:
            return (
                algebra.binding(x, k, yield: pair),
                algebra.flatMap(x) { a in algebra.map(k(a)) { pair(a, $0) } }
            )
        case .traverseIsZip:
            return (
                algebra.traverse([number, number &* 2], k).map { pair($0[0], $0[1]) },
                algebra.zip(k(number), k(number &* 2)).map(pair)
            )
        case .sequenceIsZip:
            return (algebra.sequence([x, y]).map { pair($0[0], $0[1]) }, algebra.zip(x, y).map(pair))
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
