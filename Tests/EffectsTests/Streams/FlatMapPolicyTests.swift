import Effects
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Each policy with each kind of inner stream, as a model says it.
@Suite("flatMap: model", .timeLimit(.minutes(10)))
struct FlatMapPolicyTests {
    /// The kinds of inner streams.
    enum Work: CaseIterable {
        case closure, sequence, program, stream
    }

    private static func answers(
        _ asked: ActionStream<Asked>, by work: Work, _ kind: PolicyKind, isKeyed: Bool, in run: PolicyRun
    ) -> ActionStream<Answered> {
        let (clock, works) = (run.scheduler.clock, run.script.works)
        let policy = kind.policy(clock)
        let id: @Sendable (Asked) -> Int = { works[$0.id].id }
        let closure: @Sendable (Asked) async throws -> Answered = { asked in
            run.start(asked.id)
            try await run.finish(asked.id)
            return Answered(id: asked.id)
        }
        let sequence: @Sendable (Asked) async throws -> AsyncThrowingStream<Answered, any Error> = { asked in
            run.sequence(of: Answered(id: asked.id), by: asked.id)
        }
        let program: @Sendable (Asked) -> ActionStream<Answered> = { asked in
            ActionStream(
                EnvIO<PolicyRun, any Error, Void> { run in run.start(asked.id) }
                    .flatMap { EnvIO { run async throws in try await run.finish(asked.id) } }
                    .flatMap { works[asked.id].end == .cancelled ? .cancelled : .pure(Answered(id: asked.id)) },
                in: run)
        }
        let stream: @Sendable (Asked) -> ActionStream<Answered> = { asked in
            run.start(asked.id)
            let stream = works[asked.id].error.map { .fail($0) } ?? ActionStream.just(Answered(id: asked.id))
            let duration = works[asked.id].duration
            return duration == .zero ? stream : stream.delay(for: duration, clock: clock)
        }
        return switch work {
        case .closure: isKeyed ? asked.flatMap(policy, id: id, closure) : asked.flatMap(policy, closure)
        case .sequence: isKeyed ? asked.flatMap(policy, id: id, sequence) : asked.flatMap(policy, sequence)
        case .program: isKeyed ? asked.flatMap(policy, id: id, program) : asked.flatMap(policy, program)
        case .stream: isKeyed ? asked.flatMap(policy, id: id, stream) : asked.flatMap(policy, stream)
        }
    }

    @Test(
        "40, 54. Inner streams start, end and are cancelled as the policy says, until one fails or all have ended",
        arguments: PolicyKind.allCases, Work.allCases)
    func model(kind: PolicyKind, work: Work) async { await expectModel(kind, work, isKeyed: false) }

    @Test(
        "40, 54. Inner streams of each id start, end and are cancelled as the policy says, whatever other ids do",
        arguments: PolicyKind.allCases, Work.allCases)
    func keyedModel(kind: PolicyKind, work: Work) async { await expectModel(kind, work, isKeyed: true) }

    private func expectModel(_ kind: PolicyKind, _ work: Work, isKeyed: Bool) async {
        let ends = PolicyScript.End.allCases.filter { work == .program || $0 != .cancelled }
        for endsOuter in [false, true] {
            let frontDoor = PolicyModel.FrontDoor(cancelling: .allWorks, failureStopsAll: true, ends: endsOuter)
            let scripts = PolicyScript.scripts(ends: ends, ids: 0...(isKeyed ? 1 : 0), isOftenUndisturbed: true)
            await expectPolicy(kind, frontDoor, scripts) { run in
                let store = Store(reducer: journal, initialState: [], executor: run.scheduler.executor)
                store.onError { error in
                    if let failure = error as? EffectFailure { run.write("\(failure.error)") }
                }
                let registration = store.register(
                    Effect(onFailure: .stop) { actions in
                        let asked = actions.ofType(Asked.self)
                        return Self.answers(
                            endsOuter ? asked.prefix(run.script.works.count) : asked, by: work, kind, isKeyed: isKeyed,
                            in: run
                        )
                        .handleEvents { run.end($0.id) }.eraseActionType()
                    })
                return (
                    { store.ask($0) }, { _ in registration.cancel() },
                    { if isKeyed { store.flush(run.script.works[$0].id) } else { store.flush() } },
                    { model in
                        if endsOuter {
                            let isLong = model.phases.count > 2 && model.status == .finished
                            classify(isLong, "several works end by themselves", atLeast: 0.05)
                        }
                        switch registration.status {
                        case .running: #expect(model.status == .running)
                        case .cancelled: #expect(model.status == .cancelled)
                        case .failed: #expect(model.status == .failed)
                        case .finished: #expect(model.status == .finished)
                        }
                    }
                )
            }
        }
    }
}
