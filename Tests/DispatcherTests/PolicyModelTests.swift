import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Each policy with each kind of work, as a model says it.
@Suite("Policies: model", .timeLimit(.minutes(10)))
struct PolicyModelTests {
    /// The kinds of actions that work consists of, and ways to give them a policy.
    enum Work: CaseIterable {
        case closure, program, stream, workflow
        /// Another policy, inside or outside.
        case inner, outer
    }

    private typealias Works = StateDispatcher<PolicyRun, Int, Int>

    private static func closure(_ number: Int) -> Works.Action {
        EnvIO { run async throws in
            run.start(number)
            try await run.finish(number)
            return .set(number)
        }
    }

    private static func dispatcher(_ work: Work, _ kind: PolicyKind, in run: PolicyRun) -> Works {
        let policy = kind.policy(run.scheduler.clock)
        let works = run.script.works
        let id: @Sendable (Int) -> Int = { works[$0].id }
        switch work {
        case .closure: return Works.effectful(closure).policy(policy, id: id)
        case .workflow: return Works.workflow { [closure($0)] }.policy(policy, id: id)
        case .stream:
            return Works.stream { number, run in run.sequence(of: .set(number), by: number) }.policy(policy, id: id)
        case .program:
            return Works.effectful { number in
                EnvIO<PolicyRun, any Error, Void> { run in run.start(number) }
                    .flatMap { EnvIO { run async throws in try await run.finish(number) } }
                    .flatMap { works[number].end == .cancelled ? .cancelled : .pure(.set(number)) }
            }.policy(policy, id: id)
        case .inner: return Works.effectful(closure).policy(.queued, id: { $0 }).policy(policy, id: id)
        case .outer: return Works.effectful(closure).policy(policy, id: id).policy(.latest, id: { $0 })
        }
    }

    @Test(
        "Works start, end and are cancelled as the policy says, also after failures, by id, and with a trace",
        arguments: PolicyKind.allCases, Work.allCases)
    func model(kind: PolicyKind, work: Work) async {
        let ends = PolicyScript.End.allCases.filter { work == .program || $0 != .cancelled }
        await expectPolicy(kind, PolicyModel.FrontDoor(cancelling: .work), PolicyScript.scripts(ends: ends)) { run in
            let events = run.script.works.count.isMultiple(of: 2) ? TraceBuffer(capacity: .max) : nil
            let trace = events.map { Trace(to: $0, clock: run.scheduler.clock) }
            let component = Component(
                initialState: -1, environment: run, executor: run.scheduler.executor, trace: trace,
                dispatcher: Self.dispatcher(work, kind, in: run))
            component.onError { error, source in
                if case .input(let number) = source { run.write("\(number) fails with \(error)") }
            }
            component.observe(initial: false) { run.end($0) }
            let handles = Record<SendTask>()
            return (
                { handles.append(component.send($0)) }, { handles.values[$0].cancel() },
                { component.flush(run.script.works[$0].id) },
                { model in
                    #expect(events?.faults() ?? [] == [])
                    for (handle, phase) in zip(handles.values, model.phases) {
                        #expect(handle.isCancelled == (phase == .cancelled))
                    }
                }
            )
        }
    }
}
