import FunctionalArchitecture
import TestSupport
import Testing
import VirtualTime

/// `settled()` returns when nothing is left to do, in all front doors.
@Suite("Settling of front doors", .timeLimit(.minutes(10)))
struct SettlingTests {
    private let scheduler: VirtualScheduler
    private let end: Witness
    private let log = Log()

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    private func settle(_ frontDoor: FrontDoor) -> Task<Void, any Error> {
        scheduler.start { [log] in
            await log.append("settled") { try await frontDoor.settled() }
        }
    }

    /// The ways to send the negative of a number, and when this has been done for the threes.
    enum Work: CaseIterable {
        case action, limitedAction, queuedAction, latestAction, debouncedAction, throttledAction
        case request, limitedRequest, queuedRequest, programOfStore, delay, debounce
        case handler, limitedHandler, queuedHandler, debouncedHandler, programOfLoop, callback

        /// How many threes are sent: more than there are places.
        var count: Int {
            switch self {
            case .limitedAction, .limitedRequest, .limitedHandler: 3
            default: 2
            }
        }

        var seconds: Int {
            switch self {
            case .limitedAction, .limitedRequest, .limitedHandler: 6
            case .queuedAction, .queuedRequest, .queuedHandler: 6
            // The second one waits for three seconds, and takes three.
            case .debouncedAction, .throttledAction, .debouncedHandler: 6
            default: 3
            }
        }
    }

    private func frontDoor(_ work: Work) -> FrontDoor {
        let clock = scheduler.clock
        let answer: @Sendable (Int) async throws -> Int = { number in
            try await clock.sleep(for: .seconds(3))
            return -number
        }
        let request: @Sendable (Sent) async throws -> Sent = { Sent(number: try await answer($0.number)) }
        let handler: @Sendable (Int) async throws -> Int? = { try await answer($0) }
        let action = FrontDoor.Programs.effectful { number in
            EnvIO { _ async throws in
                let number = try await answer(number)
                return .update { $0.add(number) }
            }
        }
        @Sendable func program<Failure: Error, Value: Sendable>(of value: Value) -> EnvIO<Void, Failure, Value> {
            EnvIO<Void, Failure, Void>.sleep(for: .seconds(3), clock: clock).map { value }
        }
        let interval = Duration.seconds(3)
        return switch work {
        case .action: FrontDoor(scheduler, action)
        case .limitedAction: FrontDoor(scheduler, action.policy(.concurrent(limit: 2)))
        case .queuedAction: FrontDoor(scheduler, action.policy(.queued))
        case .latestAction: FrontDoor(scheduler, action.policy(.latest))
        case .debouncedAction: FrontDoor(scheduler, action.policy(.debounce(for: interval, clock: clock)))
        case .throttledAction: FrontDoor(scheduler, action.policy(.throttle(for: interval, clock: clock)))
        case .request: FrontDoor(scheduler, effect: { $0.filter { $0.number > 0 }.flatMap(request) })
        case .limitedRequest:
            FrontDoor(scheduler, effect: { $0.filter { $0.number > 0 }.flatMap(.concurrent(limit: 2), request) })
        case .queuedRequest: FrontDoor(scheduler, effect: { $0.filter { $0.number > 0 }.flatMap(.queued, request) })
        case .programOfStore:
            FrontDoor(scheduler) {
                $0.filter { $0.number > 0 }.flatMap { sent in
                    ActionStream(program(of: Sent(number: -sent.number)) as EnvIO<Void, any Error, Sent>, in: ())
                }
            }
        case .delay:
            FrontDoor(scheduler) {
                $0.filter { $0.number > 0 }.delay(for: interval, clock: clock).map { Sent(number: -$0.number) }
            }
        case .debounce:
            FrontDoor(scheduler) {
                $0.filter { $0.number > 0 }.debounce(for: interval, clock: clock).map { Sent(number: -$0.number) }
            }
        case .handler: FrontDoor(scheduler, router: { $0.toEvent(handler) })
        case .limitedHandler: FrontDoor(scheduler, router: { $0.policy(.concurrent(limit: 2)).toEvent(handler) })
        case .queuedHandler: FrontDoor(scheduler, router: { $0.policy(.queued).toEvent(handler) })
        case .debouncedHandler:
            FrontDoor(scheduler, router: { $0.policy(.debounce(for: interval, clock: clock)).toEvent(handler) })
        case .callback:
            FrontDoor(scheduler) { [executor = scheduler.executor] route in
                route.to { (number: Int, callback: EffectCallback<Int>) in
                    callback.send(0)
                    Task(executorPreference: executor) { callback.end(with: try await answer(number)) }
                    return EmptyDisposable()
                }
            }
        case .programOfLoop:
            FrontDoor(scheduler) { $0.toHandling { number in .toEvent(in: (), program(of: -number)) } }
        }
    }

