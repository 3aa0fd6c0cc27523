import Dispatcher
import DispatcherLaws
import Optics
import PropertyTesting

/// The environment of generated child dispatchers.
///
/// This file declares environments, states and inputs for a child, its parent, and the parent of that parent.
struct Env: Sendable {
    var number: Int
    let log: EffectLog
}

struct ParentEnv: Sendable {
    var child: Env
    var extra: Int
}

struct GrandEnv: Sendable {
    var parent: ParentEnv
}

struct Child: Equatable, Sendable {
    var count = 0
    var seen: [Int] = []
}

struct Parent: Equatable, Sendable {
    var child = Child()
    var other = 0
}

struct Grand: Equatable, Sendable {
    var more = 0
    var parent = Parent()
}

enum ChildInput: Equatable, Sendable {
    case a(Int)
    case b(Int)
    case c
}

enum ParentInput: Equatable, Sendable, AutoPrism {
    case child(ChildInput)
    case sibling(ChildInput)
    case other(Int)
}

enum GrandInput: Equatable, Sendable, AutoPrism {
    case parent(ParentInput)
    case nothing
}

typealias ChildDispatcher = StateDispatcher<Env, Child, ChildInput>
typealias ParentDispatcher = StateDispatcher<ParentEnv, Parent, ParentInput>
typealias GrandDispatcher = StateDispatcher<GrandEnv, Grand, GrandInput>

extension ChildInput {
    var weight: Int {
        switch self {
        case .a(let number): number
        case .b(let number): number &* 2 &+ 1
        case .c: 4
        }
    }
}

/// The inputs, the state and the numbers of the environments with which a law runs its dispatchers.
struct DispatcherSetting: Sendable {
    var state: Grand
    var number: Int
    var extra: Int
    var childInput: ChildInput
    var parentInput: ParentInput
    var grandInput: GrandInput

    static let gen: Gen<DispatcherSetting> = {
        let number = Gen.int(in: 0...9)
        let child = Gen.oneOf(Gen.always(ChildInput.c), number.map(ChildInput.a), number.map(ChildInput.b))
        let parent = Gen.frequency(
            (2, child.map(ParentInput.child)), (1, child.map(ParentInput.sibling)), (1, number.map(ParentInput.other)))
        let grand = Gen.frequency((4, parent.map(GrandInput.parent)), (1, Gen.always(GrandInput.nothing)))
        let state = Gen.zip(number, number, number, number).map {
            Grand(more: $0, parent: Parent(child: Child(count: $1, seen: [$2]), other: $3))
        }
        return Gen.zip(state, number, number, child, parent, grand).map {
            DispatcherSetting(
                state: $0, number: $1, extra: $2, childInput: $3, parentInput: $4, grandInput: $5)
        }
    }()

    func environment(_ log: EffectLog) -> GrandEnv {
        GrandEnv(parent: ParentEnv(child: Env(number: number, log: log), extra: extra))
    }

    func trace(_ child: ChildDispatcher) async -> DispatchTrace<Child> {
        await child.trace(childInput, state: state.parent.child) { environment($0).parent.child }
    }

    func trace(_ parent: ParentDispatcher, _ input: ParentInput? = nil) async -> DispatchTrace<Parent> {
        await parent.trace(input ?? parentInput, state: state.parent) { environment($0).parent }
    }

    func trace(_ grand: GrandDispatcher) async -> DispatchTrace<Grand> {
        await grand.trace(grandInput, state: state) { environment($0) }
    }
}

/// The generated input of a law of dispatchers.
struct DispatcherSample: Sendable {
    var f: WorkflowPlan
    var g: WorkflowPlan
    var h: WorkflowPlan
    var change: ChangePlan
    var one: ActionPlan
    var setting: DispatcherSetting
    /// Another number of an environment.
    var otherNumber: Int

    static let gen = Gen.zip(
        WorkflowPlan.gen, WorkflowPlan.gen, WorkflowPlan.gen, ChangePlan.gen, ActionPlan.gen, DispatcherSetting.gen,
        Gen.int(in: 0...9)
    )
    .map { DispatcherSample(f: $0, g: $1, h: $2, change: $3, one: $4, setting: $5, otherNumber: $6) }
}
