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
        _ asked: ActionStream<Asked>, by work: Work, _ kind: PolicyKind, in run: PolicyRun
    ) -> ActionStream<Answered> {
        let (clock, works) = (run.scheduler.clock, run.script.works)
        let policy = kind.policy(clock)
        switch work {
        case .closure:
            return asked.flatMap(policy) { asked in
                run.start(asked.id)
                try await run.finish(asked.id)
                return Answered(id: asked.id)
            }
        case .sequence:
            return asked.flatMap(policy) { asked in run.sequence(of: Answered(id: asked.id), by: asked.id) }
        case .program:
            return asked.flatMap(policy) { asked in
                ActionStream(
                    EnvIO<PolicyRun, any Error, Void> { run in run.start(asked.id) }
                        .flatMap { EnvIO { run async throws in try await run.finish(asked.id) } }
                        .flatMap { works[asked.id].end == .cancelled ? .cancelled : .pure(Answered(id: asked.id)) },
                    in: run)
            }
        case .stream:
            return asked.flatMap(policy) { asked in
                run.start(asked.id)
                let stream = works[asked.id].error.map { .fail($0) } ?? ActionStream.just(Answered(id: asked.id))
                let duration = works[asked.id].duration
                return duration == .zero ? stream : stream.delay(for: duration, clock: clock)
            }
        }
    }

    @Test(
        "40, 54. Inner streams start, end and are cancelled as the policy says, until one fails or all have ended",
        arguments: PolicyKind.allCases, Work.allCases)
    func model(kind: PolicyKind, work: Work) async {
        let ends = PolicyScript.End.allCases.filter { work == .program || $0 != .cancelled }
        for endsOuter in [false, true] {
            let frontDoor = PolicyModel.FrontDoor(cancelling: .allWorks, failureStopsAll: true, ends: endsOuter)
            let scripts = PolicyScript.scripts(ends: ends, ids: 0...0, isOftenUndisturbed: true)
            await expectPolicy(kind, frontDoor, scripts) { run in
                let store = Store(reducer: journal, initialState: [], executor: run.scheduler.executor)
                store.onError { error in
                    if let failure = error as? EffectFailure { run.write("\(failure.error)") }
                }
                let registration = store.register(
                    Effect(onFailure: .stop) { actions in
                        let asked = actions.ofType(Asked.self)
                        return Self.answers(
                            endsOuter ? asked.prefix(run.script.works.count) : asked, by: work, kind, in: run
                        )
                        .handleEvents { run.end($0.id) }.eraseActionType()
                    })
                return (
                    { store.ask($0) }, { _ in registration.cancel() },
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
