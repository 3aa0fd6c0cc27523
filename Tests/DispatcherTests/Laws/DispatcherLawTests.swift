import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

/// The laws that say what dispatchers mean. D19, D24 and D26 are about running them, and are tests of their own.
enum DispatcherLaw: String, CaseIterable, Sendable {
    case d1 = "(a <> b) <> c == a <> (b <> c)"
    case d2 = "empty <> d == d"
    case d3 = "d <> empty == d"
    case d4 = "(a <> b).on(i) == a.on(i) ++ b.on(i)"
    case d5 = "pure f == effectful(const . f)"
    case d6 = "effectful f == workflow [f]"
    case d7 = "workflow f .on == f"
    case d8 = "empty == workflow(const [])"
    case d9 = "workflow f <> workflow g == workflow(f ++ g)"
    case d10 = "widen(id, id, id) d == d"
    case d11 = "widen twice == widen by the compositions"
    case d12 = "widen(a <> b) == widen a <> widen b"
    case d13 = "widen empty == empty"
    case d14 = "an input that the prism does not match has no actions"
    case d15 = "an input that matches has as many actions as the child"
    case d16 = "frame: what is outside of the focus never changes"
    case d17 = "focus: the part changes as the child's state does alone"
    case d18 = "widen(pure f) == pure of the lifted f"
    case d20 = "pure is the same in every environment"
    case d21 = "pure and effectful have exactly one action"
    case d22 = "widened by disjoint prisms, two commute"
    case d23 = "partial widens make up the whole, in any order"
    case d25 = "contramap by widen: identity and composition of each argument"

    /// Whether the law holds for some dispatchers, inputs, states and environments.
    func holds(_ algebra: Algebra, _ random: inout SeededGenerator) async -> Bool {
        let (f, g, h) = (random.actions(), random.actions(), random.actions())
        let (change, one) = (random.change(), random.action())
        let (a, b, c) = (algebra.workflow(f), algebra.workflow(g), algebra.workflow(h))
        let setting = Setting(&random)
        switch self {
        case .d1:
            return await setting.child(
                algebra.combine(algebra.combine(a, b), c), algebra.combine(a, algebra.combine(b, c)))
        case .d2: return await setting.child(algebra.combine(algebra.empty(), a), a)
        case .d3: return await setting.child(algebra.combine(a, algebra.empty()), a)
        case .d4: return await setting.child(algebra.combine(a, b), .workflow { a.on($0) + b.on($0) })
        case .d5: return await setting.child(algebra.pure(change), algebra.effectful { .pure(change($0)) })
        case .d6: return await setting.child(algebra.effectful(one), algebra.workflow { [one($0)] })
        case .d7: return await setting.child(algebra.workflow(f), .workflow(f))
        case .d8: return await setting.child(algebra.empty(), .workflow { _ in [] })
        case .d9: return await setting.child(algebra.combine(a, b), algebra.workflow { f($0) + g($0) })
        case .d10:
            let widened = algebra.widen(a, { $0 }, { $0 }, .identity, { $0.count &+= 1 }, .identity)
            return await setting.child(widened, a)
        case .d11:
            let twice = algebra.toGrand(algebra.toParent(a))
            let once = algebra.widen(
                a, { (env: GrandEnv) in env.parent.child }, { $0 }, Lens(\Grand.parent.child),
                { $0.parent.other &+= 1 },
                GrandInput.prism(for: GrandInput.parent).appending(ParentInput.prism(for: ParentInput.child)))
            return await setting.grand(twice, once)
        case .d12:
            return await setting.parent(
                algebra.toParent(a.combine(b)), algebra.toParent(a).combine(algebra.toParent(b)))
        case .d13: return await setting.parent(algebra.toParent(algebra.empty()), .empty)
        case .d14: return algebra.toParent(a).on(.other(1)).isEmpty && algebra.toParent(a).on(.sibling(.c)).isEmpty
        case .d15: return algebra.toParent(a).on(.child(setting.childInput)).count == a.on(setting.childInput).count
        case .d16:
            let trace = await setting.trace(algebra.toParent(a), .child(setting.childInput))
            return trace.states.allSatisfy { $0.other == setting.state.parent.other }
        case .d17:
            let whole = await setting.trace(algebra.toParent(a), .child(setting.childInput))
            let alone = await setting.trace(a)
            return whole.states.map(\.child) == alone.states && whole.failure == alone.failure && whole.log == alone.log
        case .d18:
            let prism = ParentInput.prism(for: ParentInput.child)
            return await setting.parent(
                algebra.toParent(.pure(change)),
                .workflow { input in
                    prism.extract(input).map { [.pure(change($0).focus(Lens(\Parent.child)))] } ?? []
                })
        case .d20:
            let pure = algebra.pure(change)
            let other = Setting(&random, sharing: setting)
            return await setting.trace(pure) == other.trace(pure)
        case .d21:
            return algebra.pure(change).on(setting.childInput).count == 1
                && algebra.effectful(one).on(setting.childInput).count == 1
        case .d22:
            let left = algebra.toParent(a)
            let right = algebra.toParent(b, ParentInput.prism(for: ParentInput.sibling))
            return await setting.parent(algebra.combine(left, right), algebra.combine(right, left))
        case .d23:
            let prism = ParentInput.prism(for: ParentInput.child)
            let environment: @Sendable (ParentEnv) -> Env = { $0.child }
            let whole = algebra.toParent(a)
            let inOrder = a.widen(transformEnvironment: environment).widen(transformState: Lens(\Parent.child))
                .widen(transformInput: prism)
            let backwards = a.widen(transformInput: prism).widen(transformState: Lens(\Parent.child))
                .widen(transformEnvironment: environment)
            let inPairs = a.widen(transformState: \Parent.child, transformInput: prism)
                .widen(transformEnvironment: environment)
            let otherPairs = a.widen(transformEnvironment: environment, transformInput: prism)
                .widen(transformState: Lens(\Parent.child))
            let lastPairs = a.widen(transformEnvironment: environment, transformState: Lens(\Parent.child))
                .widen(transformInput: prism)
            for other in [inOrder, backwards, inPairs, otherPairs, lastPairs] {
                guard await setting.parent(whole, other) else { return false }
            }
            return true
        case .d25:
            let identity = a.widen(transformEnvironment: { $0 }).widen(transformState: Lens<Child, Child>.identity)
                .widen(transformInput: Prism<ChildInput, ChildInput>.identity)
            let twice = a.widen(transformEnvironment: { (env: Env) in Env(number: env.number &+ 1, log: env.log) })
                .widen(transformEnvironment: { (env: Env) in Env(number: env.number &* 2, log: env.log) })
            let once = a.widen(
                transformEnvironment: { (env: Env) in Env(number: env.number &* 2 &+ 1, log: env.log) })
            guard await setting.child(identity, a) else { return false }
            return await setting.child(twice, once)
        }
    }
}

