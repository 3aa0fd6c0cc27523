import Dispatcher
import DispatcherLaws
import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing

/// The laws of the operations on dispatchers, which the article on testing a dispatcher states.
enum DispatcherLaw: CaseIterable {
    case combineIsAssociative, emptyIsALeftIdentity, emptyIsARightIdentity, combineAppendsActions
    case pureIsEffectful, effectfulIsAWorkflowOfOne, workflowReturnsItsActions, emptyIsAWorkflowOfNone
    case workflowsCombineByAppending, pureIgnoresTheEnvironment, pureAndEffectfulHaveOneAction
    case wideningByIdentitiesChangesNothing, wideningTwiceIsWideningOnce, wideningDistributesOverCombine
    case wideningEmptyIsEmpty, wideningPureIsPure, disjointWidensCommute, partialWidensComposeInAnyOrder
    case eachArgumentOfWidenComposes
    case anUnmatchedInputHasNoActions, aMatchedInputHasTheChildsActions, onlyThePartChanges
    case thePartChangesAsTheChildDoes
    case askingRunsNothing, aFailureEndsItsOwnWorkflow, eachActionSeesTheStateOfItsTime
}

extension DispatcherLaw {
    /// Checks the law for generated dispatchers, inputs, states and environments.
    ///
    /// Two dispatchers are equal if their traces are equal.
    func check() async {
        await forAll(DispatcherSample.gen) { await check($0) }
    }

    private func check(_ sample: DispatcherSample) async {
        let (f, g, h) = (sample.f.actions, sample.g.actions, sample.h.actions)
        let (a, b, c) = (ChildDispatcher.workflow(f), ChildDispatcher.workflow(g), ChildDispatcher.workflow(h))
        let (change, one, setting) = (sample.change, sample.one, sample.setting)
        let pure = ChildDispatcher.pure { change.program($0) }
        let effectful = ChildDispatcher.effectful { one.action($0) }
        switch self {
        case .combineIsAssociative: await same(a.combine(b).combine(c), a.combine(b.combine(c)), setting)
        case .emptyIsALeftIdentity: await same(.empty.combine(a), a, setting)
        case .emptyIsARightIdentity: await same(a.combine(.empty), a, setting)
        case .combineAppendsActions: await same(a.combine(b), .workflow { a.on($0) + b.on($0) }, setting)
        case .pureIsEffectful: await same(pure, .effectful { .pure(change.program($0)) }, setting)
        case .effectfulIsAWorkflowOfOne: await same(effectful, .workflow { [one.action($0)] }, setting)
        case .workflowReturnsItsActions:
            let (returned, actions) = (a.on(setting.childInput), f(setting.childInput))
            #expect(returned.count == actions.count)
            for (left, right) in zip(returned, actions) {
                await same(.workflow { _ in [left] }, .workflow { _ in [right] }, setting)
            }
        case .emptyIsAWorkflowOfNone: await same(ChildDispatcher.empty, .workflow { _ in [] }, setting)
        case .workflowsCombineByAppending: await same(a.combine(b), .workflow { f($0) + g($0) }, setting)
        case .pureIgnoresTheEnvironment:
            var other = setting
            other.number = sample.otherNumber
            #expect(await setting.trace(pure) == other.trace(pure))
        case .pureAndEffectfulHaveOneAction:
            #expect(pure.on(setting.childInput).count == 1)
            #expect(effectful.on(setting.childInput).count == 1)
        case .wideningByIdentitiesChangesNothing:
            await same(
                a.widen(
                    transformEnvironment: { (env: Env) in env }, transformState: Lens<Child, Child>.identity,
                    transformInput: Prism<ChildInput, ChildInput>.identity), a, setting)
        case .wideningTwiceIsWideningOnce:
            let once = a.widen(
                transformEnvironment: { (env: GrandEnv) in env.parent.child }, transformState: \Grand.parent.child,
                transformInput: ofGrand.appending(ofParent))
            #expect(await setting.trace(a.inParent.inGrand) == setting.trace(once))
        case .wideningDistributesOverCombine:
            await same(a.combine(b).inParent, a.inParent.combine(b.inParent), setting)
        case .wideningEmptyIsEmpty: await same(ChildDispatcher.empty.inParent, .empty, setting)
        case .wideningPureIsPure:
            let lifted = ParentDispatcher.workflow { input in
                ofParent.extract(input).map { [.pure(change.program($0).focus(Lens(\Parent.child)))] } ?? []
            }
            await same(pure.inParent, lifted, setting)
        case .disjointWidensCommute:
            let (left, right) = (a.inParent, b.widened(by: ParentInput.prism(for: ParentInput.sibling)))
            await same(left.combine(right), right.combine(left), setting)
        case .partialWidensComposeInAnyOrder: await partialWidens(a, setting)
        case .eachArgumentOfWidenComposes: await compositions(a, setting)
        case .anUnmatchedInputHasNoActions:
            #expect(a.inParent.on(.other(1)).count == 0)
            #expect(a.inParent.on(.sibling(.c)).count == 0)
        case .aMatchedInputHasTheChildsActions:
            #expect(a.inParent.on(.child(setting.childInput)).count == a.on(setting.childInput).count)
        case .onlyThePartChanges:
            let trace = await setting.trace(a.inParent, .child(setting.childInput))
            #expect(trace.states.allSatisfy { $0.other == setting.state.parent.other })
        case .thePartChangesAsTheChildDoes:
            let whole = await setting.trace(a.inParent, .child(setting.childInput))
            let alone = await setting.trace(a)
            #expect(whole.states.map(\.child) == alone.states)
            #expect(whole.failure == alone.failure)
            #expect(whole.log == alone.log)
        case .askingRunsNothing: asksNothing(a, setting)
        case .aFailureEndsItsOwnWorkflow: await failing(a, setting)
        case .eachActionSeesTheStateOfItsTime: await noLostUpdate(sample.otherNumber + 2)
        }
    }

