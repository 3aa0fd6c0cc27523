import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

/// What a traced store records about its effects, and about what they start.
@Suite(.timeLimit(.minutes(10))) struct StoreTraceTests {
    private let world = QuestionWorld()
    private let events = TraceBuffer()

    /// The lines of the events, without the creation and without states.
    private var lines: [String] {
        events.lines.filter { !$0.hasSuffix(": created []") }.map { $0.replacing(/changed .*/, with: "changed") }
    }
    private func store(_ effects: Effect<Void>..., middleware: [Middleware<[String]>] = []) -> Store<[String]> {
        Store(
            reducer: journal, initialState: [], effects: effects, middleware: middleware,
            executor: world.scheduler.executor, trace: Trace(to: events))
    }

    /// An effect that emits the stream that `answers` returns for the stream of questions.
    private func effect(
        _ name: StaticString = "e", onFailure: FailurePolicy = .restart(atMost: 10),
        _ answers: (ActionStream<Asked>) -> ActionStream<Answered>
    ) -> Effect<Void> {
        Effect(onFailure: onFailure, file: name, line: 1) { actions in
            answers(actions.ofType(Asked.self)).eraseActionType()
        }
    }

    /// An effect that answers a question after as many seconds as its `id`.
    private func sleeping(_ policy: Policy = .concurrent) -> Effect<Void> {
        effect { [clock = world.clock] asked in
            asked.flatMap(policy) { asked in
                try await clock.sleep(for: .seconds(asked.id))
                return Answered(id: asked.id)
            }
        }
    }

    // MARK: - Effects

    @Test func anEffectIsAWorkThatIsSuspendedWhileItListens() {
        var store: Store? = store(effect("a") { $0.map { Answered(id: $0.id) } }, effect("b") { _ in .empty })
        #expect(lines == ["2: started a:1, effect", "3 ← 2: suspended 2", "4: started b:1, effect", "5 ← 4: ended 4"])
        events.removeAll()
        store?.ask(7)
        #expect(
            lines == [
                "6: received asked 7 from caller", "7 ← 6: changed", "8 ← 6: handled 6",
                "9 ← 6: received answered 7 from effect", "10 ← 9: changed", "11 ← 9: handled 9",
            ])
        events.removeAll()
        store = nil
        #expect(lines == ["12 ← 2: cancelled 2", "13: closed"])
    }

    @Test func anEffectThatIsRegisteredByAnObserverIsCausedByTheAction() {
        let store = store()
        store.intercept { [weak store, effect = effect { _ in .just(Answered(id: 1)) }] action, _, _ in
            if action is Asked { store?.register(effect) }
        }
        store.ask(1)
        #expect(
            lines == [
                "2: received asked 1 from caller", "3 ← 2: changed", "4 ← 2: handled 2", "5 ← 2: started e:1, effect",
                "6 ← 5: ended 5", "7 ← 5: received answered 1 from effect", "8 ← 7: changed", "9 ← 7: handled 7",
            ])
        #expect(events.all.last?.root == 2)
    }

    @Test func anEffectThatIsCancelledBeforeItStartsIsNoWork() {
        let store = store()
        store.observe { [weak store, effect = effect { $0.map { Answered(id: $0.id) } }] lines in
            if lines.count == 1 { store?.register(effect).cancel() }
        }
        store.ask(1)
        #expect(events.ends(of: "e") == [])
    }

    @Test func anEffectThatIsCancelledWhileItIsRecordedEndsAtOnce() {
        // The sink is called before the effect knows the work. A task keeps the effect alive.
        let cancel = Record<@Sendable () -> Void>()
        let trace = Trace { [events] event in
            events.receive(event)
            if case .started = event.kind { for cancel in cancel.values { cancel() } }
        }
        let store = Store(reducer: journal, initialState: [], executor: world.scheduler.executor, trace: trace)
        cancel.append { [weak store] in store?.unregister("group") }
        store.register([effect { _ in ActionStream { Answered(id: 1) } }], as: "group")
        #expect(events.ends(of: "e") == ["cancelled"])
        world.scheduler.drain()
        #expect(store.state == [])
        #expect(events.faults(haveAllEnded: true) == [])
    }

    @Test func aCancelledEffectEndsOnce() {
        let store = store()
        let registration = store.register(sleeping())
        store.ask(1)
        world.scheduler.drain()
        registration.cancel()
        registration.cancel()
        #expect(events.ends(of: "e") == ["cancelled"])
        #expect(events.ends(of: "request") == ["runs"])
        world.scheduler.drain()
        #expect(events.ends(of: "request") == ["cancelled"])
        #expect(events.faults(haveAllEnded: true) == [])
    }

    @Test func aGroupAndTheEffectsOfASetAreCancelled() {
        let store = store()
        store.register([effect("a") { _ in .just(Answered(id: 1)).append(ActionStream { Answered(id: 2) }) }], as: 1)
        store.unregister(1)
        do {
            var registrations: Set<ScopedRegistration> = []
            store.register(effect("b") { $0.map { Answered(id: $0.id) } }).store(in: &registrations)
        }
        store.ask(1)
        #expect(events.ends(of: "a") == ["cancelled"])
        #expect(events.ends(of: "b") == ["cancelled"])
    }

    // MARK: - Failures

    @Test func anEffectThatRestartsIsAnotherWork() {
        let store = store(
            effect(onFailure: .restart(atMost: 1, clock: world.clock)) { asked in
                asked.flatMap { asked -> Answered in throw Unanswerable(id: asked.id) }
            })
        store.onError { _ in }
        store.ask(1)
        world.scheduler.advance(by: .milliseconds(100))
        let error = Unanswerable(id: 1)
        #expect(
            lines == [
                "2: started e:1, effect", "3 ← 2: suspended 2", "4: received asked 1 from caller", "5 ← 4: changed",
                "6 ← 4: started request of e:1, effect", "7 ← 6: suspended 6", "8 ← 4: handled 4",
                "9 ← 6: failed 6: \(error)", "10 ← 2: failed 2: \(error)", "11 ← 6: started pause of e:1, effect",
                "12 ← 11: suspended 11", "13 ← 11: started e:1, effect", "14 ← 13: suspended 13", "15 ← 11: ended 11",
            ])
        store.ask(2)
        world.scheduler.drain()
        #expect(events.ends(of: "e") == ["failed with \(error)", "failed with \(Unanswerable(id: 2))"])
        #expect(events.faults(haveAllEnded: true) == [])
    }

    @Test func anEffectThatFailsAtEachStartEndsOncePerAttempt() {
        let store = store(effect(onFailure: .restart(atMost: 2, after: .forever)) { _ in .fail(Unanswerable()) })
        #expect(events.ends(of: "e") == Array(repeating: "failed with \(Unanswerable())", count: 3))
        #expect(events.faults(haveAllEnded: true) == [])
        withExtendedLifetime(store) {}
    }

    @Test func aHandledFailureIsThatOfTheRequestOnly() {
        let store = store(
            effect { asked in
                asked.flatMap { asked in
                    ActionStream<Answered> { throw Unanswerable() }.replaceError(with: Answered(id: -asked.id))
                }
            })
        store.ask(1)
        world.scheduler.drain()
        #expect(events.ends(of: "request") == ["failed with \(Unanswerable())"])
        #expect(events.ends(of: "e") == ["runs"])
        #expect(events.received("answered -1")?.root == events.received("asked 1")?.id)
    }

    @Test func whatAStreamMakesOfAFailureIsCausedByTheRequest() {
        typealias Answers = ActionStream<Answered>
        let answer = Answered(id: 9)
        let operators: [(recovery: String, apply: @Sendable (Answers) -> Answers)] = [
            ("the value \(answer)", { $0.replaceError(with: answer) }),
            ("a fallback", { $0.catch { _ in .just(answer) } }),
            ("the failure \(Unanswerable(id: 2))", { $0.mapError { _ in Unanswerable(id: 2) } }),
            ("another attempt", { $0.retry(1) }),
        ]
        for (recovery, apply) in operators {
            events.removeAll()
            let store = store(
                effect(onFailure: .stop) { asked in
                    asked.flatMap { _ in apply(ActionStream<Answered> { throw Unanswerable() }) }
                })
            store.onError { _ in }
            store.ask(1)
            world.scheduler.drain()
            let recoveries = events.all.filter { if case .recovered = $0.kind { true } else { false } }
            #expect(recoveries.map(\.cause) == [events.work(for: "request")], "\(recovery)")
            #expect(events.kinds.contains("recovered from \(Unanswerable()) with \(recovery)"), "\(recovery)")
        }
    }

    // MARK: - What effects start

    @Test("76. In a trace, a request has the action as its cause, and an answer has the request")
    func request() {
        let store = store(sleeping())
        events.removeAll()
        store.ask(2, 1)
        world.scheduler.advance(by: .seconds(2))
        #expect(
            lines == [
                "4: received asked 2 from caller", "5 ← 4: changed", "6 ← 4: started request of e:1, effect",
                "7 ← 6: suspended 6", "8 ← 4: handled 4", "9: received asked 1 from caller", "10 ← 9: changed",
                "11 ← 9: started request of e:1, effect", "12 ← 11: suspended 11", "13 ← 9: handled 9",
                "14 ← 11: received answered 1 from effect", "15 ← 14: changed", "16 ← 14: handled 14",
                "17 ← 11: ended 11", "18 ← 6: received answered 2 from effect", "19 ← 18: changed",
                "20 ← 18: handled 18", "21 ← 6: ended 6",
            ])
        #expect(events.received("answered 1")?.root == 9)
        #expect(events.received("answered 2")?.root == 4)
    }

    @Test func whatARequestDispatchesItselfIsCausedByIt() {
        let store = store()
        store.register(
            .run(on: Asked.self, file: "e", line: 1) { [weak store] asked in
                await withTaskGroup { group in group.addTask { store?.dispatch(action: Answered(id: asked.id)) } }
            })
        store.ask(1)
        world.scheduler.drain()
        #expect(
            lines.suffix(7) == [
                "6 ← 4: started request of e:1, effect", "7 ← 6: suspended 6", "8 ← 4: handled 4",
                "9 ← 6: received answered 1 from effect", "10 ← 9: changed", "11 ← 9: handled 9", "12 ← 6: ended 6",
            ])
        #expect(events.received("answered 1")?.root == events.received("asked 1")?.id)
    }

    @Test func theWorksOfAnEffectSayWhatTheyAre() throws {
        let clock = world.clock
        let program = EnvIO<Void, Unanswerable, Answered>.pure(Answered(id: 1))
        let waiting = program.delay(for: .seconds(1), clock: clock)
        let store = store(
            effect("a") { asked in asked.flatMap { _ in ActionStream(program, in: ()) } },
            effect("b") { asked in asked.flatMap { _ in ActionStream(waiting, in: ()) } },
            effect("c") { asked in
                asked.flatMap { asked in
                    AsyncStream {
                        $0.yield(Answered(id: asked.id))
                        $0.finish()
                    }
                }
            }, effect("d") { asked in asked.delay(for: .seconds(1), clock: clock).map { Answered(id: $0.id) } },
            effect("e") { asked in asked.debounce(for: .seconds(1), clock: clock).map { Answered(id: $0.id) } },
            effect("f") { asked in asked.throttle(for: .seconds(1), clock: clock).map { Answered(id: $0.id) } },
            effect("g") { asked in
                asked.flatMap { _ in ActionStream.interval(.seconds(1), clock: clock).prefix(2).map { Answered(id: $0) }
                }
            },
            effect("h") { asked in
                asked.flatMap { _ in
                    ActionStream<Int>.interval(.seconds(5), clock: clock).map { Answered(id: $0) }.timeout(
                        .seconds(1), clock: clock)
                }
            })
        store.ask(1)
        #expect(events.ends(of: "program of a") == ["ended"])
        #expect(events.ends(of: "program of b") == ["runs"])
        #expect(events.ends(of: "pause of f") == ["ended"])
        world.scheduler.advance(by: .seconds(2))
        let kinds = ["program of b:1", "sequence of c:1", "delay of d:1", "pause of e:1", "timeout of h:1"]
        for kind in kinds { #expect(events.ends(of: kind) == ["ended"], "\(kind)") }
        #expect(events.ends(of: "interval of g:1") == ["cancelled"])
        #expect(events.ends(of: "interval of h:1") == ["cancelled"])
        let asked = try #require(events.received("asked 1"))
        let answers = events.all.filter { if case .received(_, .effect) = $0.kind { true } else { false } }
        #expect(answers.count == 8)
        #expect(answers.allSatisfy { $0.root == asked.id })
        #expect(events.faults() == [])
    }

    @Test func aValueThatDebounceDropsIsACancelledPause() {
        let store = store(
            effect { [clock = world.clock] asked in
                asked.debounce(for: .seconds(1), clock: clock).map { Answered(id: $0.id) }
            })
        store.ask(1, 2)
        #expect(events.ends(of: "pause") == ["cancelled", "runs"])
        world.scheduler.advance(by: .seconds(1))
        #expect(events.ends(of: "pause") == ["cancelled", "ended"])
        #expect(events.received("answered 2")?.root == events.received("asked 2")?.id)
        #expect(events.sources.last == "answered 2 from effect by pause of e:1")
        #expect(events.faults() == [])
    }

    @Test func aPauseWhoseClockThrowsHasFailed() {
        let store = store(
            effect(onFailure: .stop) { asked in
                asked.debounce(for: .seconds(1), clock: BrokenClock(Unanswerable())).map { Answered(id: $0.id) }
            })
        store.onError { _ in }
        store.ask(1, 2)
        world.scheduler.drain()
        #expect(events.ends(of: "pause") == ["cancelled", "failed with Unanswerable(id: 0)"])
        #expect(events.faults() == [])
    }

    @Test func aValueThatAnEffectHasDerivedFromAnActionIsOmittedIfTheTraceRedactsAnyValues() {
        for (isOmitting, decision) in [
            (true, "‹String omitted› starts by ‹Asked omitted›"), (false, "secret 1 starts by asked 1"),
        ] {
            let trace = Trace(to: events)
            let store = Store(
                reducer: journal, initialState: [],
                effects: [
                    effect { $0.map { "secret \($0.id)" }.flatMap(.latest) { _ in ActionStream<Answered>.empty } }
                ], trace: isOmitting ? trace.omitting(Asked.self) : trace)
            store.ask(1)
            #expect(events.decisions == [decision])
            events.removeAll()
        }
    }

    @Test func aReplacedRequestIsCancelledWhenItsTaskEnds() {
        let store = store(sleeping(.latest))
        store.ask(3)
        world.scheduler.drain()
        store.ask(1)
        world.scheduler.drain()
        #expect(events.ends(of: "request") == ["cancelled", "runs"])
        world.scheduler.advance(by: .seconds(3))
        #expect(events.ends(of: "request") == ["cancelled", "ended"])
    }

    @Test func aRequestWhoseResultIsNotWantedIsCancelled() {
        let gate = Gate()
        let store = store(
            effect { asked in
                asked.flatMap(.latest) { asked in
                    // Ignores its cancellation.
                    await gate.pass()
                    return Answered(id: asked.id)
                }
            })
        store.ask(1)
        world.scheduler.drain()
        store.ask(2)
        world.scheduler.drain()
        #expect(events.ends(of: "request") == ["runs", "runs"])
        world.scheduler.start { await gate.open() }
        world.scheduler.drain()
        #expect(events.ends(of: "request") == ["cancelled", "ended"])
        #expect(store.state.last == "answered 2")
    }

    @Test func theRequestsOfADeallocatedStoreEndAfterIt() {
        var store: Store? = store(sleeping())
        store?.ask(1)
        world.scheduler.drain()
        events.removeAll()
        store = nil
        #expect(lines == ["9 ← 2: cancelled 2", "10: closed"])
        world.scheduler.drain()
        #expect(lines.last == "11 ← 6: cancelled 6")
    }

    @Test func theSequenceOfDispatchedActionsIsAWork() {
        let store = store()
        store.dispatch(
            actionsOf: {
                AsyncStream<Asked> { continuation in
                    for id in 1...2 { continuation.yield(Asked(id: id)) }
                    continuation.finish()
                }
            }, file: "s", line: 1)
        world.scheduler.drain()
        #expect(
            lines == [
                "2: started s:1, effect", "3 ← 2: started sequence of s:1, effect", "4 ← 3: suspended 3",
                "5 ← 2: suspended 2", "6 ← 3: received asked 1 from effect", "7 ← 6: changed", "8 ← 6: handled 6",
                "9 ← 3: received asked 2 from effect", "10 ← 9: changed", "11 ← 9: handled 9", "12 ← 2: ended 2",
                "13 ← 3: ended 3",
            ])
    }
}
