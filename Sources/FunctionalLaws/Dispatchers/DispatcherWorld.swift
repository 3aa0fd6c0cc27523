import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting

/// The environment of generated child dispatchers.
///
/// This file declares environments, states and inputs for a child, its parent, and the parent of that parent.
package struct Env: Sendable {
    package var number: Int
    package let log: EffectLog
}

package struct ParentEnv: Sendable {
    package var child: Env
    package var extra: Int
}

package struct GrandEnv: Sendable {
    package var parent: ParentEnv
}

package struct Child: Equatable, Sendable {
    package var count = 0
    package var seen: [Int] = []
}

package struct Parent: Equatable, Sendable {
    package var child = Child()
    package var other = 0
}

package struct Grand: Equatable, Sendable {
    package var more = 0
    package var parent = Parent()
}

package enum ChildInput: Equatable, Sendable {
    case a(Int)
    case b(Int)
    case c
}

package enum ParentInput: Equatable, Sendable, AutoPrism {
    case child(ChildInput)
    case sibling(ChildInput)
    case other(Int)
}

package enum GrandInput: Equatable, Sendable, AutoPrism {
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