    private func same(_ left: ChildDispatcher, _ right: ChildDispatcher, _ setting: DispatcherSetting) async {
        #expect(await setting.trace(left) == setting.trace(right))
    }

    private func same(_ left: ParentDispatcher, _ right: ParentDispatcher, _ setting: DispatcherSetting) async {
        #expect(await setting.trace(left) == setting.trace(right))
    }

    // MARK: - Laws of several lines

    private func asksNothing(_ a: ChildDispatcher, _ setting: DispatcherSetting) {
        let log = EffectLog()
        let spy: @Sendable (ParentEnv) -> Env = { env in
            log.append("read the environment")
            return env.child
        }
        _ = a.widen(transformEnvironment: spy, transformState: \Parent.child, transformInput: ofParent)
            .on(.child(setting.childInput))
        // The environment is `Void`, so an operation that is asked for actions could run these effects.
        typealias Writing = StateDispatcher<Void, Child, ChildInput>
        let writing: @Sendable (ChildInput) -> Writing.Action = { _ in
            EnvIO { (_: Void) in
                log.append("ran an effect")
                return .pure(())
            }
        }
        _ = Writing.effectful(writing).combine(.workflow { [writing($0), writing($0)] }).combine(.empty)
            .on(setting.childInput)
        #expect(log.lines == [])
    }

    private func partialWidens(_ a: ChildDispatcher, _ setting: DispatcherSetting) async {
        let environment: @Sendable (ParentEnv) -> Env = { $0.child }
        let lens = Lens(\Parent.child)
        let others = [
            a.widen(transformEnvironment: environment).widen(transformState: lens).widen(transformInput: ofParent),
            a.widen(transformInput: ofParent).widen(transformState: lens).widen(transformEnvironment: environment),
            a.widen(transformState: lens, transformInput: ofParent).widen(transformEnvironment: environment),
        ]
        for other in others { await same(a.inParent, other, setting) }
    }

