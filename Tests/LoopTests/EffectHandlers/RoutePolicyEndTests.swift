import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Each policy with each end of the effect that is being handled and each state of the queue.
@Suite("Policies of routes: ends of effects", .timeLimit(.minutes(10)))
struct RoutePolicyEndTests {
    /// The kinds of handlers.
    enum Handler: CaseIterable {
        case event, sequence, send, program

        func canEnd(as end: PolicyRow.End) -> Bool {
            switch end {
            case .value, .cancelledByCaller: true
            case .failure, .ownCancellationError: self != .program
            case .cancelled: self == .program
            }
        }
    }

    private enum Effect: Sendable {
        case work(Int)
        case cancel
    }

    private enum Event: Sendable {
        case run(Effect)
        case ended(Int)
    }

    private static func router(
        _ handler: Handler, _ run: PolicyRun, _ scheduler: VirtualScheduler
    ) -> EffectRouter<Effect, Event> {
        let route = EffectRouter<Effect, Event>(executor: scheduler.executor)
            .routeCase(Effect.cancel).toCancel { 0 }
            .routeCase(Effect.work).policy(run.row.kind.policy(scheduler.clock), id: { _ in 0 })
        return switch handler {
        case .event:
            route.toEvent { number in
                run.start(number)
                try await run.finish(number)
                return .ended(number)
            }
        case .sequence:
            route.toEvents { number in run.sequence(of: .ended(number), by: number) }
        case .send:
            route.toEvents { number, send in
                run.start(number)
                try await run.finish(number)
                send(.ended(number))
            }
        case .program:
            route.toEvent(in: run) { number in
                EnvIO<PolicyRun, Never, Void> { run in run.start(number) }
                    .flatMap { EnvIO { run async in try? await run.finish(number) } }
                    .flatMap { run.row.end(of: number) == .cancelled ? .cancelled : .pure(.ended(number)) }
            }
        }
    }

    /// Runs a row, and expects what the row says of routes.
    private func check(_ row: PolicyRow, _ handler: Handler) {
        let scheduler = VirtualScheduler()
        let run = PolicyRun(row, on: scheduler.clock)
        let update = Update<Int, Event, Effect> { _, event in
            switch event {
            case .run(let effect): return .dispatchEffects([effect])
            case .ended(let number):
                run.end(number)
                return .noChange
            }
        }
        let loop = Mobius.loop(update: update, effectHandler: Self.router(handler, run, scheduler))
            .withErrorObserver { error, source in
                #expect("\(source)" == "The handler of the effect 0")
                run.write("\(error)")
            }
            .start(from: 0)
        row.play(
            submit: { loop.dispatchEvent(.run(.work($0))) }, cancelFirst: { loop.dispatchEvent(.run(.cancel)) },
            advance: { scheduler.advance(by: .seconds($0)) })
        let comment: Comment = "\(row), \(handler)"
        #expect(run.log.lines == row.lines(of: PolicyRow.FrontDoor(cancelling: .submittedWorks)), comment)
        #expect(scheduler.clock.sleeperCount == 0, comment)
        loop.dispose()
    }

    @Test("Each end of an effect starts what the policy says, also a failure", arguments: PolicyRow.Kind.allCases)
    func ends(kind: PolicyRow.Kind) {
        for row in PolicyRow.all(of: kind) {
            for handler in Handler.allCases where handler.canEnd(as: row.firstEnd) { check(row, handler) }
        }
    }
}
