import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// How the whole stream of an effect restarts after a failure.
@Suite(.timeLimit(.minutes(10))) struct RestartTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    /// An effect that logs the milliseconds at which it starts, and then runs `stream`.
    private func starting(
        _ policy: FailurePolicy, dispatch: Bool = true, _ stream: ActionStream<any Action>
    ) -> Effect<Void> {
        Effect<Void>(dispatch: dispatch, onFailure: policy) { [log, clock = world.clock] _, _ in
            log.append("\(Int(clock.now.offset / .milliseconds(1)))")
            return stream
        }
    }

    /// An effect that answers even questions, and fails at odd ones.
    private func choosy(_ policy: FailurePolicy) -> Effect<Void> {
        world.effect(onFailure: policy) { asked in
            asked.tryMap { if $0.id.isMultiple(of: 2) { Answered(id: $0.id) } else { throw Unanswerable(id: $0.id) } }
        }
    }

    @Test("39. An effect that fails at each start restarts after pauses that grow up to ten seconds, and then ends")
    func pauses() {
        let store = world.store()
        let failures = store.recorded(EffectFailure.self)
        let registration = store.register(
            starting(.restart(atMost: 10, clock: world.clock), .fail(Unanswerable())))
        world.scheduler.advance(by: .seconds(1_000))
        #expect(
            log.lines == [0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700, 22_700, 32_700, 42_700].map { "\($0)" })
        #expect(failures.values.map(\.nextStep) == (0..<10).reversed().map { .restarts(left: $0) } + [.ends])
        #expect(registration.status.failure is Unanswerable)
    }

    @Test(
        "39. A stream that emits an action and fails restarts without a limit, and pauses each time",
        arguments: [false, true])
    func doesNotSpin(dispatch: Bool) {
        let store = world.store()
        store.onError { _ in }
        let registration = store.register(
            starting(
                .restart(atMost: 1, clock: world.clock), dispatch: dispatch,
                ActionStream<any Action> { Answered(id: 1) }.append(.fail(Unanswerable()))))
        world.scheduler.advance(by: .seconds(100))
        #expect(log.lines == (0...1_000).map { "\(100 * $0)" })
        #expect(store.answers.count == (dispatch ? 1_001 : 0))
        #expect(registration.status.isRunning)
    }

    @Test("39. An action that a stream emits while it starts does not count, so the effect ends at the limit")
    func emitsAtStart() {
        let store = world.store()
        store.onError { _ in }
        let registration = store.register(
            starting(
                .restart(atMost: 2, after: .forever),
                .fail(Unanswerable()).prepend(Answered(id: 1))))
        world.scheduler.drain()
        #expect(log.lines == ["0", "0", "0"])
        #expect(store.answers.count == 3)
        #expect(registration.status.failure is Unanswerable)
    }

    @Test("39. An effect that has failed a thousand times, but never twice in a row, still answers")
    func failuresInARow() {
        let store = world.store()
        let failures = store.recorded(EffectFailure.self)
        store.register(choosy(.restart(atMost: 1, after: .forever)))
        for _ in 1...1_000 { store.ask(1, 2) }
        #expect(store.answers.count == 1_000)
        #expect(failures.values.map(\.nextStep) == Array(repeating: .restarts(left: 0), count: 1_000))
    }

    @Test("39. The pauses start from the first one after an action")
    func pausesStartAnew() {
        let store = world.store()
        store.onError { _ in }
        store.register(choosy(.restart(atMost: 10, clock: world.clock)))
        var deadlines: [Duration?] = []
        for ids in [[1], [1], [1], [2, 1], [1]] {
            for id in ids { store.ask(id) }
            world.scheduler.drain()
            deadlines.append(world.clock.nextDeadline.map { $0.offset - world.clock.now.offset })
            world.scheduler.advance(by: .seconds(10))
        }
        #expect(deadlines == [100, 200, 400, 100, 200].map { .milliseconds($0) })
    }

    @Test("39. An effect ends if the schedule of its pauses stops")
    func scheduleStops() {
        let store = world.store()
        let failures = store.recorded(EffectFailure.self)
        let expected = Schedule<any Error>.forever.whileInput { ($0 as? Unanswerable)?.id != 5 }
        let registration = store.register(choosy(.restart(atMost: 10, after: expected)))
        store.ask(1, 2, 3, 5, 4)
        #expect(failures.values.map(\.nextStep) == [.restarts(left: 9), .restarts(left: 9), .ends])
        #expect(registration.status.failure as? Unanswerable == Unanswerable(id: 5))
        #expect(store.answers == ["answered 2"])
    }

    @Test("39. An effect receives no actions during its pause, and settled() waits for the end of the pause")
    func deaf() {
        let store = world.store(choosy(.restart(atMost: 1, clock: world.clock)))
        store.onError { _ in }
        store.ask(1, 2)
        let settled = world.scheduler.start { [log, clock = world.clock] in
            try await store.settled()
            log.append("settled at \(clock.now)")
        }
        world.scheduler.advance(by: .milliseconds(99))
        store.ask(4)
        #expect(log.lines.isEmpty)
        world.scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["settled at 0.1 seconds"])
        store.ask(6)
        #expect(store.answers == ["answered 6"])
        settled.cancel()
    }

    @Test("39. Cancelling an effect, or releasing its store, ends the pause at once", arguments: [false, true])
    func cancelled(byStore: Bool) {
        var store: Store? = world.store()
        store?.onError { _ in }
        let registration = store?.register(
            starting(.restart(atMost: 10, clock: world.clock), .fail(Unanswerable())))
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 1)
        if byStore { store = nil } else { registration?.cancel() }
        #expect(registration?.status.isCancelled == true)
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 0)
        world.scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["0"])
    }

    @Test("39. An effect ends if the clock of its pauses throws, and both failures are reported")
    func brokenClock() {
        let store = world.store()
        let failures = store.recorded(EffectFailure.self)
        let registration = store.register(
            choosy(.restart(atMost: 10, clock: BrokenClock(Unanswerable(id: -1)))))
        store.ask(1)
        world.scheduler.drain()
        store.ask(2)
        #expect(failures.values.map(\.nextStep) == [.restarts(left: 9), .ends])
        #expect(failures.values.map { ($0.error as? Unanswerable)?.id } == [1, -1])
        #expect(registration.status.failure as? Unanswerable == Unanswerable(id: -1))
        #expect(store.answers.isEmpty)
    }
}
