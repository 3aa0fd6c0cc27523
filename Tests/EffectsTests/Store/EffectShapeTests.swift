import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The shapes of effects that cannot answer themselves.
@Suite(.timeLimit(.minutes(10))) struct EffectShapeTests {
    private let world = QuestionWorld()
    private let log = Log()

    @Test("29, 30. The shape run calls its closure for each action of a type and dispatches nothing")
    func run() {
        let store = world.store(.run(on: Asked.self) { [log] in log.append("\($0)") })
        store.ask(1)
        store.dispatch(action: Answered(id: 2))
        store.ask(3)
        world.scheduler.drain()
        #expect(log.lines == ["asked 1", "asked 3"])
        #expect(store.state == ["asked 1", "answered 2", "asked 3"])
    }

    @Test("28. The shape map answers each action of a type with an action of another type")
    func map() {
        let store = world.store(.map(Asked.self) { Answered(id: $0.id) })
        store.ask(1, 2)
        world.scheduler.drain()
        #expect(store.state == ["asked 1", "asked 2", "answered 1", "answered 2"])
    }

    @Test("32. The shape stream answers each action with the elements of a sequence")
    func stream() {
        let store = world.store(
            .stream(Asked.self, .queued) { asked in
                AsyncStream<Answered> { continuation in
                    for id in 1...asked.id { continuation.yield(Answered(id: id)) }
                    continuation.finish()
                }
            })
        store.ask(2, 1)
        world.scheduler.drain()
        #expect(store.state == ["asked 2", "asked 1", "answered 1", "answered 2", "answered 1"])
    }

    private struct Answering: Sendable {
        let factor: Int
        let log: Log
    }

    @Test("28, 29, 32. The shapes can use the environment of their store, which they get at each start")
    func environment() {
        let reads = Guarded(0)
        let store = Store(
            reducer: journal, initialState: [],
            environment: Answering(
                factor: reads.withLock {
                    $0 += 1
                    return 10 * $0
                }, log: log),
            effects: [
                .run(on: Asked.self) { asked, environment in environment.log.append("\(asked)") },
                .map(Asked.self, .latest) { asked, environment in
                    if asked.id == 0 { throw Unanswerable() }
                    return Answered(id: asked.id * environment.factor)
                },
                .stream(Answered.self) { answered, environment in
                    AsyncStream<Failed> {
                        $0.yield(Failed(id: answered.id + environment.factor))
                        $0.finish()
                    }
                },
            ], executor: world.scheduler.executor)
        store.onError { _ in }
        store.ask(1)
        world.scheduler.drain()
        #expect(store.state == ["asked 1", "answered 20", "failed 50"])
        #expect(log.lines == ["asked 1"])
        store.ask(0)
        world.scheduler.drain()
        store.ask(2)
        world.scheduler.drain()
        #expect(store.state.dropFirst(3) == ["asked 0", "asked 2", "answered 80", "failed 110"])
    }

    @Test("31. The shape map with an environment traps if it answers with its own action type", .promptly)
    func mapWithEnvironmentRefuses() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Effect<Int>.map(Asked.self) { asked, _ in asked }
        }
        #expect(
            result.standardErrorText.contains(
                "An effect that listens to Asked answers with Asked, which it listens to as well."))
    }

    @Test("54. The shapes map and run follow their policies")
    func policies() {
        let clock = world.clock
        let store = world.store(
            .map(Asked.self, .latest) { asked in
                try await clock.sleep(for: .seconds(1))
                return Answered(id: asked.id)
            },
            .run(on: Asked.self, .first) { [log] asked in
                log.append("\(asked)")
                try await clock.sleep(for: .seconds(1))
            })
        store.ask(1, 2)
        world.scheduler.advance(by: .seconds(2))
        #expect(store.state == ["asked 1", "asked 2", "answered 2"])
        #expect(log.lines == ["asked 1"])
    }

    @Test("39. A shape that throws is reported with its source location, and other effects continue")
    func failing() {
        let store = world.store(
            .run(on: Asked.self) { asked in if asked.id == 1 { throw Unanswerable(id: 1) } },
            .run(on: Asked.self, onFailure: .stop) { [log] in log.append("\($0)") })
        let failures = Record<any Error>()
        store.onError { failures.append($0) }
        store.ask(1)
        world.scheduler.drain()
        store.ask(2)
        world.scheduler.drain()
        #expect(failures.values.count == 1)
        let failure = failures.values.first as? EffectFailure
        #expect(failure?.effect.hasPrefix("EffectsTests/EffectShapeTests.swift:") == true)
        #expect(log.lines == ["asked 1", "asked 2"])
    }

    @Test("31. The shape map traps if it answers with its own action type", .promptly)
    func mapRefuses() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Effect.map(Asked.self) { $0 }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "An effect that listens to Asked answers with Asked, which it listens to as well."))
        #expect(message.contains("To fix, answer with an action of another type, neither a subclass nor"))
    }

    @Test("31. The shape stream traps if it answers with its own action type", .promptly)
    func streamRefuses() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Effect.stream(Asked.self) { asked in AsyncStream<Asked> { $0.yield(asked) } }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "An effect that listens to Asked answers with Asked, which it listens to as well."))
    }

    @Test(
        "31. The shape map traps if it answers with a subclass of its action type", .promptly)
    func subclassRefused() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Effect.map(Base.self) { _ in Derived() }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "An effect that listens to Base answers with Derived, which it listens to as well."))
    }

    @Test(
        "31. The shape map traps if it answers with a base class of its action type",
        .promptly)
    func baseClassRefused() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Effect.map(Derived.self) { $0 as Base }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "An effect that listens to Derived answers with Base, which it listens to as well."))
        #expect(message.contains("To fix, answer with an action of another type, neither a subclass nor a base class"))
    }

    @Test(
        "31. A shape whose types hide that it answers itself traps at the first such answer",
        .promptly)
    func answerRefused() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let executor = ManualExecutor()
            let store = Store(
                reducer: journal, initialState: [],
                effects: [
                    .map(Asked.self) { asked -> Asked? in asked.id == 1 ? nil : asked }
                ], executor: executor)
            store.ask(1)
            executor.drain()
            precondition(store.state == ["asked 1", "nil"])
            store.ask(2)
            executor.drain()
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "An effect that listens to Asked answers with Optional<Asked> (the value Optional(asked 2)), which"))
    }
}
