import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What an effect begins just when it was replaced or has ended.
@Suite(.timeLimit(.minutes(10))) struct LatePartsTests {
    private struct Nudge: Action {}

    private let world = QuestionWorld()
    private let log = Log()

    /// Asks an effect that debounces two questions. The answer to the first begins in turn, and before that the second
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
                    // On another thread: what begins there is enqueued, behind the second question.
                    onThreads(1) { _ in scheduler.advance(by: .seconds(1)) }
                }
                .eraseActionType()
            })
        store.dispatch(action: Nudge())
        return store
    }

    @Test("An inner stream that is replaced between its start and its turn does not begin")
    func replacedBeforeItsTurn() {
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

    @Test("The failure of an inner stream that is replaced while it begins is dropped")
    func replacedWhileItBegins() {
        let scheduler = world.scheduler
        let store = askTwo { [log] asked in
            ActionStream(
                EnvIO<Void, any Error, Answered> { _ in
                    log.append("began \(asked.id)")
                    guard asked.id == 1 else { return Answered(id: asked.id) }
                    onThreads(1) { _ in scheduler.advance(by: .seconds(1)) }
                    throw Unanswerable()
                }, in: ())
        }
        #expect(log.lines == ["began 1", "began 2"])
        #expect(store.state.suffix(1) == ["answered 2"])
    }

    @Test("A value that waits for a clock is dropped if the effect's owner goes away")
    func ownerGoneBeforeTheClock() {
        let clock = world.clock
        let store = world.store()
        var owner: Witness? = Witness {}
        let effect = world.effect { [log] asked in
            asked.flatMap(.debounce(for: .seconds(1), clock: clock)) { asked in
                log.append("began \(asked.id)")
                return .just(Answered(id: asked.id))
            }
        }
        let registration = owner.map { store.register(effect, for: $0) }
        store.ask(1)
        world.scheduler.drain()
        owner = nil
        world.scheduler.advance(by: .seconds(1))
        #expect(log.lines == [])
        #expect(registration?.status.isCancelled == true)
    }

    @Test("A policy of a stream that was ended as it began waits for no clock")
    func policyOfAnEndedStream() {
        let (clock, link) = (world.clock, Guarded<EffectRegistration?>(nil))
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.flatMap { asked in
                    link.withLock { $0 }?.cancel()
                    return ActionStream.just(Answered(id: asked.id)).debounce(for: .seconds(10), clock: clock)
                }
            })
        link.withLock { $0 = registration }
        store.ask(1)
        world.scheduler.drain()
        #expect(registration.status.isCancelled)
        #expect(clock.sleeperCount == 0)
    }
}
