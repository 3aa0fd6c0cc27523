import Dispatcher
import FunctionalCore
import FunctionalLaws
import Optics
import TestSupport

/// Errors that a dispatcher library can have. The laws must catch each one.
enum DispatcherMutant: String, CaseIterable, DispatcherAlgebra {
    case combineReversed, combineDropsRight, combineFirstWins, combineReversesRight
    case emptyHasNoOp
    case widenOnUnmatched, widenKeepsFirstAction, widenDropsEffects, widenTouchesOther, widenReversesActions
    case widenWrongEnv
    case pureRunsTwice, pureReadsEnv
    case effectfulAddsRefresh, effectfulRunsWhenAsked
    case workflowMerges, workflowReversed, workflowGoesOnAfterAFailure, workflowGivesUpForGood, workflowGoesBackInTime
    case partialWidenWrongEnv, partialWidenTouchesOther, partialWidenReversesActions

    /// The laws that must catch this mutant.
    var caughtBy: Set<DispatcherLaw> {
        switch self {
        case .combineReversed, .combineFirstWins: [.combineAppendsActions, .workflowsCombineByAppending]
        case .combineDropsRight:
            [.emptyIsALeftIdentity, .combineAppendsActions, .workflowsCombineByAppending, .disjointWidensCommute]
        case .combineReversesRight: [.combineIsAssociative, .combineAppendsActions, .workflowsCombineByAppending]
        case .emptyHasNoOp:
            [.emptyIsALeftIdentity, .emptyIsARightIdentity, .emptyIsAWorkflowOfNone, .wideningEmptyIsEmpty]
        case .widenOnUnmatched: [.wideningDistributesOverCombine, .anUnmatchedInputHasNoActions]
        case .widenKeepsFirstAction: [.wideningByIdentitiesChangesNothing, .aMatchedInputHasTheChildsActions]
        case .widenDropsEffects:
            [.wideningByIdentitiesChangesNothing, .thePartChangesAsTheChildDoes, .wideningPureIsPure]
        case .widenTouchesOther: [.wideningTwiceIsWideningOnce, .onlyThePartChanges, .wideningPureIsPure]
        case .widenReversesActions: [.wideningByIdentitiesChangesNothing, .thePartChangesAsTheChildDoes]
        case .widenWrongEnv: [.thePartChangesAsTheChildDoes]
        case .pureRunsTwice: [.pureIsEffectful, .pureAndEffectfulHaveOneAction]
        case .pureReadsEnv: [.pureIgnoresTheEnvironment]
        case .effectfulAddsRefresh: [.pureIsEffectful, .effectfulIsAWorkflowOfOne, .pureAndEffectfulHaveOneAction]
        case .effectfulRunsWhenAsked: [.askingRunsNothing]
        case .workflowMerges, .workflowReversed: [.workflowReturnsItsActions]
        case .workflowGoesOnAfterAFailure, .workflowGivesUpForGood: [.aFailureEndsItsOwnWorkflow]
        case .workflowGoesBackInTime: [.eachActionSeesTheStateOfItsTime]
        case .partialWidenWrongEnv, .partialWidenTouchesOther, .partialWidenReversesActions:
            [.partialWidensComposeInAnyOrder, .eachArgumentOfWidenComposes]
        }
    }

    func pure<E, S, I>(_ change: @escaping @Sendable (I) -> State<S, Void>) -> StateDispatcher<E, S, I> {
        switch self {
        case .pureRunsTwice: .workflow { [.pure(change($0)), .pure(change($0))] }
        case .pureReadsEnv:
            // Applies the change twice if the first number of the environment is odd.
            .effectful { input in
                let once = change(input)
                return .access { firstNumber(in: $0) % 2 == 0 ? once : once.followed(by: once) }
            }
        default: .pure(change)
        }
    }

    func effectful<E, S, I>(
        _ action: @escaping @Sendable (I) -> StateDispatcher<E, S, I>.Action
    ) -> StateDispatcher<E, S, I> {
        switch self {
        case .effectfulAddsRefresh: .workflow { [.pure(.pure(())), action($0)] }
        case .effectfulRunsWhenAsked:
            .workflow { input in
                let action = action(input)
                if let environment = () as? E { _ = action.start(environment, isolation: nil) }
                return [action]
            }
        default: .effectful(action)
        }
    }

    func workflow<E, S, I>(
        _ actions: @escaping @Sendable (I) -> [StateDispatcher<E, S, I>.Action]
    ) -> StateDispatcher<E, S, I> {
        switch self {
        case .workflowMerges:
            .workflow { input in
                let all = actions(input)
                guard let first = all.first else { return [] }
                return [all.dropFirst().reduce(first) { $0.zip($1).map { $0.0.followed(by: $0.1) } }]
            }
        case .workflowReversed: .workflow { actions($0).reversed() }
        case .workflowGoesOnAfterAFailure: .workflow { actions($0).map { $0.handleError { _ in .pure(()) } } }
        case .workflowGivesUpForGood: givingUp(actions)
        case .workflowGoesBackInTime: goingBack(actions)
        default: .workflow(actions)
        }
    }

