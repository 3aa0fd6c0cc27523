import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What all operators have in common: they end with their effect, they release what they hold, they keep the index of
/// action types, and their closures may use the store.
@Suite(.timeLimit(.minutes(10))) struct OperatorLifetimeTests {
    typealias Stream = ActionStream<Asked>

    /// Each operator of a stream and, if it has two, of a second stream.
    static let operators: [(name: String, apply: @Sendable (Stream, VirtualClock) -> Stream)] = [
        ("combineLatest", { stream, _ in stream.combineLatest(stream).map { first, _ in first } }),
        ("combineLatest of three", { stream, _ in stream.combineLatest(stream, stream).map { $0.0 } }),
        ("zip", { stream, _ in stream.zip(stream).map { first, _ in first } }),
        ("zip that waits", { stream, _ in stream.zip(stream.filter { _ in false }).map { first, _ in first } }),
        ("withLatestFrom", { stream, _ in stream.withLatestFrom(stream).map { first, _ in first } }),
        ("merge", { stream, _ in stream.merge(with: stream) }),
        ("prefix(untilOutputFrom:)", { stream, _ in stream.prefix(untilOutputFrom: stream.filter { $0.id == 9 }) }),
        ("drop(untilOutputFrom:)", { stream, _ in stream.drop(untilOutputFrom: stream) }),
        ("append", { stream, _ in stream.first().append(stream) }),
        ("prepend", { stream, _ in stream.prepend(stream.first()).prepend(Asked(id: 0)) }),
        ("catch", { stream, _ in ActionStream.fail(Unanswerable()).catch { _ in stream }.catch { _ in .empty } }),
        ("mapError", { stream, _ in stream.mapError { $0 } }),
        ("tryMap", { stream, _ in stream.tryMap { $0 } }),
        ("prefix(while:)", { stream, _ in stream.prefix { $0.id < 9 } }),
        ("first(where:)", { stream, _ in stream.first { $0.id == 9 } }),
        ("dropFirst", { stream, _ in stream.dropFirst() }),
        ("drop(while:)", { stream, _ in stream.drop { $0.id > 9 } }),
        ("collect", { stream, _ in stream.collect().flatMap { .sequence($0) } }),
        ("collect by count", { stream, _ in stream.collect(2).flatMap { .sequence($0) } }),
        ("share", { stream, _ in stream.share { shared in shared.merge(with: shared) } }),
        (
            "handleEvents",
            { stream, _ in
                stream.handleEvents(receiveOutput: { _ in }, receiveCompletion: { _ in }, receiveCancel: {})
            }
        ),
        ("timeout", { stream, clock in stream.timeout(.seconds(100), clock: clock) }),
        (
            "interval",
            { stream, clock in
                stream.merge(with: ActionStream.interval(.seconds(100), clock: clock).map { Asked(id: $0) })
            }
        ),
    ]

    private let world = QuestionWorld()
    private let log = Log()

    /// An effect that applies an operator to a stream of requests, which take a second each.
    private func requests(_ index: Int, holding witness: Witness) -> Effect<Void> {
        let clock = world.clock
        return world.effect { asked in
            Self.operators[index].apply(
                asked.flatMap { asked in
                    try await clock.sleep(for: .seconds(withExtendedLifetime(witness) { 1 }))
                    return asked
                }, clock
            )
            .map { asked in withExtendedLifetime(witness) { Answered(id: asked.id) } }
        }
    }

    @Test("51. Cancelling an effect stops the operator, its requests and its timers", arguments: operators.indices)
    func cancelling(index: Int) {
        weak var held: Witness?
        let store = world.store()
        do {
            let witness = Witness()
            held = witness
            let registration = store.register(requests(index, holding: witness))
            store.ask(1)
            world.scheduler.advance(by: .seconds(1))
            store.ask(2)
            world.scheduler.drain()
            #expect(world.clock.sleeperCount > 0)
            registration.cancel()
            #expect(registration.status.isCancelled)
        }
        let before = store.state
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 0)
        world.scheduler.advance(by: .seconds(200))
        store.dispatch(action: Failed(id: 0))
        #expect(store.state == before + ["failed 0"])
        #expect(held == nil)
    }

    @Test("19, 51. Deallocating a store stops the operator and releases what it holds", arguments: operators.indices)
    func deallocating(index: Int) {
        weak var held: Witness?
        weak var store: Store<[String]>?
        do {
            let witness = Witness()
            held = witness
            let owned = world.store(requests(index, holding: witness))
            store = owned
            owned.ask(1)
            world.scheduler.advance(by: .seconds(1))
            owned.ask(2)
            world.scheduler.drain()
        }
        #expect(store == nil)
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 0)
        #expect(held == nil)
    }

    @Test(
        "A store settles although the operator listens, waits for a partner or holds values",
        arguments: operators.indices)
    func settling(index: Int) {
        let scheduler = world.scheduler
        let store = world.store(
            world.effect { Self.operators[index].apply($0, scheduler.clock).map { Answered(id: $0.id) } })
        store.ask(1, 2, 3)
        _ = scheduler.start { [log] in await log.append("settled") { try await store.settled() } }
        scheduler.drain()
        #expect(log.lines == ["settled"])
    }

    @Test("A store settles after the request of an operator has ended, and not before", arguments: operators.indices)
    func settlingRequests(index: Int) {
        let store = world.store(requests(index, holding: Witness()))
        store.ask(1)
        let scheduler = world.scheduler
        _ = scheduler.start { [log] in await log.append("settled") { try await store.settled() } }
        scheduler.advance(by: .milliseconds(999))
        #expect(log.lines == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["settled"])
    }

    @Test(
        "34. An operator does not receive actions of types that its streams do not select", .countsSteps,
        arguments: operators.indices)
    func index(index: Int) {
        func cost(of count: Int) -> Int {
            let store = Store(reducer: { (_: inout Void, _) in }, initialState: (), executor: world.scheduler.executor)
            let effect = world.effect { [clock = world.clock] in
                Self.operators[index].apply($0, clock).map { Answered(id: $0.id) }
            }
            for _ in 0..<count { store.register(effect) }
            store.dispatch(action: Failed(id: 0))
            return steps {
                for _ in 0..<200 { store.dispatch(action: Failed(id: 0)) }
            }
        }
        #expect(growth(from: 1, to: 200, cost) < 0.2)
    }

    /// Streams whose closures call a function, each with the actions that the store processes.
    static let closures:
        [(name: String, apply: @Sendable (Stream, VirtualClock, @escaping @Sendable () -> Void) -> Stream)] = [
            (
                "tryMap",
                { stream, _, body in
                    stream.tryMap {
                        body()
                        return $0
                    }
                }
            ),
            (
                "prefix(while:)",
                { stream, _, body in
                    stream.prefix { _ in
                        body()
                        return true
                    }
                }
            ),
            (
                "drop(while:)",
                { stream, _, body in
                    stream.drop { _ in
                        body()
                        return false
                    }
                }
            ),
            (
                "first(where:)",
                { stream, _, body in
                    stream.first { _ in
                        body()
                        return true
                    }
                }
            ),
            (
                "catch",
                { stream, _, body in
                    stream.flatMap { asked in
                        ActionStream.fail(Unanswerable()).catch { _ in
                            body()
                            return .just(asked)
                        }
                    }
                }
            ),
            (
                "mapError",
                { stream, _, body in
                    stream.flatMap { asked in
                        ActionStream.fail(Unanswerable()).mapError { error in
                            body()
                            return error
                        }
                        .catch { _ in .just(asked) }
                    }
                }
            ),
            (
                "receiveOutput",
                { stream, _, body in
                    stream.handleEvents(receiveOutput: { _ in body() }, receiveCancel: {}).prefix(1)
                }
            ),
            (
                "receiveCompletion",
                { stream, _, body in
                    stream.flatMap { asked in
                        ActionStream.empty.handleEvents(receiveCompletion: { _ in body() }).append(asked)
                    }
                }
            ),
            (
                "receiveCancel",
                { stream, _, body in
                    stream.flatMap { asked in
                        ActionStream.just(asked).append(asked).handleEvents(receiveCancel: body).prefix(1).collect()
                            .flatMap { .sequence($0) }
                    }
                }
            ),
            (
                "share",
                { stream, _, body in
                    stream.flatMap { asked in
                        ActionStream.just(asked).share { shared in
                            body()
                            return shared
                        }
                    }
                }
            ),
            (
                "combineLatest, zip and withLatestFrom",
                { stream, _, body in
                    stream.flatMap { asked in
                        let one = ActionStream.just(asked)
                        return one.combineLatest(one).zip(one).withLatestFrom(one).map {
                            body()
                            return $1
                        }
                    }
                }
            ),
        ]

    @Test("A closure of an operator may dispatch: the action is enqueued", arguments: closures.indices)
    func dispatching(index: Int) {
        let store = world.store()
        store.register(
            world.effect { [clock = world.clock] asked in
                Self.closures[index].apply(asked, clock) { [weak store] in store?.dispatch(action: Failed(id: 0)) }
                    .map { Answered(id: $0.id) }
            })
        store.ask(1)
        #expect(store.state == ["asked 1", "failed 0", "answered 1"], "\(Self.closures[index].name)")
    }

    @Test("A closure of an operator may cancel its own effect, which then emits nothing", arguments: closures.indices)
    func cancellingItself(index: Int) {
        let store = world.store()
        let link = Guarded<EffectRegistration?>(nil)
        let registration = store.register(
            world.effect { [clock = world.clock] asked in
                Self.closures[index].apply(asked, clock) { link.value?.cancel() }
                    .map { Answered(id: $0.id) }
            })
        link.value = registration
        store.ask(1, 2)
        link.value = nil
        #expect(registration.status.isCancelled, "\(Self.closures[index].name)")
        #expect(store.state == ["asked 1", "asked 2"], "\(Self.closures[index].name)")
    }

    @Test("A closure is not called if an earlier operator has cancelled the effect", arguments: closures.indices)
    func cancelledEarlier(index: Int) {
        let store = world.store()
        let link = Guarded<EffectRegistration?>(nil)
        let registration = store.register(
            world.effect { [clock = world.clock, log] asked in
                Self.closures[index].apply(asked.handleEvents { _ in link.value?.cancel() }, clock) {
                    log.append("called")
                }
                .map { Answered(id: $0.id) }
            })
        link.value = registration
        store.ask(1)
        link.value = nil
        #expect(registration.status.isCancelled)
        #expect(log.lines.isEmpty, "\(Self.closures[index].name)")
    }

    @Test("A stream that follows a failure does not start if the effect was cancelled")
    func followingACancellation() {
        let store = world.store()
        let link = Guarded<EffectRegistration?>(nil)
        let registration = store.register(
            world.effect { [log] asked in
                asked.tryMap { throw Unanswerable(id: $0.id) }.catch { _ in
                    link.value?.cancel()
                    // The closure of share is called when the stream starts.
                    return ActionStream.just(Answered(id: 1)).share { stream in
                        log.append("started")
                        return stream
                    }
                }
            })
        link.value = registration
        store.ask(1)
        link.value = nil
        #expect(log.lines.isEmpty)
        #expect(registration.status.isCancelled)
    }

    @Test("The error closure of a timeout may dispatch")
    func customError() {
        let store = world.store()
        store.onError { _ in }
        store.register(
            world.effect(onFailure: .stop) { [clock = world.clock] asked in
                asked.map { Answered(id: $0.id) }.timeout(
                    .seconds(1), clock: clock,
                    customError: { [weak store] in
                        store?.dispatch(action: Failed(id: 0))
                        return Unanswerable()
                    })
            })
        world.scheduler.advance(by: .seconds(1))
        #expect(store.state == ["failed 0"])
    }

    @Test("Operators with a memory start with an empty one after a restart and in each run")
    func restarting() {
        let store = world.store()
        store.onError { _ in }
        store.register(
            world.effect { asked in
                let numbers = asked.tryMap { if $0.id == 9 { throw Unanswerable() } else { $0.id } }
                return numbers.dropFirst().combineLatest(numbers).zip(numbers)
                    .collect(2).map { Answered(id: $0.count) }
            })
        store.ask(1, 9, 2)
        #expect(store.state.filter { $0.hasPrefix("answered") }.isEmpty)
        store.ask(3)
        #expect(store.state.filter { $0.hasPrefix("answered") } == ["answered 2"])
    }
}
