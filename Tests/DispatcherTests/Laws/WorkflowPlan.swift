import Dispatcher
import DispatcherLaws
import FunctionalCore
import PropertyTesting

private struct Refused: Error {
    var code: Int
}

/// A description of a change to the state of the child. Two such changes do not commute in general.
struct ChangePlan: Sendable {
    var factor: Int
    var term: Int

    static let gen = Gen.zip(Gen.int(in: 0...9), Gen.int(in: 0...9)).map { ChangePlan(factor: $0, term: $1) }

    func program(_ input: ChildInput) -> State<Child, Void> {
        .update { [self] in
            $0.count = $0.count &* factor &+ term &+ input.weight
            $0.seen.append(term)
        }
    }
}

/// A description of an action.
enum ActionPlan: Sendable {
    case changes(ChangePlan)
    case fails(Int)
    case acts(Int, ChangePlan)
    case waits(Int, ChangePlan)

    static let gen: Gen<ActionPlan> = {
        let code = Gen.int(in: 0...9)
        return Gen.frequency(
            (1, ChangePlan.gen.map(ActionPlan.changes)),
            (1, code.map(ActionPlan.fails)),
            (2, Gen.zip(code, ChangePlan.gen).map { ActionPlan.acts($0, $1) }),
            (1, Gen.zip(code, ChangePlan.gen).map { ActionPlan.waits($0, $1) })
        )
    }()

    func action(_ input: ChildInput) -> ChildDispatcher.Action {
        switch self {
        case .changes(let change): return .pure(change.program(input))
        case .fails(let code): return .fail(Refused(code: code))
        case .acts(let code, let change):
            return EnvIO { env in
                env.log.append("did \(code) \(env.number)")
                return change.program(input).followed(by: .update { $0.count &-= env.number })
            }
        case .waits(let code, let change):
            return EnvIO { env async throws in
                await Task.yield()
                env.log.append("waited \(code) \(env.number)")
                return change.program(input).followed(by: .update { $0.count &+= env.number })
            }
        }
    }
}

/// A description of a function from inputs to actions. It returns no actions for some inputs.
struct WorkflowPlan: Sendable {
    var lists: [[ActionPlan]]

    static let gen = ActionPlan.gen.array(0...3).array(2...2).map { WorkflowPlan(lists: $0 + [[]]) }

    var actions: @Sendable (ChildInput) -> [ChildDispatcher.Action] {
        { [self] input in plans(for: input).map { $0.action(input) } }
    }

    func plans(for input: ChildInput) -> [ActionPlan] { lists[input.weight % 3] }
}