    /// Returns no actions for any input after an action has failed.
    private func givingUp<E, S, I>(
        _ actions: @escaping @Sendable (I) -> [StateDispatcher<E, S, I>.Action]
    ) -> StateDispatcher<E, S, I> {
        let failed = Guarded(false)
        return .workflow { input in
            guard !failed.withLock({ $0 }) else { return [] }
            return actions(input).map { action in
                action.mapError { error in
                    failed.withLock { $0 = true }
                    return error
                }
            }
        }
    }

    /// Starts each action of an input from the state that the previous one left, and ignores changes in between.
    private func goingBack<E, S, I>(
        _ actions: @escaping @Sendable (I) -> [StateDispatcher<E, S, I>.Action]
    ) -> StateDispatcher<E, S, I> {
        .workflow { input in
            let left = Guarded<S?>(nil)
            return actions(input).map { action in
                action.map { change in
                    State { state in
                        state = left.withLock { $0 } ?? state
                        change.run(&state)
                        let now = state
                        left.withLock { $0 = now }
                    }
                }
            }
        }
    }

    func combine<E, S, I>(
        _ left: StateDispatcher<E, S, I>, _ right: StateDispatcher<E, S, I>
    ) -> StateDispatcher<E, S, I> {
        switch self {
        case .combineReversed: right.combine(left)
        case .combineDropsRight: left
        case .combineFirstWins: .workflow { left.on($0).isEmpty ? right.on($0) : left.on($0) }
        case .combineReversesRight: .workflow { left.on($0) + right.on($0).reversed() }
        default: left.combine(right)
        }
    }

    func empty<E, S, I>() -> StateDispatcher<E, S, I> {
        self == .emptyHasNoOp ? .pure { _ in .pure(()) } : .empty
    }

    func widen<E, S, I: Sendable, PE, PS, PI>(
        _ child: StateDispatcher<E, S, I>, _ environment: @escaping @Sendable (PE) -> E, _ state: Lens<PS, S>,
        _ input: Prism<PI, I>
    ) -> StateDispatcher<PE, PS, PI> {
        let widened = child.widen(transformEnvironment: environment, transformState: state, transformInput: input)
        switch self {
        case .widenOnUnmatched: return .workflow { input.matches($0) ? widened.on($0) : [.pure(.pure(()))] }
        case .widenKeepsFirstAction: return .workflow { Array(widened.on($0).prefix(1)) }
        case .widenDropsEffects: return .workflow { widened.on($0).map { $0.as(.pure(())) } }
        case .widenTouchesOther:
            return .workflow { input in
                widened.on(input).map { action in
                    action.map { $0.followed(by: .update { $0 = disturbed($0) }) }
                }
            }
        case .widenReversesActions: return .workflow { widened.on($0).reversed() }
        case .widenWrongEnv:
            return child.widen(
                transformEnvironment: { disturbed(environment($0)) }, transformState: state, transformInput: input)
        default: return widened
        }
    }

    func widenEnvironment<E, S, I, PE>(
        _ child: StateDispatcher<E, S, I>, _ environment: @escaping @Sendable (PE) -> E
    ) -> StateDispatcher<PE, S, I> {
        guard self == .partialWidenWrongEnv else { return child.widen(transformEnvironment: environment) }
        return child.widen(transformEnvironment: { disturbed(environment($0)) })
    }

    func widenState<E, S, I, PS>(
        _ child: StateDispatcher<E, S, I>, _ state: Lens<PS, S>
    ) -> StateDispatcher<E, PS, I> {
        let widened = child.widen(transformState: state)
        guard self == .partialWidenTouchesOther else { return widened }
        return .workflow { input in
            widened.on(input).map { action in action.map { $0.followed(by: .update { $0 = disturbed($0) }) } }
        }
    }

    func widenInput<E, S, I: Sendable, PI>(
        _ child: StateDispatcher<E, S, I>, _ input: Prism<PI, I>
    ) -> StateDispatcher<E, S, PI> {
        let widened = child.widen(transformInput: input)
        return self == .partialWidenReversesActions ? .workflow { widened.on($0).reversed() } : widened
    }
}

/// Returns `value` with its own number changed if it is a state or an environment of the law kit.
private func disturbed<Value>(_ value: Value) -> Value {
    func cast(_ changed: some Any) -> Value { changed as? Value ?? value }
    switch value {
    case var child as Child:
        child.count &+= 1
        return cast(child)
    case var parent as Parent:
        parent.other &+= 1
        return cast(parent)
    case var grand as Grand:
        grand.parent.other &+= 1
        return cast(grand)
    case var environment as Env:
        environment.number &+= 1
        return cast(environment)
    default: return value
    }
}

private func firstNumber(in environment: Any) -> Int {
    (environment as? Env)?.number ?? 0
}
