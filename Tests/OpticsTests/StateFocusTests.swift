import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing

private struct Inner: Equatable, Sendable {
    var count = 0
}

private struct Outer: Equatable, Sendable {
    var inner = Inner()
    var other = 0
    var optional: Inner?
}

/// The laws of `focus`, over generated programs.
enum FocusLaw: String, CaseIterable, Sendable {
    case definition = "focus(l)(m).run(s) == (a, l.set(s, t)) where (a, t) = m.run(l.get(s))"
    case identity = "focus(identity) == id"
    case composition = "focus(b) then focus(a) == focus(a.appending(b))"
    case pure = "focus(pure a) == pure a"
    case flatMap = "focus(m.flatMap(k)) == focus(m).flatMap { focus(k($0)) }"
}

/// A step as data.
private struct Step: Sendable {
    var factor: Int
    var term: Int

    static let gen = Gen.zip(Gen.int(in: 0...9), Gen.int(in: 0...9)).map { Step(factor: $0, term: $1) }

    var program: State<Int, Int> {
        .update { [self] in
            $0 = $0 &* factor &+ term
            return $0 &- term
        }
    }
}

@Suite("State.focus: laws", .timeLimit(.minutes(10)))
struct StateFocusTests {
    private let count = Lens(\Inner.count)
    private let inner = Lens(\Outer.inner)

    @Test(arguments: FocusLaw.allCases)
    func aLawOfFocusHolds(_ law: FocusLaw) async {
        await forAll(Step.gen, Step.gen, Gen.int(in: 0...9)) { first, second, number in
            let (m, n) = (first.program, second.program)
            let k: @Sendable (Int) -> State<Int, Int> = { value in n.map { $0 &+ value } }
            let state = Inner(count: number)
            let outer = Outer(inner: state, other: 5)
            let (count, inner) = (count, inner)
            let isEqual: Bool
            switch law {
            case .definition:
                let (value, part) = m.run(count.get(state))
                isEqual = m.focus(count).run(state) == (value, count.setting(state, part))
            case .identity:
                let left: State<Int, Int> = m.focus(Lens<Int, Int>.identity)
                isEqual = left.run(3) == m.run(3)
            case .composition:
                let twice: State<Outer, Int> = m.focus(count).focus(inner)
                let once: State<Outer, Int> = m.focus(inner.appending(count))
                isEqual = twice.run(outer) == once.run(outer)
            case .pure:
                let focused: State<Inner, Int> = State<Int, Int>.pure(4).focus(count)
                isEqual = focused.run(state) == (4, state)
            case .flatMap:
                let left: State<Inner, Int> = m.flatMap(k).focus(count)
                let right: State<Inner, Int> = m.focus(count).flatMap { k($0).focus(count) }
                isEqual = left.run(state) == right.run(state)
            }
            #expect(isEqual, "\(law.rawValue)")
        }
    }

    @Test func aMillionNestedFocusesAreFreedOnASmallStack() async {
        let isFreed = await onSmallStack {
            let step = State<Int, Void>.update { $0 += 1 }
            let program = (0..<manySteps).reduce(step) { program, _ in program.focus(Lens<Int, Int>.identity) }
            return withExtendedLifetime(program) { true }
        }
        #expect(isFreed)
    }

    /// Each focus needs up to 3 KB of a stack of 512 KB. The address sanitizer needs more.
    @Test func nestedFocusesUseTheDocumentedStack() async {
        let result = await onSmallStack {
            let copying = Lens<Int, Int>(get: { $0 }, set: { $1 })
            let step = State<Int, Void>.update { $0 += 1 }
            return (0..<160).reduce(step) { program, _ in program.focus(copying) }.exec(0)
        }
        #expect(result == 1)
    }

    @Test func aProgramOfAnAbsentPartDoesNotRun() {
        let step = State<Inner, Int>.update {
            $0.count += 1
            return $0.count
        }.focus(Lens(\Outer.optional).appending(Prism.some))
        let (absent, untouched) = step.run(Outer())
        #expect(absent == nil)
        #expect(untouched == Outer())
        let (present, changed) = step.run(Outer(optional: Inner(count: 1)))
        #expect(present == 2)
        #expect(changed == Outer(optional: Inner(count: 2)))
    }
}
