import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// Streams that start once for several uses.
@Suite(.timeLimit(.minutes(10))) struct SharingTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    /// A stream that logs that it starts, and emits `ids`.
    private func source(_ ids: Int...) -> ActionStream<Int> {
        ActionStream.just(0).handleEvents { [log] _ in log.append("start") }.flatMap { _ in .sequence(ids) }
    }

    @Test("share starts a stream once, and passes each value to all uses in order")
    func once() {
        let answers = world.answers(to: []) { _ in
            source(1, 2).share { ids in ids.map { Answered(id: $0) }.merge(with: ids.map { Answered(id: -$0) }) }
        }
        #expect(answers == [1, -1, 2, -2])
        #expect(log.lines == ["start"])
    }

    @Test("Each start of a shared stream is a run of its own")
    func runs() {
        let answers = world.answers(to: []) { _ in
            let shared = source(1).share { ids in ids.zip(ids).map { Answered(id: $0 + $1) } }
            return shared.append(shared)
        }
        #expect(answers == [2, 2])
        #expect(log.lines == ["start", "start"])
    }

    @Test("A failure of a shared stream reaches all uses")
    func failure() {
        let answers = world.answers(to: []) { _ in
            source(1).append(.fail(Unanswerable())).share { ids in
                ids.map { Answered(id: $0) }.replaceError(with: Answered(id: 8))
                    .merge(with: ids.map { Answered(id: -$0) }.replaceError(with: Answered(id: 9)))
            }
        }
        #expect(answers == [1, -1, 8, 9])
    }

    @Test("A use that starts later receives later values, and the end if that has come")
    func lateUses() {
        let answers = world.answers(to: [1, 2, 3]) { asked in
            asked.prefix(2).map(\.id).share { ids in
                ids.first().flatMap { _ in ids.map { Answered(id: 10 * $0) } }
                    .append(ids.map { Answered(id: 100 * $0) }).append(Answered(id: 4))
            }
        }
        #expect(answers == [20, 4])
        let failed = world.answers(to: []) { _ in
            ActionStream<Int>.fail(Unanswerable()).share { ids in
                ids.catch { _ in ids }.map { Answered(id: $0) }.replaceError(with: Answered(id: 5))
            }
        }
        #expect(failed == [5])
    }

    @Test("A use that ends receives no more, and the shared stream is stopped with the last use")
    func ends() {
        let answers = world.answers(to: []) { _ in
            ActionStream.sequence(sequence(first: 1) { $0 + 1 }).share { ids in
                ids.prefix(1).map { Answered(id: -$0) }.merge(with: ids.prefix(3).map { Answered(id: $0) })
            }
        }
        #expect(answers == [-1, 1, 2, 3])
    }

    @Test("A shared stream does not start if the stream of its uses has ended at once")
    func unused() {
        let answers = world.answers(to: []) { [log] _ in
            // The environment is evaluated at each start.
            ActionStream(EnvIO<Void, Never, Int> { _ in 1 }, in: log.append("start"))
                .share { _ in ActionStream.just(Answered(id: 7)) }
        }
        #expect(answers == [7])
        #expect(log.lines.isEmpty)
    }

    @Test("A shared request is made once, and cancelled when its use ends")
    func request() {
        let clock = world.clock
        let store = world.store(
            world.effect { [log] asked in
                asked.flatMap(.latest) { asked in
                    ActionStream {
                        log.append("request \(asked.id)")
                        try await clock.sleep(for: .seconds(1))
                        return asked.id
                    }
                    .share { ids in ids.map { Answered(id: $0) }.merge(with: ids.map { Answered(id: -$0) }) }
                }
            })
        store.ask(1)
        world.scheduler.drain()
        store.ask(2)
        world.scheduler.drain()
        #expect(clock.sleeperCount == 1)
        world.scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["request 1", "request 2"])
        #expect(store.state == ["asked 1", "asked 2", "answered 2", "answered -2"])
    }

    /// Streams of a shared stream whose closures retain the shared stream.
    static let retaining: [@Sendable (ActionStream<Asked>) -> ActionStream<Asked>] = [
        { shared in shared.flatMap { _ in shared } },
        { shared in shared.first().append(shared) },
        { shared in shared.catch { _ in shared } },
    ]

    enum End: CaseIterable { case cancel, finish, store }

    @Test(
        "A shared stream that is stopped releases its uses, even if their closures retain it",
        arguments: retaining.indices, End.allCases)
    func releasedUses(index: Int, end: End) {
        weak var held: Witness?
        var store: Store? = world.store()
        let registration: EffectRegistration?
        do {
            let witness = Witness()
            held = witness
            registration = store?.register(
                world.effect { asked in
                    asked.share(Self.retaining[index])
                        .map { asked in withExtendedLifetime(witness) { Answered(id: asked.id) } }
                        .prefix { $0.id != 9 }
                })
        }
        store?.ask(1, 2)
        #expect(held != nil)
        switch end {
        case .cancel: registration?.cancel()
        case .finish: store?.ask(9)
        case .store: store = nil
        }
        #expect(registration?.status.isRunning == false)
        #expect(held == nil)
        withExtendedLifetime((store, registration)) {}
    }

    @Test("Many uses that stay open are added in O(1) each", .countsSteps)
    func openUses() {
        func cost(of count: Int) -> Int {
            steps {
                _ = world.answers(to: []) { asked in
                    asked.share { asked in
                        ActionStream.sequence(1...count).flatMap { _ in asked }.map { Answered(id: $0.id) }
                    }
                }
            }
        }
        #expect(growth(from: 100, to: 1_600, cost) < 1.2)
    }

    @Test("Many uses that end one after the other cost O(1) each", .countsSteps)
    func manyUses() {
        func cost(of count: Int) -> Int {
            steps {
                _ = world.answers(to: []) { _ in
                    ActionStream.sequence(0...count).share { ids in
                        ids.merge(with: ids.flatMap(.latest) { _ in ids }).filter { $0 < 0 }.map(Answered.init)
                    }
                }
            }
        }
        #expect(growth(from: 100, to: 1_600, cost) < 1.2)
    }
}
