import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Each policy with each end of the running work and each state of the queue.
@Suite("Policies: ends of work", .timeLimit(.minutes(10)))
struct PolicyEndTests {
    /// The kinds of actions that work consists of.
    enum Work: CaseIterable {
        case closure, program, stream

        func canEnd(as end: PolicyRow.End) -> Bool { self == .program || end != .cancelled }
    }

    private typealias Works = StateDispatcher<PolicyRun, Int, Int>

    private static func dispatcher(_ work: Work, _ row: PolicyRow) -> Works {
        switch work {
        case .closure:
            .effectful { number in
                EnvIO { run async throws in
                    run.start(number)
                    try await run.finish(number)
                    return .set(number)
                }
            }
        case .program:
            .effectful { number in
                EnvIO<PolicyRun, any Error, Void> { run in run.start(number) }
                    .flatMap { EnvIO { run async throws in try await run.finish(number) } }
                    .flatMap { row.end(of: number) == .cancelled ? .cancelled : .pure(.set(number)) }
            }
        case .stream:
            .stream { number, run in run.sequence(of: .set(number), by: number) }
        }
    }

    /// Runs a row, and expects what the row says of components.
    private func check(_ row: PolicyRow, _ work: Work) {
        let scheduler = VirtualScheduler()
        let run = PolicyRun(row, on: scheduler.clock)
        let component = Component(
            initialState: -1, environment: run, executor: scheduler.executor,
            dispatcher: Self.dispatcher(work, row).policy(row.kind.policy(scheduler.clock)))
        component.onError { error, source in
            #expect(source == .input(0))
            run.write("\(error)")
        }
        component.observe(initial: false) { run.end($0) }
        let handles = Record<SendTask>()
        row.play(
            submit: { handles.append(component.send($0)) }, cancelFirst: { handles.values[0].cancel() },
            advance: { scheduler.advance(by: .seconds($0)) })
        let comment: Comment = "\(row), \(work)"
        #expect(run.log.lines == row.lines(of: PolicyRow.FrontDoor(cancelling: .work)), comment)
        #expect(scheduler.clock.sleeperCount == 0, comment)
    }

    @Test("Each end of a work starts what the policy says, also a failure", arguments: PolicyRow.Kind.allCases)
    func ends(kind: PolicyRow.Kind) {
        for row in PolicyRow.all(of: kind) {
            for work in Work.allCases where work.canEnd(as: row.firstEnd) { check(row, work) }
        }
    }
}
