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
    private var log: Log { world.log }

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

    enum End: CaseIterable { case effect, store }

    @Test(
        "19, 51. The end of an effect or its store stops the operator, its requests and its timers, and releases them",
        arguments: operators.indices, End.allCases)
    func ends(index: Int, end: End) {
        weak var held: Witness?
        var store: Store<[String]>? = world.store()
        weak let released = store
        let states = store!.recorded()
        do {
            let witness = Witness()
            held = witness
            let registration = store!.register(requests(index, holding: witness))
            store!.ask(1)
            world.scheduler.advance(by: .seconds(1))
            store!.ask(2)
            world.scheduler.drain()
            #expect(world.clock.sleeperCount > 0)
            switch end {
            case .effect: registration.cancel()
            case .store: store = nil
            }
            #expect(registration.status.isCancelled)
        }
        #expect((released == nil) == (end == .store))
        let before = states.values.last ?? []
        world.scheduler.drain()
        #expect(world.clock.sleeperCount == 0)
        world.scheduler.advance(by: .seconds(200))
        store?.dispatch(Failed(id: 0))
        #expect(states.values.last == before + (end == .store ? [] : ["failed 0"]))
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

    /// A call of a function by the closure of an operator.
    struct Call: Sendable {
        let body: @Sendable () -> Void

        /// Calls the function, and returns `value`.
        func returning<Value>(_ value: Value) -> Value {
            body()
            return value
        }
    }

    /// Streams whose closures call a function, each with the actions that the store processes.
    static let closures: [(name: String, apply: @Sendable (Stream, Call) -> Stream)] = [
        ("map", { stream, call in stream.map { call.returning($0) } }),
        ("compactMap", { stream, call in stream.compactMap { call.returning($0) } }),
        ("filter", { stream, call in stream.filter { _ in call.returning(true) } }),
        ("scan", { stream, call in stream.scan(Asked(id: 0)) { call.returning($1) } }),
        ("flatMap", { stream, call in stream.flatMap { call.returning(.just($0)) } }),
        ("task", { stream, call in stream.flatMap { asked async in call.returning(asked) } }),
        (
            "environment of a program",
            { stream, call in
                stream.flatMap { asked in
                    ActionStream(EnvIO<Void, any Error, Asked> { _ in asked }, in: call.returning(()))
                }
            }
        ),
        (
            "program",
            { stream, call in
                stream.flatMap { asked in
                    ActionStream(EnvIO<Void, any Error, Asked> { _ in call.returning(asked) }, in: ())
                }
            }
        ),
        ("tryMap", { stream, call in stream.tryMap { call.returning($0) } }),
        ("prefix(while:)", { stream, call in stream.prefix { _ in call.returning(true) } }),
        ("drop(while:)", { stream, call in stream.drop { _ in call.returning(false) } }),
        ("first(where:)", { stream, call in stream.first { _ in call.returning(true) } }),
        (
            "catch",
            { stream, call in
                stream.flatMap { asked in
                    ActionStream.fail(Unanswerable()).catch { _ in call.returning(.just(asked)) }
                }
            }
        ),
        (
            "replaceError",
            { stream, call in
                stream.flatMap { asked in
                    ActionStream.fail(Unanswerable()).replaceError { _ in call.returning(asked) }
                }
            }
        ),
        (
            "mapError",
            { stream, call in
                stream.flatMap { asked in
                    ActionStream.fail(Unanswerable()).mapError { call.returning($0) }.catch { _ in .just(asked) }
                }
            }
        ),
        ("handleEvents", { stream, call in stream.handleEvents { _ in call.body() } }),
        (
            "receiveOutput",
            { stream, call in
                stream.handleEvents(receiveOutput: { _ in call.body() }, receiveCancel: {}).prefix(1)
            }
        ),
        (
            "receiveCompletion",
            { stream, call in
                stream.flatMap { asked in
                    ActionStream.empty.handleEvents(receiveCompletion: { _ in call.body() }).append(asked)
                }
            }
        ),
        (
            "receiveCancel",
            { stream, call in
                stream.flatMap { asked in
                    ActionStream.just(asked).append(asked).handleEvents(receiveCancel: call.body).prefix(1).collect()
                        .flatMap { .sequence($0) }
                }
            }
        ),
        (
            "share",
            { stream, call in
                stream.flatMap { asked in ActionStream.just(asked).share { call.returning($0) } }
            }
        ),
        (
            "combineLatest, zip and withLatestFrom",
            { stream, call in
                stream.flatMap { asked in
                    let one = ActionStream.just(asked)
                    return one.combineLatest(one).zip(one).withLatestFrom(one).map { call.returning($1) }
                }
            }
        ),
    ]

    /// An effect that applies the operator at `index`, whose closure calls `body`.
    private func calling(
        _ index: Int, after before: (Stream) -> Stream = { $0 }, _ body: @escaping @Sendable () -> Void
    ) -> Effect<Void> {
        world.effect { Self.closures[index].apply(before($0), Call(body: body)).map { Answered(id: $0.id) } }
    }

    @Test("A closure of an operator may dispatch: the action is enqueued", arguments: closures.indices)
    func dispatching(index: Int) {
        let store = world.store()
        store.register(calling(index) { [weak store] in store?.dispatch(action: Failed(id: 0)) })
        store.ask(1)
        world.scheduler.drain()
        #expect(store.state == ["asked 1", "failed 0", "answered 1"], "\(Self.closures[index].name)")
    }

    @Test("A closure of an operator may cancel its own effect, which then emits nothing", arguments: closures.indices)
    func cancellingItself(index: Int) {
        let store = world.store()
        let registration = store.register { calling(index, $0) }
        store.ask(1, 2)
        world.scheduler.drain()
        #expect(registration.status.isCancelled, "\(Self.closures[index].name)")
        #expect(store.state == ["asked 1", "asked 2"], "\(Self.closures[index].name)")
    }

    @Test("44. A closure is not called if an earlier operator has cancelled the effect", arguments: closures.indices)
    func cancelledEarlier(index: Int) {
        let store = world.store()
        let registration = store.register { cancel in
            calling(index, after: { $0.handleEvents { _ in cancel() } }) { [log] in log.append("called") }
        }
        store.ask(1)
        world.scheduler.drain()
        #expect(registration.status.isCancelled)
        #expect(log.lines.isEmpty, "\(Self.closures[index].name)")
    }

    @Test("44. removeDuplicates does not compare after an earlier operator has cancelled the effect")
    func cancelledBeforeAComparison() {
        let store = world.store()
        store.register { cancel in
            world.effect { [log] asked in
                asked.handleEvents { if $0.id == 2 { cancel() } }
                    .removeDuplicates { log.passing("\($0), \($1)").isEmpty }.map { Answered(id: $0.id) }
            }
        }
        store.ask(1, 2)
        #expect(log.lines == [])
    }

    @Test("44. A sequence is not read further after a later operator has cancelled the effect")
    func cancelledWithinASequence() {
        let store = world.store()
        let read = Record<Int>()
        store.register { cancel in
            world.effect { asked in
                asked.flatMap { _ in ActionStream.sequence(sequence(first: 1) { read.passing($0 + 1) }) }
                    .map { Answered(id: $0) }.handleEvents { if $0.id == 2 { cancel() } }
            }
        }
        store.ask(1)
        #expect(store.answers == ["answered 1"])
        #expect(read.values == [2])
    }

    @Test("A stream that follows a failure does not start if the effect was cancelled")
    func followingACancellation() {
        let store = world.store()
        let registration = store.register { cancel in
            world.effect { [log] asked in
                asked.tryMap { throw Unanswerable(id: $0.id) }.catch { _ in
                    cancel()
                    // The closure of share is called when the stream starts.
                    return ActionStream.just(Answered(id: 1)).share { stream in
                        log.append("started")
                        return stream
                    }
                }
            }
        }
        store.ask(1)
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
        store.ask(1, 9)
        world.scheduler.advance(by: .seconds(1))
        store.ask(2)
        #expect(store.answers.isEmpty)
        store.ask(3)
        #expect(store.answers == ["answered 2"])
    }
}
