import Dispatcher
import FunctionalCore
import Optics

/// The operations that the laws are about: the library's, or a broken variant of them.
struct Algebra: Sendable {
    /// The ways in which a dispatcher library can be wrong. The laws are worth something if each is noticed.
    enum Mutant: String, CaseIterable, Sendable {
        case combineReversed, combineDropsRight, combineFirstWins
        case emptyHasNoOp
        case widenOnUnmatched, widenKeepsFirstAction, widenDropsEffects, widenTouchesOther, widenReversesActions
        case widenWrongEnv
        case pureRunsTwice, pureReadsEnv
        case effectfulAddsRefresh
        case workflowMerges, workflowReversed
    }

    var mutant: Mutant?

    func pure(_ change: @escaping @Sendable (ChildInput) -> State<Child, Void>) -> ChildDispatcher {
        switch mutant {
        case .pureRunsTwice: .workflow { [.pure(change($0)), .pure(change($0))] }
        case .pureReadsEnv:
            .effectful { input in .access { env in change(input).followed(by: .update { $0.count &+= env.number }) } }
        default: .pure(change)
        }
    }

    func effectful(_ action: @escaping @Sendable (ChildInput) -> ChildDispatcher.Action) -> ChildDispatcher {
        mutant == .effectfulAddsRefresh ? .workflow { [.pure(.pure(())), action($0)] } : .effectful(action)
    }

    func workflow(_ actions: @escaping @Sendable (ChildInput) -> [ChildDispatcher.Action]) -> ChildDispatcher {
        switch mutant {
        case .workflowMerges:
            .workflow { input in
                let all = actions(input)
                guard let first = all.first else { return [] }
                return [all.dropFirst().reduce(first) { $0.zip($1).map { $0.0.followed(by: $0.1) } }]
            }
        case .workflowReversed: .workflow { actions($0).reversed() }
        default: .workflow(actions)
        }
    }

    func combine<E, S, I>(
        _ left: StateDispatcher<E, S, I>, _ right: StateDispatcher<E, S, I>
    ) -> StateDispatcher<E, S, I> {
        switch mutant {
        case .combineReversed: right.combine(left)
        case .combineDropsRight: left
        case .combineFirstWins: .workflow { left.on($0).isEmpty ? right.on($0) : left.on($0) }
        default: left.combine(right)
        }
    }

    func empty<E, S, I>() -> StateDispatcher<E, S, I> {
        mutant == .emptyHasNoOp ? .pure { _ in .pure(()) } : .empty
    }

    func widen<E, S, I: Sendable, PE, PS, PI>(
        _ child: StateDispatcher<E, S, I>,
        _ environment: @escaping @Sendable (PE) -> E,
        _ wrongEnvironment: @escaping @Sendable (PE) -> PE,
        _ state: Lens<PS, S>,
        _ touch: @escaping @Sendable (inout PS) -> Void,
        _ input: Prism<PI, I>
    ) -> StateDispatcher<PE, PS, PI> {
        let widened = child.widen(
            transformEnvironment: environment, transformState: state, transformInput: input)
        switch mutant {
        case .widenOnUnmatched:
            return .workflow { input.matches($0) ? widened.on($0) : [.pure(.pure(()))] }
        case .widenKeepsFirstAction: return .workflow { Array(widened.on($0).prefix(1)) }
        case .widenDropsEffects: return .workflow { widened.on($0).map { $0.as(.pure(())) } }
        case .widenTouchesOther:
            return .workflow { widened.on($0).map { $0.map { $0.followed(by: .update { touch(&$0) }) } } }
        case .widenReversesActions: return .workflow { widened.on($0).reversed() }
        case .widenWrongEnv:
            return child.widen(
                transformEnvironment: { environment(wrongEnvironment($0)) }, transformState: state,
                transformInput: input)
        default: return widened
        }
    }
}

extension Algebra {
    func toParent(
        _ child: ChildDispatcher, _ input: Prism<ParentInput, ChildInput> = ParentInput.prism(for: ParentInput.child)
    ) -> ParentDispatcher {
        widen(
            child, { $0.child },
            { ParentEnv(child: Env(number: $0.extra &+ 1, log: $0.child.log), extra: $0.extra) },
            Lens(\.child), { $0.other &+= 1 }, input)
    }

    func toGrand(_ parent: ParentDispatcher) -> GrandDispatcher {
        widen(
            parent, { $0.parent }, { $0 }, Lens(\.parent), { $0.more &+= 1 },
            GrandInput.prism(for: GrandInput.parent))
    }
}
