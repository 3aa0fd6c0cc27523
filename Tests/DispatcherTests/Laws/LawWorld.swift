import Dispatcher
import FunctionalCore
import Optics
import TestSupport

/// What the generated dispatchers work on: a child, its parent, and the parent's parent.
struct Env: Sendable {
    var number: Int
    let log: Log
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

struct Refused: Error, Equatable {
    var code: Int
}

// MARK: - At random

extension SeededGenerator {
    mutating func number() -> Int { .random(in: 0...9, using: &self) }

    mutating func env() -> (Log) -> GrandEnv {
        let (number, extra) = (number(), number())
        return { GrandEnv(parent: ParentEnv(child: Env(number: number, log: $0), extra: extra)) }
    }

    mutating func grand() -> Grand {
        Grand(more: number(), parent: Parent(child: Child(count: number(), seen: [number()]), other: number()))
    }

    mutating func childInput() -> ChildInput {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: .a(number())
        case 1: .b(number())
        default: .c
        }
    }

    mutating func parentInput() -> ParentInput {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: .other(number())
        case 1: .sibling(childInput())
        default: .child(childInput())
        }
    }

    mutating func grandInput() -> GrandInput {
        Int.random(in: 0..<5, using: &self) == 0 ? .nothing : .parent(parentInput())
    }

    /// A pure change of the child, which does not commute with others.
    mutating func change() -> @Sendable (ChildInput) -> State<Child, Void> {
        let (factor, term) = (number(), number())
        return { input in
            .update {
                $0.count = $0.count &* factor &+ term &+ input.weight
                $0.seen.append(term)
            }
        }
    }

    mutating func action() -> @Sendable (ChildInput) -> ChildDispatcher.Action {
        let (code, change) = (number(), change())
        switch Int.random(in: 0..<5, using: &self) {
        case 0: return { input in .pure(change(input)) }
        case 1: return { _ in .fail(Refused(code: code)) }
        case 2:
            return { input in
                EnvIO { env async throws in
                    await Task.yield()
                    env.log.append("waited \(code) \(env.number)")
                    return change(input).followed(by: .update { $0.count &+= env.number })
                }
            }
        default:
            return { input in
                EnvIO { env in
                    env.log.append("did \(code) \(env.number)")
                    return change(input).followed(by: .update { $0.count &-= env.number })
                }
            }
        }
    }

    /// A function from inputs to actions, of which it has none for some inputs.
    mutating func actions() -> @Sendable (ChildInput) -> [ChildDispatcher.Action] {
        let counts = [Int.random(in: 0...3, using: &self), Int.random(in: 0...3, using: &self), 0]
        let actions = (0..<3).map { _ in action() }
        return { input in actions.prefix(counts[input.weight % 3]).map { $0(input) } }
    }
}

extension ChildInput {
    var weight: Int {
        switch self {
        case .a(let number): number
        case .b(let number): number &* 2 &+ 1
        case .c: 4
        }
    }
}

// MARK: - What a run showed

/// The states after every action, the failure, and what the effects did.
struct DispatchTrace<S: Equatable & Sendable>: Equatable, Sendable {
    var actions = 0
    var states: [S] = []
    var failure: Refused?
    var log: [String] = []
}

extension StateDispatcher where S: Equatable & Sendable {
    func trace(_ environment: Environment, _ log: Log, _ state: S, _ input: Input) async -> DispatchTrace<S> {
        let actions = on(input)
        var trace = DispatchTrace<S>(actions: actions.count)
        var state = state
        for action in actions {
            switch await action.outcome(environment) {
            case .value(let change):
                change.run(&state)
                trace.states.append(state)
                continue
            case .failure(let error): trace.failure = error as? Refused
            case .cancelled: break
            }
            break
        }
        trace.log = log.lines
        return trace
    }
}
