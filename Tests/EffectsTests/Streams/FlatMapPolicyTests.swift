import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Each policy with each end of the running inner stream and each state of the queue.
@Suite("flatMap: ends of inner streams", .timeLimit(.minutes(10)))
struct FlatMapPolicyTests {
    /// The kinds of inner streams.
    enum Work: CaseIterable {
        case closure, sequence, program, stream

        func canEnd(as end: PolicyRow.End) -> Bool { self == .program || end != .cancelled }
    }

    private static func answers(
        _ asked: ActionStream<Asked>, by work: Work, in run: PolicyRun, _ clock: VirtualClock
    ) -> ActionStream<Answered> {
        let policy = run.row.kind.policy(clock)
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
            return asked.flatMap(policy, in: run) { asked in
                EnvIO<PolicyRun, any Error, Void> { run in run.start(asked.id) }
                    .flatMap { EnvIO { run async throws in try await run.finish(asked.id) } }
                    .flatMap { run.row.end(of: asked.id) == .cancelled ? .cancelled : .pure(Answered(id: asked.id)) }
            }
        case .stream:
            return asked.flatMap(policy) { asked in
                run.start(asked.id)
                let stream = run.row.error(of: asked.id).map { .fail($0) } ?? ActionStream.just(Answered(id: asked.id))
                let seconds = run.row.seconds(of: asked.id)
                return seconds == 0 ? stream : stream.delay(for: .seconds(seconds), clock: clock)
            }
        }
    }

    /// Runs a row, and expects what the row says of stores.
    private func check(_ row: PolicyRow, _ work: Work, endsOuter: Bool) {
        let scheduler = VirtualScheduler()
        let run = PolicyRun(row, on: scheduler.clock)
        let store = Store(reducer: journal, initialState: [], executor: scheduler.executor)
        store.onError { error in
            if let failure = error as? EffectFailure { run.write("\(failure.error)") }
        }
        let registration = store.register(
            Effect(onFailure: .stop) { actions in
                let asked = actions.ofType(Asked.self)
                return Self.answers(
                    endsOuter ? asked.prefix(1 + row.otherCount) : asked, by: work, in: run, scheduler.clock
                )
                .handleEvents { run.end($0.id) }.eraseActionType()
            })
        row.play(
            submit: { store.ask($0) }, cancelFirst: { registration.cancel() },
            advance: { scheduler.advance(by: .seconds($0)) })
        let frontDoor = PolicyRow.FrontDoor(cancelling: .allWorks, failureStopsAll: true, acceptsLast: !endsOuter)
        let isCancelled = row.firstEnd == .cancelledByCaller && !(endsOuter && row.endsBeforeCancellation)
        let comment: Comment = "\(row), \(work), the outer stream ends: \(endsOuter)"
        #expect(run.log.lines == row.lines(of: frontDoor), comment)
        switch registration.status {
        case .failed: #expect(row.failureStopsAll(frontDoor), comment)
        case .cancelled: #expect(isCancelled, comment)
        case .finished: #expect(endsOuter && !isCancelled && !row.failureStopsAll(frontDoor), comment)
        case .running: #expect(!endsOuter && !isCancelled && !row.failureStopsAll(frontDoor), comment)
        }
        #expect(scheduler.clock.sleeperCount == 0, comment)
    }

    @Test("A failure ends all, and any other end starts what the policy says", arguments: PolicyRow.Kind.allCases)
    func ends(kind: PolicyRow.Kind) {
        for row in PolicyRow.all(of: kind) {
            for work in Work.allCases where work.canEnd(as: row.firstEnd) {
                for endsOuter in [false, true] { check(row, work, endsOuter: endsOuter) }
            }
        }
    }
}
