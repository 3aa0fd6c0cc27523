import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting

extension DispatcherLaw {
    func hold(_ sample: DispatcherSample, _ algebra: some DispatcherAlgebra) async throws {
        let (f, g, h) = (sample.f.actions, sample.g.actions, sample.h.actions)
        let (change, one) = (sample.change, sample.one)
        let pure: ChildDispatcher = algebra.pure { change.program($0) }
        let effectful: ChildDispatcher = algebra.effectful { one.action($0) }
        let (a, b, c): (ChildDispatcher, ChildDispatcher, ChildDispatcher) = (
            algebra.workflow(f), algebra.workflow(g), algebra.workflow(h)
        )
        let setting = sample.setting
        let prism = ParentInput.prism(for: ParentInput.child)
        switch self {
        case .combineIsAssociative:
            try await child(
                algebra.combine(algebra.combine(a, b), c), algebra.combine(a, algebra.combine(b, c)), setting)
        case .emptyIsALeftIdentity: try await child(algebra.combine(algebra.empty(), a), a, setting)
        case .emptyIsARightIdentity: try await child(algebra.combine(a, algebra.empty()), a, setting)
        case .combineAppendsActions: try await child(algebra.combine(a, b), .workflow { a.on($0) + b.on($0) }, setting)
        case .pureIsEffectful: try await child(pure, algebra.effectful { .pure(change.program($0)) }, setting)
        case .effectfulIsAWorkflowOfOne: try await child(effectful, algebra.workflow { [one.action($0)] }, setting)
        case .workflowReturnsItsActions: try await child(algebra.workflow(f), .workflow(f), setting)
        case .emptyIsAWorkflowOfNone: try await child(algebra.empty(), .workflow { _ in [] }, setting)
        case .workflowsCombineByAppending:
            try await child(algebra.combine(a, b), algebra.workflow { f($0) + g($0) }, setting)
        case .wideningByIdentitiesChangesNothing:
            try await child(algebra.widen(a, { $0 }, .identity, .identity), a, setting)
        case .wideningTwiceIsWideningOnce:
            let once = algebra.widen(
                a, { (env: GrandEnv) in env.parent.child }, Lens(\Grand.parent.child),
                GrandInput.prism(for: GrandInput.parent).appending(prism))
            try await traces(setting.trace(algebra.toGrand(algebra.toParent(a))), setting.trace(once))
        case .wideningDistributesOverCombine:
            try await parent(
                algebra.toParent(algebra.combine(a, b)), algebra.combine(algebra.toParent(a), algebra.toParent(b)),
                setting)
        case .wideningEmptyIsEmpty: try await parent(algebra.toParent(algebra.empty()), .empty, setting)
        case .anUnmatchedInputHasNoActions:
            let count = algebra.toParent(a).on(.other(1)).count + algebra.toParent(a).on(.sibling(.c)).count
            try same(count, 0)
        case .aMatchedInputHasTheChildsActions:
            try same(algebra.toParent(a).on(.child(setting.childInput)).count, a.on(setting.childInput).count)
        case .onlyThePartChanges:
            let trace = await setting.trace(algebra.toParent(a), .child(setting.childInput))
            try Verdict(law: rawValue).sameStates(
                trace.states.map(\.other), trace.states.map { _ in setting.state.parent.other }, by: ==)
        case .thePartChangesAsTheChildDoes:
            let whole = await setting.trace(algebra.toParent(a), .child(setting.childInput))
            let alone = await setting.trace(a)
            try traces(
                DispatchTrace(
                    actions: alone.actions, states: whole.states.map(\.child), failure: whole.failure, log: whole.log),
                alone)
        case .wideningPureIsPure:
            let lifted = ParentDispatcher.workflow { input in
                prism.extract(input).map { [.pure(change.program($0).focus(Lens(\Parent.child)))] } ?? []
            }
            try await parent(algebra.toParent(pure), lifted, setting)
        case .askingRunsNothing: try asksNothing(algebra, setting, a)
        case .pureIgnoresTheEnvironment:
            var other = setting
            other.number = sample.otherNumber
            try await traces(setting.trace(pure), other.trace(pure))
        case .pureAndEffectfulHaveOneAction:
            try same(pure.on(setting.childInput).count, 1)
            try same(effectful.on(setting.childInput).count, 1)
        case .disjointWidensCommute:
            let left = algebra.toParent(a)
            let right = algebra.toParent(b, ParentInput.prism(for: ParentInput.sibling))
            try await parent(algebra.combine(left, right), algebra.combine(right, left), setting)
        case .partialWidensComposeInAnyOrder: try await partialWidens(algebra, setting, a)
        case .aFailureEndsItsOwnWorkflow: try await failing(setting, a, .workflow(f))
        case .eachArgumentOfWidenComposes: try await contramaps(algebra, setting, a)
        case .eachActionSeesTheStateOfItsTime: try await noLostUpdate(algebra, sample)
        }
    }

    private func same<Value: Equatable>(_ left: Value, _ right: Value) throws {
        try Verdict(law: rawValue).same(left, right)
    }

    private func traces<S: Equatable>(_ left: DispatchTrace<S>, _ right: DispatchTrace<S>) throws {
        try Verdict(law: rawValue).sameTrace(left, right, by: ==)
    }

    private func child(_ left: ChildDispatcher, _ right: ChildDispatcher, _ setting: DispatcherSetting) async throws {
        try await traces(setting.trace(left), setting.trace(right))
    }

    private func parent(
        _ left: ParentDispatcher, _ right: ParentDispatcher, _ setting: DispatcherSetting
    ) async throws {
        try await traces(setting.trace(left), setting.trace(right))
    }

    // MARK: - Laws of several lines

