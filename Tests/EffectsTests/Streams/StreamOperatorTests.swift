import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Programs, sequences and the main actor in streams.
@Suite(.timeLimit(.minutes(10))) struct StreamOperatorTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    @Test("21. Observers of the state are also notified before effects on the main actor")
    @MainActor
    func observersFirstOnTheMainActor() async {
        let store = world.store()
        store.observe { @MainActor [log] in log.append("state \($0.count)") }
        store.register(
            Effect(dispatch: false) { actions in
                actions
                    .handleEvents { @MainActor [log] _ in
                        MainActor.assertIsolated()
                        log.append("effect")
                    }
                    .handleEvents { @MainActor [log] _ in log.append("then") }
            })
        await onThread { for id in 1...50 { store.ask(id) } }
        await Task { @MainActor in }.value
        #expect(log.lines == ["state 0"] + (1...50).flatMap { ["state \($0)", "effect", "then"] })
    }

    @Test @MainActor func eventsBeforeTheEndOfAStreamReachTheMainActor() async {
        let store = world.store(
            Effect(dispatch: false) { actions in
                actions.ofType(Asked.self)
                    .flatMap { asked in
                        ActionStream.just(asked).handleEvents { @MainActor [log] in log.append("inner \($0)") }
                    }
                    .handleEvents { @MainActor [log] in log.append("outer \($0)") }
                    .first().eraseActionType()
            })
        await onThread { store.ask(1, 2) }
        await Task { @MainActor in }.value
        #expect(log.lines == ["inner asked 1", "outer asked 1"])
    }

    @Test func aProgramThatDoesNotWaitAnswersAtOnce() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap { asked in
                    ActionStream(EnvIO<Int, Never, Answered> { Answered(id: asked.id * $0) }, in: 10)
                }
            })
        store.ask(1, 2)
        #expect(store.state == ["asked 1", "answered 10", "asked 2", "answered 20"])
    }

    @Test func aProgramThatFailsFailsTheStream() {
        let answers = world.answers(to: [1, 2]) { asked in
            asked.flatMap { asked in
                ActionStream(EnvIO<Void, Unanswerable, Answered>.fail(Unanswerable(id: asked.id)), in: ())
                    .replaceError { Answered(id: -(($0 as? Unanswerable)?.id ?? 0)) }
            }
        }
        #expect(answers == [-1, -2])
    }

    @Test func aSequenceWaitsUntilTheStoreHandlesThePreviousElement() {
        let executor = world.scheduler.executor
        let count = Guarded(0)
        let store = world.store(
            world.effect { asked in
                asked.flatMap { [log] _ in
                    AsyncStream<Answered> {
                        let id = count.withLock { count in
                            count += 1
                            return count
                        }
                        log.append("taken \(id)")
                        return id < 3 ? Answered(id: id) : nil
                    }
                }
            },
            Effect(dispatch: false) { actions in
                actions.handleEvents { [log] action in
                    if action is Asked { executor.drain() }
                    log.append("handled \(action)")
                }
            })
        store.ask(1)
        world.scheduler.drain()
        #expect(
            log.lines == [
                "taken 1", "handled asked 1", "handled answered 1", "taken 2", "handled answered 2",
                "taken 3",
            ])
    }
}
