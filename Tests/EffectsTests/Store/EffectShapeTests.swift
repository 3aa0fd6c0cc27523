import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// The shapes of effects that cannot answer themselves.
@Suite(.timeLimit(.minutes(10))) struct EffectShapeTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

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

    @Test("32. flatMap answers each action with the elements of a sequence")
    func sequence() {
        let store = world.store(
            world.effect { asked in
                asked.flatMap(.queued) { asked in
                    AsyncStream<Answered> { continuation in
                        for id in 1...asked.id { continuation.yield(Answered(id: id)) }
                        continuation.finish()
                    }
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

    @Test("28, 29. The shapes can use the environment of their store, which they get once")
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
                .map(Answered.self) { answered, environment in Failed(id: answered.id + environment.factor) },
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
        #expect(store.state.dropFirst(3) == ["asked 0", "asked 2", "answered 40", "failed 70"])
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
            .run(on: Asked.self) { [log] in log.append("\($0)") })
        let failures = store.recorded(EffectFailure.self)
        store.ask(1)
        world.scheduler.drain()
        store.ask(2)
        world.scheduler.drain()
        #expect(failures.values.count == 1)
        #expect(failures.values.first?.effect.hasPrefix("EffectsTests/EffectShapeTests.swift:") == true)
        #expect(log.lines == ["asked 1", "asked 2"])
    }
}
