import Effects
import TestSupport
import Testing
import VirtualTime

/// Operators that combine two streams. `StreamModelTests` covers their values and ends for separate streams.
@Suite(.timeLimit(.minutes(10))) struct CombiningTests {
    private let world = QuestionWorld()
    private var log: Log { world.log }

    /// Logs the values of `stream`, and returns the registration of its effect.
    private func run<Value>(
        in store: Store<[String]>, _ stream: (ActionStream<any Action>) -> ActionStream<Value>
    ) -> EffectRegistration {
        store.register(
            Effect(dispatch: false, onFailure: .stop) { actions in
                stream(actions).handleEvents { [log] in log.append("\($0)") }.map { _ in Failed(id: 0) }
            })
    }

    @Test("combineLatest and zip of pairs emit pairs in pairs")
    func threeStreams() {
        let store = world.store()
        let (asked, answered) = (
            { (actions: ActionStream<any Action>) in actions.ofType(Asked.self).map(\.id) },
            { (actions: ActionStream<any Action>) in actions.ofType(Answered.self).map { "\($0.id)" } }
        )
        let failed = { (actions: ActionStream<any Action>) in actions.ofType(Failed.self).map { Double($0.id) } }
        let latest = run(in: store) { asked($0).combineLatest(answered($0)).combineLatest(failed($0)) }
        let zipped = run(in: store) { asked($0).zip(answered($0)).zip(failed($0).prefix(1)) }
        for action in [Asked(id: 1), Asked(id: 2), Answered(id: 3), Failed(id: 4), Answered(id: 5)] as [any Action] {
            store.dispatch(action: action)
        }
        #expect(log.lines == ["((2, \"3\"), 4.0)", "((1, \"3\"), 4.0)", "((2, \"5\"), 4.0)"])
        #expect(latest.status.isRunning)
        #expect(zipped.status.isFinished)
    }

    @Test("Optional values are values, and not the end of a stream")
    func optionals() {
        let store = world.store()
        let ids = { (actions: ActionStream<any Action>) in
            actions.ofType(Asked.self).map { $0.id == 0 ? Int?.none : $0.id }
        }
        let registrations = [
            run(in: store) { ids($0).combineLatest(ids($0)).map { "latest \($0 ?? -1) \($1 ?? -1)" } },
            run(in: store) { ids($0).zip(ids($0)).map { "zip \($0 ?? -1) \($1 ?? -1)" } },
            run(in: store) { ids($0).withLatestFrom(ids($0)).map { "with \($0 ?? -1) \($1 ?? -1)" } },
            run(in: store) { ids($0).merge(with: ids($0)).map { "merge \($0 ?? -1)" } },
        ]
        store.ask(0, 1)
        #expect(
            log.lines == [
                "latest -1 -1", "zip -1 -1", "with -1 -1", "merge -1", "merge -1",
                "latest 1 -1", "latest 1 1", "zip 1 1", "with 1 1", "merge 1", "merge 1",
            ])
        let areRunning = registrations.map(\.status.isRunning)
        #expect(areRunning == [true, true, true, true])
        run(in: store) { actions in
            actions.ofType(Asked.self).prefix(untilOutputFrom: actions.ofType(Answered.self).map { _ in Int?.none })
        }.cancel()
    }

    /// Streams of all questions after question 0. Two of them listen again after question 0.
    static let parts: [@Sendable (ActionStream<Asked>) -> ActionStream<Asked>] = [
        { $0 },
        { $0.first().append($0) },
        { asked in asked.tryMap { asked in if asked.id == 0 { throw Unanswerable() } else { asked } }.retry(1) },
    ]

    @Test(
        "An action that both streams receive is seen first by the stream that limits or supplies, or by the first one",
        arguments: parts.indices)
    func sharedActions(index: Int) {
        let store = world.store()
        let asked = { (actions: ActionStream<any Action>) in actions.ofType(Asked.self) }
        let part = { (actions: ActionStream<any Action>) in Self.parts[index](actions.ofType(Asked.self)) }
        let until = run(in: store) { actions in
            asked(actions).prefix(untilOutputFrom: part(actions).filter { $0.id == 2 }).map { "until \($0.id)" }
        }
        _ = run(in: store) { actions in
            asked(actions).drop(untilOutputFrom: part(actions).filter { $0.id == 2 }).map { "from \($0.id)" }
        }
        _ = run(in: store) { actions in
            asked(actions).dropFirst().withLatestFrom(part(actions)).map { "with \($0.id) \($1.id)" }
        }
        _ = run(in: store) { actions in
            part(actions).drop { $0.id == 0 }.combineLatest(asked(actions).dropFirst())
                .map { "latest \($0.id) \($1.id)" }
        }
        store.ask(0, 1, 2, 3)
        #expect(
            log.lines == [
                "until 0", "until 1", "with 1 1", "latest 1 1", "from 2", "with 2 2", "latest 2 1", "latest 2 2",
                "from 3", "with 3 3", "latest 3 2", "latest 3 3",
            ])
        #expect(until.status.isFinished)
    }

    @Test("drop(untilOutputFrom:) ends if the other stream ends without a value, and fails with it")
    func dropUntilOutput() {
        let store = world.store()
        store.onError { _ in }
        let empty = run(in: store) { $0.ofType(Asked.self).drop(untilOutputFrom: ActionStream<Int>.empty) }
        let failing = run(in: store) {
            $0.ofType(Asked.self).drop(untilOutputFrom: ActionStream<Int>.fail(Unanswerable()))
        }
        let open = run(in: store) { $0.ofType(Asked.self).prefix(2).drop(untilOutputFrom: ActionStream.just(0)) }
        #expect(empty.status.isFinished)
        #expect(failing.status.failure is Unanswerable)
        store.ask(1, 2)
        #expect(log.lines == ["asked 1", "asked 2"])
        #expect(open.status.isFinished)
    }

    @Test("The second stream does not start if the first one ends the combination at once")
    func secondDoesNotStart() {
        let store = world.store()
        let started = { [log] in
            // The closure is called when the stream starts.
            ActionStream.just(0).share { stream in
                log.append("started")
                return stream.map { _ in }
            }
        }
        let registrations = [
            run(in: store) { _ in started().prefix(untilOutputFrom: ActionStream.just(1)) },
            run(in: store) { _ in ActionStream<Void>.empty.zip(started()).map { _ in } },
            run(in: store) { _ in ActionStream<Void>.empty.combineLatest(started()).map { _ in } },
        ]
        let haveFinished = registrations.map(\.status.isFinished)
        #expect(haveFinished == [true, true, true])
        #expect(log.lines.isEmpty)
    }

    @Test("drop(untilOutputFrom:) ignores what the other stream does after its first value")
    func dropUntilTheFirstValue() {
        let store = world.store()
        let registration = run(in: store) { actions in
            actions.ofType(Asked.self).drop(untilOutputFrom: ActionStream.just(1).append(.fail(Unanswerable())))
        }
        store.ask(1)
        #expect(log.lines.count == 1)
        #expect(registration.status.isRunning)
    }

    @Test("zip releases the values of its pairs, and keeps the others in order")
    func zipIsAQueue() {
        final class Numbered: Action {
            let id: Int
            let witness: Witness
            init(_ id: Int, _ witness: Witness) { (self.id, self.witness) = (id, witness) }
        }
        let store = Store(reducer: { (_: inout Void, _) in }, initialState: ())
        let released = Record<Int>()
        store.register(
            Effect(dispatch: false) { actions in
                actions.ofType(Numbered.self).zip(actions.ofType(Answered.self))
                    .handleEvents { [log] numbered, answered in log.append("\(numbered.id) \(answered.id)") }
                    .map { _ in Failed(id: 0) }
            })
        for id in 1...6 {
            store.dispatch(action: Numbered(id, Witness { released.append(id) }))
            if id.isMultiple(of: 3) { store.dispatch(action: Answered(id: id)) }
        }
        #expect(log.lines == ["1 3", "2 6"])
        #expect(released.values == [1, 2])
        for id in 7...9 { store.dispatch(action: Answered(id: id)) }
        #expect(log.lines.dropFirst(2) == ["3 7", "4 8", "5 9"])
        #expect(released.values == [1, 2, 3, 4, 5])
    }

    /// The natural numbers. Records the numbers that are read.
    private struct Naturals: Sequence, IteratorProtocol, Sendable {
        let read: Record<Int>
        var witness: Witness?
        private var number = -1

        init(_ read: Record<Int>, _ witness: Witness? = nil) { (self.read, self.witness) = (read, witness) }

        mutating func next() -> Int? {
            number += 1
            return read.passing(number)
        }
    }

    @Test("zip reads a sequence without an end as far as the other stream needs it, in either order")
    func zipOfEndlessSequences() {
        let read = Record<Int>()
        let naturals = ActionStream.sequence(Naturals(read))
        let (pair, none) = (ActionStream.sequence(["a", "b"]), ActionStream<Int>.empty)
        let store = world.store()
        let registrations = [
            run(in: store) { _ in naturals.zip(pair) },
            run(in: store) { _ in pair.zip(naturals) },
            run(in: store) { _ in naturals.map { $0 * 2 }.zip(naturals.prepend(7)).zip(pair) },
            run(in: store) { _ in ActionStream<[Int]>.zip([naturals, naturals, naturals]).prefix(2) },
            run(in: store) { _ in none.append(naturals).zip(none) },
            run(in: store) { _ in naturals.tryMap { $0 }.zip(.just(5)) },
        ]
        #expect(
            log.lines == [
                "(0, \"a\")", "(1, \"b\")", "(\"a\", 0)", "(\"b\", 1)", "((0, 7), \"a\")", "((2, 0), \"b\")",
                "[0, 0, 0]", "[1, 1, 1]", "(0, 5)",
            ])
        let haveFinished = registrations.map { $0.status.isFinished }
        #expect(haveFinished == [Bool](repeating: true, count: registrations.count))
        #expect(read.values.max() ?? 0 <= 2)
    }

    @Test("zip reads on in a sequence when an action has arrived, and drops the sequence when the effect is cancelled")
    func zipOfASequenceAndActions() {
        let store = world.store()
        let (read, released) = (Record<Int>(), Record<Int>())
        let registration = run(in: store) { actions in
            let naturals = Naturals(read, Witness { released.append(1) })
            return ActionStream.sequence(naturals).zip(actions.ofType(Asked.self).map { $0.id })
        }
        store.ask(5, 6)
        #expect(log.lines == ["(0, 5)", "(1, 6)"])
        #expect(read.values == [0, 1, 2])
        registration.cancel()
        #expect(released.values == [1])
    }

    @Test("zip of a million values needs linear time and no stack")
    func zipOfMany() {
        let result = world.answers(to: []) { _ in
            ActionStream.sequence(0..<50_000).zip(.sequence(0..<50_000)).filter { $0 != $1 || $0 == 49_999 }
                .map { Answered(id: $0.0) }
        }
        #expect(result == [49_999])
    }

    @Test("A request of one stream is cancelled when the other one ends the combination")
    func requestsAreCancelled() {
        let clock = world.clock
        let store = world.store()
        let request = ActionStream {
            try await clock.sleep(for: .seconds(10))
            return 1
        }
        let answered = { (actions: ActionStream<any Action>) in actions.ofType(Answered.self).first() }
        let registrations = [
            run(in: store) { request.prefix(untilOutputFrom: answered($0)) },
            run(in: store) { answered($0).withLatestFrom(request).map(\.1) },
            run(in: store) { answered($0).tryMap { _ in throw Unanswerable() }.zip(request).map(\.1) },
        ]
        store.onError { _ in }
        world.scheduler.drain()
        #expect(clock.sleeperCount == 3)
        store.dispatch(action: Answered(id: 1))
        world.scheduler.drain()
        #expect(clock.sleeperCount == 0)
        let haveEnded = registrations.map { !$0.status.isRunning }
        #expect(haveEnded == [true, true, true])
        #expect(log.lines.isEmpty)
    }
}
