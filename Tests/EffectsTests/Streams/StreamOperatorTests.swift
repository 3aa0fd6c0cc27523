import Effects
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The operators that do not wait for a clock.
@Suite(.timeLimit(.minutes(10))) struct StreamOperatorTests {
    private let world = QuestionWorld()
    private let log = Log()

    @Test func filterDeliversTheActionsThatMatch() {
        #expect(
            world.answers(to: [1, 2, 3, 4]) { $0.filter { $0.id > 2 }.map { Answered(id: $0.id) } } == [
                3, 4,
            ])
    }

    @Test("map with a key path emits the property of each value, stored or computed")
    func mapByKeyPath() {
        #expect(world.answers(to: [1, 2]) { $0.map(\.id).map { Answered(id: $0 + 1) } } == [2, 3])
        #expect(
            world.answers(to: [1, 2]) { $0.map(\.description).map { Answered(id: $0.count) } } == [7, 7])
        let stored: any KeyPath<Asked, Int> & Sendable = \.id
        #expect(world.answers(to: [1, 2]) { $0.map(stored).map { Answered(id: $0 + 1) } } == [2, 3])
    }

    @Test func compactMapDeliversTheNonNilResults() {
        #expect(
            world.answers(to: [1, 2, 3]) { $0.compactMap { $0.id == 2 ? nil : Answered(id: $0.id * 2) } }
                == [2, 6])
    }

    @Test func scanContinuesFromItsPreviousResult() {
        #expect(
            world.answers(to: [1, 2, 3]) { $0.scan(10) { $0 + $1.id }.map(Answered.init) } == [
                11, 13, 16,
            ])
    }

    @Test func removeDuplicatesComparesWithThePreviousValue() {
        #expect(
            world.answers(to: [1, 1, 2, 1, 1]) { $0.removeDuplicates().map { Answered(id: $0.id) } } == [
                1, 2, 1,
            ])
        #expect(
            world.answers(to: [1, 3, 2, 4, 5]) { asked in
                asked.removeDuplicates { $0.id % 2 == $1.id % 2 }.map { Answered(id: $0.id) }
            } == [1, 2, 5])
    }

    @Test func theStateOfOperatorsBelongsToOneRun() {
        let effect = world.effect { $0.scan(0) { $0 + $1.id }.removeDuplicates().map(Answered.init) }
        let store = world.store(effect)
        store.ask(1)
        store.register(effect)
        store.ask(0, 2)
        #expect(
            store.state == [
                "asked 1", "answered 1", "asked 0", "answered 0", "asked 2", "answered 3", "answered 2",
            ])
    }

    @Test func prefixEndsAfterTheGivenCount() {
        let store = world.store()
        let registration = store.register(world.effect { $0.prefix(2).map { Answered(id: $0.id) } })
        store.ask(1)
        #expect(registration.status.isRunning)
        store.ask(2)
        #expect(registration.status.isFinished)
        store.ask(3)
        #expect(store.state == ["asked 1", "answered 1", "asked 2", "answered 2", "asked 3"])
    }

    @Test func aPrefixOfNothingEndsAtOnce() {
        let registration = world.store().register(
            world.effect { $0.prefix(0).map { Answered(id: $0.id) } })
        #expect(registration.status.isFinished)
    }

    @Test func prefixEndsASequenceThatHasNoEnd() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap { _ in ActionStream.sequence(sequence(first: 1) { $0 + 1 }).prefix(3) }
                    .map(Answered.init)
            })
        store.ask(0)
        #expect(store.state == ["asked 0", "answered 1", "answered 2", "answered 3"])
    }

    @Test func prefixEndsItsSourceWhileAMergedStreamContinues() {
        let store = world.store(
            world.effect { asked in
                ActionStream.sequence(sequence(first: 1) { $0 + 1 }).prefix(1).map(Answered.init)
                    .merge(with: asked.map { Answered(id: $0.id) })
            })
        store.ask(5)
        #expect(store.state == ["answered 1", "asked 5", "answered 5"])
    }

    @Test func mergeEndsWhenBothStreamsHaveEnded() {
        let store = world.store()
        let registration = store.register(
            world.effect { asked in
                asked.prefix(1).merge(with: asked.prefix(2)).map { Answered(id: $0.id) }
            })
        store.ask(1)
        #expect(registration.status.isRunning)
        store.ask(2)
        #expect(registration.status.isFinished)
        #expect(store.state == ["asked 1", "answered 1", "answered 1", "asked 2", "answered 2"])
    }

    @Test func mergeFailsWithTheFirstFailure() {
        #expect(
            world.answers(to: []) { _ in
                ActionStream<Answered>.fail(Unanswerable())
                    .merge(with: .just(Answered(id: 1)))
                    .replaceError(with: Answered(id: 2))
            } == [2])
    }

    @Test func emptyAndSequenceEnd() {
        let store = world.store()
        #expect(store.register(world.effect { _ in .empty }).status.isFinished)
        #expect(store.register(world.effect { _ in .sequence([Answered(id: 1)]) }).status.isFinished)
        #expect(store.state == ["answered 1"])
    }

    @Test @MainActor func aMainActorHandleEventsRunsOnTheMainActor() async {
        let store = world.store(
            Effect(dispatch: false) { actions in
                actions.handleEvents { [log] action in
                    MainActor.assertIsolated()
                    log.append("\(action)")
                }
            })
        store.ask(1)
        // Synchronous, because this code runs on the main actor.
        #expect(log.lines == ["asked 1"])
        await withCheckedContinuation { done in
            Thread {
                for id in 2...50 { store.ask(id) }
                done.resume()
            }.start()
        }
        await Task { @MainActor in }.value
        #expect(log.lines == (1...50).map { "asked \($0)" })
    }

    @Test("21. Observers of the state are also notified before effects on the main actor")
    @MainActor
    func observersFirstOnTheMainActor() async {
        let store = world.store()
        store.observe { @MainActor [log] in log.append("state \($0.count)") }
        store.register(
            Effect(dispatch: false) { actions in
                actions
                    .handleEvents { @MainActor [log] _ in log.append("effect") }
                    .handleEvents { @MainActor [log] _ in log.append("then") }
            })
        await withCheckedContinuation { done in
            Thread {
                for id in 1...50 { store.ask(id) }
                done.resume()
            }.start()
        }
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
        await withCheckedContinuation { done in
            Thread {
                store.ask(1, 2)
                done.resume()
            }.start()
        }
        await Task { @MainActor in }.value
        #expect(log.lines == ["inner asked 1", "outer asked 1"])
    }

    @Test("44. An action enqueued for the main actor does not arrive after cancel() has returned")
    @MainActor
    func cancelOvertakesTheMainActor() async {
        let store = world.store()
        let registrations = [1, 2].map { count in
            store.register(
                Effect(dispatch: false) { actions in
                    actions.handleEvents { @MainActor [log] in log.append("\($0)") }.prefix(count)
                })
        }
        onThreads(1) { _ in store.ask(1) }
        #expect(registrations[0].status.isFinished)
        for registration in registrations { registration.cancel() }
        await Task { @MainActor in }.value
        #expect(log.lines.isEmpty)
        #expect(registrations[0].status.isFinished)
    }

    private actor Notes {
        var lines: [String] = []

        func effect(_ done: CheckedContinuation<Void, Never>) -> Effect<Void> {
            Effect(dispatch: false) { actions in
                actions.ofType(Asked.self).handleEvents { asked in
                    self.assertIsolated()
                    self.lines.append("\(asked)")
                    if asked.id == 20 { done.resume() }
                }.eraseActionType()
            }
        }
    }

    @Test func handleEventsRunsOnAnyActorInOrder() async {
        let notes = Notes()
        let store = world.store()
        await withCheckedContinuation { done in
            Task {
                store.register(await notes.effect(done))
                for id in 1...20 { store.ask(id) }
            }
        }
        #expect(await notes.lines == (1...20).map { "asked \($0)" })
    }

    @Test func aProgramThatDoesNotWaitAnswersAtOnce() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap(in: 10) { asked in
                    EnvIO<Int, Never, Answered> { Answered(id: asked.id * $0) }
                }
            })
        store.ask(1, 2)
        #expect(store.state == ["asked 1", "answered 10", "asked 2", "answered 20"])
    }

    @Test func aProgramThatWaitsAnswersLater() {
        let clock = world.clock
        let store = world.store(
            world.effect { asked in
                asked.flatMap(in: 10) { asked in
                    EnvIO<Int, any Error, Void>.sleep(for: .seconds(asked.id), clock: clock)
                        .flatMap { EnvIO<Int, any Error, Answered> { Answered(id: asked.id * $0) } }
                }
            })
        store.ask(2, 1)
        world.scheduler.advance(by: .seconds(2))
        #expect(store.state == ["asked 2", "asked 1", "answered 10", "answered 20"])
    }

    @Test func aProgramThatFailsFailsTheStream() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap { asked in
                    ActionStream(EnvIO<Void, Unanswerable, Answered>.fail(Unanswerable(id: asked.id)), in: ())
                        .replaceError { Answered(id: -(($0 as? Unanswerable)?.id ?? 0)) }
                }
            })
        store.ask(1, 2)
        #expect(store.state == ["asked 1", "answered -1", "asked 2", "answered -2"])
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

extension EffectStatus {
    var isRunning: Bool { if case .running = self { true } else { false } }
    var isFinished: Bool { if case .finished = self { true } else { false } }
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
    var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}