/// One input, state and environment at random, and what dispatchers do there.
private struct Setting {
    let state: Grand
    let environment: (Log) -> GrandEnv
    let childInput: ChildInput
    let parentInput: ParentInput
    let grandInput: GrandInput

    init(_ random: inout SeededGenerator) {
        state = random.grand()
        environment = random.env()
        childInput = random.childInput()
        parentInput = random.parentInput()
        grandInput = random.grandInput()
    }

    /// The same in another environment.
    init(_ random: inout SeededGenerator, sharing other: Setting) {
        state = other.state
        environment = random.env()
        childInput = other.childInput
        parentInput = other.parentInput
        grandInput = other.grandInput
    }

    func trace(_ child: ChildDispatcher) async -> DispatchTrace<Child> {
        let log = Log()
        return await child.trace(environment(log).parent.child, log, state.parent.child, childInput)
    }

    func trace(_ parent: ParentDispatcher, _ input: ParentInput) async -> DispatchTrace<Parent> {
        let log = Log()
        return await parent.trace(environment(log).parent, log, state.parent, input)
    }

    func child(_ left: ChildDispatcher, _ right: ChildDispatcher) async -> Bool {
        await trace(left) == trace(right)
    }

    func parent(_ left: ParentDispatcher, _ right: ParentDispatcher) async -> Bool {
        await trace(left, parentInput) == trace(right, parentInput)
    }

    func grand(_ left: GrandDispatcher, _ right: GrandDispatcher) async -> Bool {
        let (a, b) = (Log(), Log())
        return await left.trace(environment(a), a, state, grandInput)
            == right.trace(environment(b), b, state, grandInput)
    }
}

@Suite("Dispatcher: laws")
struct DispatcherLawTests {
    @Test(arguments: DispatcherLaw.allCases)
    func holds(_ law: DispatcherLaw) async {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            #expect(await law.holds(Algebra(), &random), "\(law.rawValue), seed \(seed)")
        }
    }

    /// Each broken variant is caught by a law that is there to catch it.
    @Test(arguments: Algebra.Mutant.allCases)
    func catches(_ mutant: Algebra.Mutant) async {
        var broken: Set<DispatcherLaw> = []
        for law in DispatcherLaw.allCases {
            for seed in 0..<100 as Range<UInt64> {
                var random = SeededGenerator(seed: seed)
                guard await law.holds(Algebra(mutant: mutant), &random) else {
                    broken.insert(law)
                    break
                }
            }
        }
        #expect(broken.isSuperset(of: mutant.caughtBy), "broken: \(broken.map { "\($0)" }.sorted())")
    }

    @Test func d19AskingForActionsRunsNothing() {
        let log = Log()
        let dispatcher = ChildDispatcher.effectful { _ in
            EnvIO { env in
                env.log.append("ran")
                return .pure(())
            }
        }
        _ = Algebra().toParent(dispatcher).on(.child(.c))
        #expect(log.lines.isEmpty)
    }
}

extension Algebra.Mutant {
    fileprivate var caughtBy: Set<DispatcherLaw> {
        switch self {
        case .combineReversed, .combineFirstWins: [.d4, .d9]
        case .combineDropsRight: [.d2, .d4, .d9, .d22]
        case .emptyHasNoOp: [.d2, .d3, .d8, .d13]
        case .widenOnUnmatched: [.d14]
        case .widenKeepsFirstAction: [.d10, .d15]
        case .widenDropsEffects: [.d10, .d17, .d18]
        case .widenTouchesOther: [.d16, .d18]
        case .widenReversesActions: [.d10, .d17]
        case .widenWrongEnv: [.d17]
        case .pureRunsTwice: [.d5, .d21]
        case .pureReadsEnv: [.d20]
        case .effectfulAddsRefresh: [.d5, .d6, .d21]
        case .workflowMerges, .workflowReversed: [.d7]
        }
    }
}
