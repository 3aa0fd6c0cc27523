import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

/// Each policy with each kind of handler, as a model says it.
@Suite("Policies of routes: model", .timeLimit(.minutes(10)))
struct RoutePolicyModelTests {
    /// The kinds of handlers.
    enum Handler: CaseIterable {
        case to, event, sequence, send, program
    }

    private enum Effect: Sendable {
        case work(Int)
        case cancel(Int)
        case flush(Int)
    }

    private enum Event: Sendable {
        case run(Effect)
        case ended(Int)
    }

    private static func router(_ handler: Handler, _ kind: PolicyKind, _ run: PolicyRun) -> EffectRouter<Effect, Event>
    {
        let works = run.script.works
        let route = EffectRouter<Effect, Event>(executor: run.scheduler.executor)
            .routeCase(Effect.cancel).toCancel { works[$0].id }
            .routeCase(Effect.flush).toFlush { works[$0].id }
            .routeCase(Effect.work).policy(kind.policy(run.scheduler.clock), id: { works[$0].id })
        return switch handler {
        case .to:
            route.to { number in
                run.start(number)
                try await run.finish(number)
                run.end(number)
            }
        case .event:
            route.toEvent { number in
                run.start(number)
                // The event of a handler that was cancelled is dropped.
                do { try await run.finish(number) } catch { if !Task.isCancelled { throw error } }
                return works[number].end == .cancelled ? nil : .ended(number)
            }
        case .sequence:
            route.toHandling { number in .toEvents { run.sequence(of: .ended(number), by: number) } }
        case .send:
            route.toHandling { number in
                .toEvents { send in
                    run.start(number)
                    defer { if Task.isCancelled { send(.ended(number)) } }
                    try await run.finish(number)
                    send(.ended(number))
                }
            }
        case .program:
            route.toHandling { number in
                .toEvent(
                    in: run,
                    EnvIO<PolicyRun, Never, Void> { run in run.start(number) }
                        .flatMap { EnvIO { run async in try? await run.finish(number) } }
                        .flatMap { works[number].end == .cancelled ? .cancelled : .pure(.ended(number)) })
            }
        }
    }

    @Test(
        "Effects start, end and are cancelled as the policy says, also after failures, and by id",
        arguments: PolicyKind.allCases, Handler.allCases)
    func model(kind: PolicyKind, handler: Handler) async {
        let ends: [PolicyScript.End] =
            switch handler {
            case .event: PolicyScript.End.allCases
            case .program: [.value, .cancelled]
            case .to, .sequence, .send: [.value, .failure, .ownCancellationError]
            }
        for cancellation in [PolicyModel.FrontDoor.Cancellation.works, .allWorks] {
            let scripts = PolicyScript.scripts(ends: ends, isOftenUndisturbed: cancellation == .allWorks)
            await expectPolicy(kind, PolicyModel.FrontDoor(cancelling: cancellation), scripts) { run in
                let update = Update<Int, Event, Effect> { _, event in
                    switch event {
                    case .run(let effect): return .dispatchEffects([effect])
                    case .ended(let number):
                        run.end(number)
                        return .noChange
                    }
                }
                let loop = Mobius.loop(update: update, effectHandler: Self.router(handler, kind, run))
                    .onError { error, source in
                        if case .effect(let number) = source { run.write("\(number) fails with \(error)") }
                    }
                    .start(from: 0)
                return (
                    { if !loop.hasEnded { loop.dispatchEvent(.run(.work($0))) } },
                    { if cancellation == .works { loop.dispatchEvent(.run(.cancel($0))) } else { loop.dispose() } },
                    { if !loop.hasEnded { loop.dispatchEvent(.run(.flush($0))) } },
                    { _ in }
                )
            }
        }
    }
}