    private func asksNothing(
        _ algebra: some DispatcherAlgebra, _ setting: DispatcherSetting, _ a: ChildDispatcher
    ) throws {
        let log = EffectLog()
        let spy: @Sendable (ParentEnv) -> Env = { env in
            log.append("read the environment")
            return env.child
        }
        _ = algebra.widen(a, spy, Lens(\Parent.child), ParentInput.prism(for: ParentInput.child))
            .on(.child(setting.childInput))
        // The environment is `Void`, so an operation that is asked for actions could run these effects.
        let writing: @Sendable (ChildInput) -> StateDispatcher<Void, Child, ChildInput>.Action = { _ in
            EnvIO { (_: Void) in
                log.append("ran an effect")
                return .pure(())
            }
        }
        let effectful = algebra.effectful(writing)
        let workflow = algebra.workflow { [writing($0), writing($0)] }
        _ = algebra.combine(algebra.combine(effectful, workflow), algebra.empty()).on(setting.childInput)
        try same(log.lines, [])
    }

    private func partialWidens(
        _ algebra: some DispatcherAlgebra, _ setting: DispatcherSetting, _ a: ChildDispatcher
    ) async throws {
        let prism = ParentInput.prism(for: ParentInput.child)
        let environment: @Sendable (ParentEnv) -> Env = { $0.child }
        let whole = algebra.toParent(a)
        let lens = Lens(\Parent.child)
        let inOrder = algebra.widenInput(algebra.widenState(algebra.widenEnvironment(a, environment), lens), prism)
        let backwards = algebra.widenEnvironment(algebra.widenState(algebra.widenInput(a, prism), lens), environment)
        let inPairs = algebra.widenEnvironment(a.widen(transformState: lens, transformInput: prism), environment)
        let otherPairs = algebra.widenState(a.widen(transformEnvironment: environment, transformInput: prism), lens)
        let lastPairs = algebra.widenInput(a.widen(transformEnvironment: environment, transformState: lens), prism)
        for other in [inOrder, backwards, inPairs, otherPairs, lastPairs] {
            try await parent(whole, other, setting)
        }
    }

    private func contramaps(
        _ algebra: some DispatcherAlgebra, _ setting: DispatcherSetting, _ a: ChildDispatcher
    ) async throws {
        try await child(algebra.widenEnvironment(a) { (env: Env) in env }, a, setting)
        try await child(algebra.widenState(a, .identity), a, setting)
        try await child(algebra.widenInput(a, .identity), a, setting)

        let next: @Sendable (Env) -> Env = { Env(number: $0.number &+ 1, log: $0.log) }
        let twofold: @Sendable (Env) -> Env = { Env(number: $0.number &* 2, log: $0.log) }
        try await child(
            algebra.widenEnvironment(algebra.widenEnvironment(a, next), twofold),
            algebra.widenEnvironment(a) { next(twofold($0)) }, setting)
        let (toParent, toGrand) = (Lens(\Parent.child), Lens(\Grand.parent))
        let environment = { (log: EffectLog) in setting.environment(log).parent.child }
        try traces(
            await algebra.widenState(algebra.widenState(a, toParent), toGrand)
                .trace(setting.childInput, state: setting.state, environment: environment),
            await algebra.widenState(a, toGrand.appending(toParent))
                .trace(setting.childInput, state: setting.state, environment: environment))
        let (ofParent, ofGrand) = (
            ParentInput.prism(for: ParentInput.child), GrandInput.prism(for: GrandInput.parent)
        )
        try traces(
            await algebra.widenInput(algebra.widenInput(a, ofParent), ofGrand)
                .trace(setting.grandInput, state: setting.state.parent.child, environment: environment),
            await algebra.widenInput(a, ofGrand.appending(ofParent))
                .trace(setting.grandInput, state: setting.state.parent.child, environment: environment))
    }

    /// Sends several inputs, one after the other.
    ///
    /// An input whose action fails runs no further actions. It does not affect the next input.
    private func failing(
        _ setting: DispatcherSetting, _ a: ChildDispatcher, _ model: ChildDispatcher
    ) async throws {
        let start = setting.state.parent.child
        let log = EffectLog()
        let component = Component(
            initialState: start, environment: setting.environment(log).parent.child, dispatcher: a)
        let failures = EffectLog()
        component.onError { error, _ in failures.append("\(error)") }
        var (state, lines, texts) = (start, [String](), [String]())
        for input in [setting.childInput, .a(0), .b(0), setting.childInput] {
            let trace = await model.trace(input, state: state) { setting.environment($0).parent.child }
            state = trace.states.last ?? state
            lines += trace.log
            if let failure = trace.failure { texts.append(failure) }
            await component.send(input).finish()
            try same(component.state, state)
        }
        try same(log.lines, lines)
        try same(failures.lines, texts)
    }

    /// Sends several inputs at once. All of them change the state once before any of them continues.
    ///
    /// At the end, the state must contain every change.
    private func noLostUpdate(_ algebra: some DispatcherAlgebra, _ sample: DispatcherSample) async throws {
        let numbers = 1...(sample.otherNumber + 2)
        let meeting = Meeting(of: numbers.count)
        let adding: StateDispatcher<Void, [Int], Int> = algebra.workflow { number in
            [
                EnvIO { _ async throws in
                    await Task.yield()
                    return .update { $0.append(number) }
                },
                EnvIO { _ async throws in
                    await meeting.arrive()
                    return .update { $0.append(-number) }
                },
            ]
        }
        let component = Component(initialState: [], environment: (), dispatcher: adding)
        let sent = numbers.map { component.send($0) }
        for handle in sent { await handle.finish() }
        try same(component.state.sorted(), (numbers.map { -$0 } + numbers).sorted())
    }
}
