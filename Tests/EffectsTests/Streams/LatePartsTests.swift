import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Inner streams that begin while they are replaced or while their effect ends.
@Suite(.timeLimit(.minutes(10))) struct LatePartsTests {
    private struct Nudge: Action {}

    private let world = QuestionWorld()
    private var log: Log { world.log }

    /// Asks two questions of an effect that debounces them. The timer of the first fires. Before its turn, the second
    /// question is submitted and `submitted` is called.
    private func askTwo(
        _ answer: @escaping @Sendable (Asked) -> ActionStream<Answered>,
        submitted: @escaping @Sendable () -> Void = {}
    ) -> Store<[String]> {
        let (clock, scheduler) = (world.clock, world.scheduler)
        let store = world.store(
            world.effect { asked in asked.flatMap(.debounce(for: .seconds(1), clock: clock), answer) },
            Effect(dispatch: false) { actions in
                actions.ofType(Asked.self).handleEvents { if $0.id == 2 { submitted() } }.eraseActionType()
            })
        store.onError { [log] in log.append("\($0)") }
        store.ask(1)
        scheduler.drain()
        store.register(
            Effect(dispatch: false) { actions in
                actions.ofType(Nudge.self).handleEvents { [weak store] _ in
                    store?.ask(2)
                    // The message of the timer is enqueued behind the second question.
                    onThreads(1) { _ in scheduler.advance(by: .seconds(1)) }
                }
                .eraseActionType()
            })
        store.dispatch(action: Nudge())
        return store
    }

    @Test("If a value arrives before the turn of a timer, the pause begins again, and only the newer one starts")
    func replacedBeforeItsTurn() {
        let store = askTwo { [log] asked in
            log.append("began \(asked.id)")
            return .just(Answered(id: asked.id))
        }
        #expect(log.lines == [])
        world.scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["began 2"])
        #expect(store.state.suffix(1) == ["answered 2"])
    }

    @Test("If the pause after a newer value is over by the turn of a timer, the newer one starts in it")
    func replacedBeforeItsLateTurn() {
        let scheduler = world.scheduler
        let store = askTwo(
            { [log] asked in
                log.append("began \(asked.id)")
                return .just(Answered(id: asked.id))
            },
            submitted: {
                onThreads(1) { _ in scheduler.advance(by: .seconds(1)) }
            })
        #expect(log.lines == ["began 2"])
        #expect(store.state.suffix(1) == ["answered 2"])
    }

    @Test("A debounced stream whose effect is cancelled before it begins does not wait for its clock")
    func policyOfAnEndedStream() {
        let clock = world.clock
        let store = world.store()
        let registration = store.register { cancel in
            world.effect { asked in
                asked.flatMap { asked in
                    cancel()
                    return ActionStream.just(Answered(id: asked.id)).debounce(for: .seconds(10), clock: clock)
                }
            }
        }
        store.ask(1)
        world.scheduler.drain()
        #expect(registration.status.isCancelled)
        #expect(clock.sleeperCount == 0)
    }
}