    private func compositions(_ a: ChildDispatcher, _ setting: DispatcherSetting) async {
        await same(a.widen { (env: Env) in env }, a, setting)
        await same(a.widen(transformState: Lens<Child, Child>.identity), a, setting)
        await same(a.widen(transformInput: Prism<ChildInput, ChildInput>.identity), a, setting)

        let next: @Sendable (Env) -> Env = { Env(number: $0.number &+ 1, log: $0.log) }
        let twofold: @Sendable (Env) -> Env = { Env(number: $0.number &* 2, log: $0.log) }
        await same(
            a.widen(transformEnvironment: next).widen(transformEnvironment: twofold), a.widen { next(twofold($0)) },
            setting)
        let (toParent, toGrand) = (Lens(\Parent.child), Lens(\Grand.parent))
        let environment = { (log: EffectLog) in setting.environment(log).parent.child }
        #expect(
            await a.widen(transformState: toParent).widen(transformState: toGrand)
                .trace(setting.childInput, state: setting.state, environment: environment)
                == a.widen(transformState: toGrand.appending(toParent))
                .trace(setting.childInput, state: setting.state, environment: environment))
        #expect(
            await a.widen(transformInput: ofParent).widen(transformInput: ofGrand)
                .trace(setting.grandInput, state: setting.state.parent.child, environment: environment)
                == a.widen(transformInput: ofGrand.appending(ofParent))
                .trace(setting.grandInput, state: setting.state.parent.child, environment: environment))
    }

    /// Sends several inputs, one after the other.
    ///
    /// An input whose action fails runs no further actions. It does not affect the next input.
    private func failing(_ a: ChildDispatcher, _ setting: DispatcherSetting) async {
        var state = setting.state.parent.child
        let (log, failures) = (EffectLog(), EffectLog())
        let component = Component(
            initialState: state, environment: setting.environment(log).parent.child, dispatcher: a)
        component.onError { error, _ in failures.append("\(error)") }
        var (lines, texts) = ([String](), [String]())
        for input in [setting.childInput, .a(0), .b(0), setting.childInput] {
            let trace = await a.trace(input, state: state) { setting.environment($0).parent.child }
            state = trace.states.last ?? state
            lines += trace.log
            if let failure = trace.failure { texts.append(failure) }
            await component.send(input).finish()
            #expect(component.state == state)
        }
        #expect(log.lines == lines)
        #expect(failures.lines == texts)
    }

    /// Sends several inputs at once. All of them change the state once before any of them continues.
    ///
    /// At the end, the state must contain every change.
    private func noLostUpdate(_ count: Int) async {
        let numbers = 1...count
        let latch = Latch(count: count)
        let adding = StateDispatcher<Void, [Int], Int>.workflow { number in
            [
                EnvIO { _ async throws in
                    await Task.yield()
                    return .update { $0.append(number) }
                },
                EnvIO { _ async throws in
                    await latch.arrive()
                    return .update { $0.append(-number) }
                },
            ]
        }
        let component = Component(initialState: [], environment: (), dispatcher: adding)
        let sent = numbers.map { component.send($0) }
        for handle in sent { await handle.finish() }
        #expect(component.state.sorted() == (numbers.map { -$0 } + numbers).sorted())
    }
}

private let ofParent = ParentInput.prism(for: ParentInput.child)
private let ofGrand = GrandInput.prism(for: GrandInput.parent)

extension ChildDispatcher {
    fileprivate func widened(by prism: Prism<ParentInput, ChildInput>) -> ParentDispatcher {
        widen(transformEnvironment: { $0.child }, transformState: Lens(\Parent.child), transformInput: prism)
    }

    fileprivate var inParent: ParentDispatcher { widened(by: ofParent) }
}

extension ParentDispatcher {
    fileprivate var inGrand: GrandDispatcher {
        widen(transformEnvironment: { $0.parent }, transformState: Lens(\Grand.parent), transformInput: ofGrand)
    }
}
