import FunctionalArchitecture
import TestSupport
import Testing
import VirtualTime

/// Work that is cancelled before its first asynchronous step never takes this step, in all front doors.
@Suite("Work that is cancelled before it begins", .timeLimit(.minutes(10)))
struct CancelledBeforeBeginTests {
    private let scheduler: VirtualScheduler
    private let end: Witness
    private let calls = Record<Int>()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    /// The kinds of work that call an asynchronous function of the environment.
    enum Work: CaseIterable {
        case action, program, stream, request, sequence, programOfStore
        case handler, throwingHandler, handlerOfSequence, programOfLoop
    }

    /// Returns a front door that calls the environment once for each positive number, under `policy`.
    private func frontDoor(_ work: Work, _ policy: Policy) -> FrontDoor {
        let upload: @Sendable (Int) async -> Int = { [calls] number in -calls.passing(number) }
        let numbers: @Sendable (Int) -> AsyncStream<Int> = { [calls] number in
            let number = -calls.passing(number)
            return AsyncStream { continuation in
                continuation.yield(number)
                continuation.finish()
            }
        }
        let request: @Sendable (Sent) async throws -> Sent = { Sent(number: await upload($0.number)) }
        return switch work {
        case .action:
            FrontDoor(
                scheduler,
                .effectful { number in
                    EnvIO { _ async in
                        let number = await upload(number)
                        return .update { $0.add(number) }
                    }
                }
                .policy(policy))
        case .program:
            FrontDoor(
                scheduler,
                .effectful { number in
                    EnvIO { _ in number }.flatMap { number in EnvIO { _ async in await upload(number) } }
                        .map { number in .update { $0.add(number) } }
                }
                .policy(policy))
        case .stream:
            FrontDoor(
                scheduler,
                .stream { number, _ in numbers(number).map { number in .update { $0.add(number) } } }
                    .policy(policy))
        case .request: FrontDoor(scheduler, effect: { $0.filter { $0.number > 0 }.flatMap(policy, request) })
        case .sequence:
            FrontDoor(scheduler) { sent in
                sent.filter { $0.number > 0 }.flatMap(policy) { numbers($0.number).map { Sent(number: $0) } }
            }
        case .programOfStore:
            FrontDoor(scheduler) { sent in
                sent.filter { $0.number > 0 }.flatMap(policy) { sent in
                    ActionStream(EnvIO<Void, any Error, Sent> { _ async throws in try await request(sent) }, in: ())
                }
            }
        case .handler: FrontDoor(scheduler, router: { $0.policy(policy).toEvent { number in await upload(number) } })
        case .throwingHandler:
            FrontDoor(
                scheduler,
                router: {
                    $0.policy(policy).toEvent { number in
                        try Task.checkCancellation()
                        return await upload(number)
                    }
                })
        case .handlerOfSequence:
            FrontDoor(
                scheduler, router: { $0.policy(policy).toHandling { number in .toEvents { numbers(number) } } })
        case .programOfLoop:
            FrontDoor(
                scheduler,
                router: {
                    $0.policy(policy).toHandling { number in
                        .toEvent(in: (), EnvIO { _ async in await upload(number) })
                    }
                })
        }
    }

    private var policies: [(name: String, policy: Policy)] {
        [
            ("concurrent", .concurrent), ("limit", .concurrent(limit: 2)), ("queued", .queued), ("latest", .latest),
            ("first", .first), ("debounce", .debounce(for: .seconds(1), clock: scheduler.clock)),
            ("throttle", .throttle(for: .seconds(1), clock: scheduler.clock)),
        ]
    }

    @Test("It does not call the environment, under each policy", arguments: Work.allCases)
    func cancelled(work: Work) {
        for (name, policy) in policies {
            let frontDoor = frontDoor(work, policy)
            for number in 1...1_000 { frontDoor.send(number) }
            frontDoor.cancel()
            scheduler.advance(by: .seconds(10))
            #expect(calls.values == [], "\(name)")
        }
    }

    @Test("Of five inputs under the policy latest, only the last one calls the environment", arguments: Work.allCases)
    func replaced(work: Work) {
        let frontDoor = frontDoor(work, .latest)
        for number in 1...5 { frontDoor.send(number) }
        scheduler.drain()
        #expect(calls.values == [5])
        #expect(frontDoor.numbers.last == -5)
        frontDoor.cancel()
    }

    @Test("A subscription does not run, and an event source does not ask for its sequence")
    func sources() {
        let subscription = Subscription<Void, Int>.run(id: "numbers") { [calls] _, _ in calls.append(1) }
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: StateDispatcher<Void, Int, Int>.pure { number in .set(number) },
            subscriptions: { $0 == 0 ? [subscription] : [] })
        component.send(1)
        let loop = Mobius.loop(update: Update<Int, Int, Int> { _, _ in .noChange }, effectHandler: EffectRouter())
            .withExecutor(scheduler.executor)
            .withEventSource { [calls] in
                calls.append(2)
                return AsyncStream<Int> { _ in }
            }
            .start(from: 0)
        loop.dispose()
        scheduler.drain()
        #expect(calls.values == [])
    }

    @Test("What was acquired is released, and finalizers run")
    func finalizers() {
        let log = Log()
        let use = StateDispatcher<Void, Int, Int>.effectful { _ in
            .bracket(
                acquire: EnvIO { _ async in log.append("acquires") },
                release: { _ in EnvIO { _ async in log.append("releases") } },
                use: { _ in
                    EnvIO { _ async in
                        log.append("uses")
                        return .set(1)
                    }
                })
        }
        let finalized = StateDispatcher<Void, Int, Int>.effectful { _ in
            EnvIO { _ async in
                log.append("works")
                return .set(2)
            }
            .guarantee(EnvIO { _ async in log.append("finalizes") })
        }
        for dispatcher in [use, finalized] {
            let component = Component(
                initialState: 0, environment: (), executor: scheduler.executor, dispatcher: dispatcher)
            let work = component.send(1)
            work.cancel()
            scheduler.drain()
            #expect(work.isCancelled)
            #expect(component.state == 0)
        }
        #expect(log.lines == ["acquires", "releases", "finalizes"])
    }
}