    @Test(
        "A front door settles at once without work, and otherwise when all its work is done", arguments: Work.allCases)
    func work(work: Work) {
        let frontDoor = frontDoor(work)
        _ = settle(frontDoor)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        for _ in 0..<work.count { frontDoor.send(3) }
        _ = settle(frontDoor)
        scheduler.advance(by: .seconds(work.seconds - 1))
        #expect(log.lines == ["settled"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled", "settled"])
        let numbers = frontDoor.numbers
        #expect(numbers.last == -3)
        scheduler.advance(by: .seconds(100))
        #expect(frontDoor.numbers == numbers)
        frontDoor.cancel()
    }

    @Test("A store does not settle before the work of Effect.run has ended")
    func runningEffect() {
        let clock = scheduler.clock
        let store = Store(
            reducer: { (_: inout Int, _) in }, initialState: 0,
            effects: [Effect.run(on: Sent.self) { _ in try await clock.sleep(for: .seconds(3)) }],
            executor: scheduler.executor)
        store.dispatch(action: Sent(number: 1))
        scheduler.start { [log] in
            await log.append("settled") { try await store.settled() }
        }
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == [])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled"])
    }

    @Test(
        "A front door does not settle before what an observer sends when work ends",
        arguments: [Work.action, .request, .handler])
    func chains(work: Work) {
        let frontDoor = frontDoor(work)
        frontDoor.observe { frontDoor, numbers in if numbers.last == -3 { frontDoor.send(2) } }
        frontDoor.send(3)
        _ = settle(frontDoor)
        scheduler.advance(by: .seconds(5))
        #expect(log.lines == [])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["settled"])
        #expect(frontDoor.numbers.last == -2)
        frontDoor.cancel()
    }

    @Test(
        "A cancelled caller throws and cancels no work, and others resume when the work is cancelled",
        arguments: [Work.action, .request, .handler])
    func cancellation(work: Work) {
        let frontDoor = frontDoor(work)
        frontDoor.send(3)
        settle(frontDoor).cancel()
        let caller = settle(frontDoor)
        _ = settle(frontDoor)
        scheduler.drain()
        caller.cancel()
        scheduler.drain()
        #expect(log.lines == ["CancellationError()", "CancellationError()"])
        #expect(scheduler.clock.sleeperCount == 1)
        frontDoor.cancel()
        _ = settle(frontDoor)
        scheduler.drain()
        #expect(log.lines.dropFirst(2) == ["settled", "settled"])
        #expect(frontDoor.numbers.last == 3)
    }

    enum Sequence: CaseIterable { case action, subscription, stream, handler }

    @Test("A front door settles without waiting for a sequence that has not ended", arguments: Sequence.allCases)
    func sequences(sequence: Sequence) {
        let (numbers, feed) = AsyncStream<Int>.makeStream()
        let frontDoor =
            switch sequence {
            case .action:
                FrontDoor(scheduler, .stream { _, _ in numbers.map { number in .update { $0.add(number) } } })
            case .subscription: FrontDoor(scheduler, subscriptions: [.stream(id: "numbers") { _ in numbers }])
            case .stream:
                FrontDoor(scheduler) {
                    $0.filter { $0.number > 0 }.flatMap { _ in numbers.map { Sent(number: $0) } }
                }
            case .handler:
                FrontDoor(scheduler, isEndless: true, router: { $0.toHandling { _ in .toEvents { numbers } } })
            }
        frontDoor.send(1)
        feed.yield(-1)
        scheduler.drain()
        _ = settle(frontDoor)
        scheduler.drain()
        #expect(log.lines == ["settled"])
        #expect(frontDoor.numbers.last == -1)
        frontDoor.cancel()
    }

    @Test("Cancelling a registration is O(1) in the number of others", .countsSteps)
    func registrations() {
        let component = Component(
            initialState: 0, environment: (), dispatcher: StateDispatcher<Void, Int, Int>.pure { .set($0) })
        let store = Store(reducer: { (_: inout Int, _) in }, initialState: 0)
        let update = Update<Int, Int, Int> { _, _ in .noChange }
        let loop = Mobius.loop(update: update, effectHandler: EffectRouter()).start(from: 0)
        let kinds: [() -> () -> Void] = [
            { component.observe { _ in }.cancel },
            { store.observe { _ in }.cancel }, { store.select { $0 }.observe { _ in }.cancel },
            { store.onError { _ in }.cancel },
            { store.add(Middleware { action, _, next in next(action) }).cancel },
            { store.intercept { _, _, _ in }.cancel },
            { loop.addObserver { _ in }.dispose },
        ]
        for (number, make) in kinds.enumerated() {
            let exponent = growth(from: 100, to: 1_600) { count in
                let cancellations = (0..<count).map { _ in make() }
                return steps { for cancel in cancellations { cancel() } }
            }
            // If each cancellation were O(n), the exponent would be 2.
            #expect(exponent < 1.2, "kind \(number)")
        }
        loop.dispose()
    }
}
