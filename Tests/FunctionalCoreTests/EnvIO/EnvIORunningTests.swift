import Dispatch
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("EnvIO: running", .timeLimit(.minutes(10)))
struct EnvIORunningTests {
    @Test func eachRunRunsTheWholeProgram() async throws {
        let count = Guarded(0)
        let program = EnvIO<Void, any Error, Int> {
            count.withLock {
                $0 += 1
                return $0
            }
        }
        #expect(try program.runSync() == 1)
        #expect(try await program.run() == 2)
        #expect(try await program.map { $0 * 10 }.outcome().get() == 30)
    }

    /// In release builds, the Swift 6.3 compiler may enter a function that only forwards its isolation on any executor.
    @Test func aRunStaysOnTheActorOfItsCaller() async {
        let waiting = EnvIO<Void, Never, Bool> { () async in isOnMainThread() }
        let (first, second) = (EnvIO<Void, Never, Bool>.var(), EnvIO<Void, Never, Bool>.var())
        let programs = [
            EnvIO<Void, Never, Bool> { CurrentThread.isMain },
            EnvIO<Void, Never, Void>.suspend { .pure(()) }.map { CurrentThread.isMain },
            waiting,
            waiting.repeat(.recurs(1)),
            // Programs with bound variables.
            binding(first <- waiting, second <- waiting, yield: first.get && second.get),
            binding(first <- .pure(true), second <- waiting.uncancellable(), yield: second.get),
            binding(first <- waiting, second <- waiting.repeat(.recurs(1)), yield: second.get),
        ]
        for program in programs {
            let task = Task.detached {
                [
                    await MainCaller.outcome(program), await MainCaller.run(program),
                    await MainCaller.outcome(program, 1),
                ]
            }
            #expect(await task.value == [true, true, true])
        }
    }

    @Test func aProgramThatNeverWaitsIsFinishedWhenStartReturns() {
        let program = EnvIO<Int, Never, Int>.ask().flatMap { .pure($0 + 1) }
        guard case .finished(.value(5)) = program.start(4) else {
            Issue.record("start(_:) did not finish the program with 5.")
            return
        }
    }

    @Test func aWaitingProgramContinuesOnceFromItsWait() async {
        let log = Log()
        let program = EnvIO<Void, Never, Void> { log.append("before") }
            .flatMap { EnvIO { () async in await Task.yield() } }
            .map { log.append("after") }
        guard case .waiting(let task) = program.start(()) else {
            Issue.record("The program did not suspend.")
            return
        }
        #expect(log.lines == ["before"])
        guard case .value = await task.value else {
            Issue.record("The program did not end with a value.")
            return
        }
        #expect(log.lines == ["before", "after"])
    }

    @Test @MainActor func anAsyncStepStaysOnTheActorThatRunsIt() async throws {
        let program = EnvIO<Void, any Error, Void> { () async in
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
        }
        try await program.run()
        guard case .waiting(let task) = program.start(()) else { return }
        _ = await task.value
    }

    @Test func anyNumberOfProgramsZipInOrder() throws {
        let log = Log()
        @Sendable func step<Value: Sendable>(_ value: Value) -> EnvIO<Void, any Error, Value> {
            EnvIO {
                log.append("\(value)")
                return value
            }
        }
        let (number, text, none, last) = try step(1).zip(step("a"), step(nil as Int?), step(2.5)).runSync()
        #expect(number == 1)
        #expect(text == "a")
        #expect(none == nil)
        #expect(last == 2.5)
        #expect(log.lines == ["1", "a", "nil", "2.5"])
        let count = State<Int, Int>.update {
            $0 += 1
            return $0
        }
        let (first, second, third) = count.zip(count, count.map { "\($0)" }).eval(0)
        #expect(first == 1)
        #expect(second == 2)
        #expect(third == "3")
    }

    @Test(.promptly) func runSyncRefusesAProgramThatWaits() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = try EnvIO<Void, any Error, Int> { () async in 1 }.runSync()
        }
        let message = result.standardErrorText
        #expect(message.contains("runSync was called on a program that suspends: EnvIO<(), "))
        #expect(message.contains("To fix, run it with run(_:), outcome(_:) or start(_:)"))
    }

    @Test(.promptly) func runSyncRefusesAProgramThatCancelsItself() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = try EnvIO<Void, any Error, Int>.cancelled.runSync()
        }
        let message = result.standardErrorText
        #expect(message.contains("runSync was called on a program that cancels itself: EnvIO<(), "))
    }
}

/// Runs programs on the main actor, and does nothing else there.
@MainActor private enum MainCaller {
    static func outcome(_ program: EnvIO<Void, Never, Bool>) async -> Bool {
        let outcome = await program.outcome()
        return outcome == .value(true)
    }

    static func outcome(_ program: EnvIO<Void, Never, Bool>, _ environment: Int) async -> Bool {
        let outcome = await program.contramap { (_: Int) in }.outcome(environment)
        return outcome == .value(true)
    }

    static func run(_ program: EnvIO<Void, Never, Bool>) async -> Bool {
        let value = try? await program.run()
        return value == true
    }
}

private func isOnMainThread() -> Bool { CurrentThread.isMain }

@Suite("EnvIO: cancellation", .timeLimit(.minutes(10)))
struct EnvIOCancellationTests {
    @Test func aCancelledTaskRunsNothing() async {
        let log = Log()
        let program = EnvIO<Void, Never, Int> {
            log.append("ran")
            return 1
        }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await program.outcome()
        }
        #expect(await task.value == Outcome<Int, Never>.cancelled)
        #expect(log.lines.isEmpty)
    }

    @Test func aCancelledSleepEndsAsCancelledAndTheNextStepDoesNotRun() throws {
        let scheduler = VirtualScheduler()
        let log = Log()
        let program = EnvIO<Void, any Error, Void>.sleep(for: .seconds(9), clock: scheduler.clock)
            .map { log.append("after") }
            .handleError { _ in log.append("handled") }
        let task = scheduler.start { await program.outcome() }
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 1)
        task.cancel()
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 0)
        #expect(log.lines.isEmpty)
    }

    @Test func sleepWaitsForItsDuration() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let program = EnvIO<Void, any Error, Void>.sleep(for: .seconds(2), clock: scheduler.clock)
            .map { log.append("awake") }
        scheduler.start { try await program.run() }
        scheduler.advance(by: .milliseconds(1_999))
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["awake"])
    }

    @Test func anEndlessDurationIsCappedAtAHundredYears() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let program = EnvIO<Void, any Error, String>.never.timeout(
            .seconds(Int64.max), clock: scheduler.clock, otherwise: .pure("over"))
        scheduler.start { log.append(try await program.run()) }
        scheduler.drain()
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .seconds(100 * 365 * 24 * 60 * 60))
        #expect(log.lines == ["over"])
    }

    @Test func handlersWithTheSameFailureTypeNeedNoAnnotation() throws {
        let failing = EnvIO<Void, any Error, Int>.fail(Broken())
        #expect(try failing.handleErrorWith { _ in .pure(1) }.runSync() == 1)
        #expect(try failing.retry(.recurs(1), orElse: { _ in .pure(2) }).runSync() == 2)
        #expect(throws: Broken(name: "again")) {
            try failing.handleErrorWith { _ in .fail(Broken(name: "again")) }.runSync()
        }
    }

    @Test func aPureLoopWithoutEndCanBeCancelled() async {
        @Sendable func forever(_ count: Int) -> EnvIO<Void, Never, Int> {
            EnvIO<Void, Never, Int>.pure(count).flatMap { forever($0 &+ 1) }
        }
        let begun = Gate()
        let program = EnvIO<Void, Never, Int> { () async in
            await begun.open()
            return 0
        }.flatMap { forever($0) }
        let task = Task { await program.outcome() }
        await begun.pass()
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("The program did not end as cancelled.")
            return
        }
    }

    @Test func aCancellationErrorInARunThatIsNotCancelledIsAFailure() async {
        let throwing = EnvIO<Void, any Error, Int> { () async throws in throw CancellationError() }
        for program in [throwing, throwing.map { $0 + 1 }] {
            guard case .failure(let error) = await program.outcome() else {
                Issue.record("The program did not fail.")
                return
            }
            #expect(error is CancellationError)
        }
    }

    @Test func handlersDoNotSeeCancellation() async {
        let log = Log()
        let program = EnvIO<Void, any Error, Int> { () async throws in
            try await Task.sleep(for: .seconds(1_000_000))
            return 1
        }
        .handleErrorWith { _ -> EnvIO<Void, any Error, Int> in
            log.append("handled")
            return .pure(2)
        }
        let task = Task { await program.outcome() }
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("The program did not end as cancelled.")
            return
        }
        #expect(log.lines.isEmpty)
    }
}

@Suite("EnvIO: bracket", .timeLimit(.minutes(10)))
struct EnvIOBracketTests {
    private typealias Step = EnvIO<Log, any Error, String>

    private func step(_ name: String, failing: Bool = false) -> Step {
        Step { log in
            log.append(name)
            if failing { throw Broken() }
            return name
        }
    }

    private func bracket(_ name: String, use: Step) -> Step {
        .bracket(acquire: step("open \(name)"), release: { _ in self.step("close \(name)").void }, use: { _ in use })
    }

    @Test(arguments: [false, true])
    func releasesOnceOnSuccessAndOnFailure(failing: Bool) async {
        let log = Log()
        _ = await bracket("a", use: bracket("b", use: step("use", failing: failing))).outcome(log)
        #expect(log.lines == ["open a", "open b", "use", "close b", "close a"])
    }

    @Test func aFinalizerThatCancelsEndsTheRunAsCancelledUnlessItFailed() async {
        #expect(await EnvIO<Void, Broken, Int>.pure(1).guarantee(.cancelled).outcome() == .cancelled)
        #expect(await EnvIO<Void, Broken, Int>.fail(Broken()).guarantee(.cancelled).outcome() == .failure(Broken()))
    }

    @Test func aFailedAcquireReleasesNothing() async {
        let log = Log()
        let program = Step.bracket(
            acquire: step("open", failing: true), release: { _ in self.step("close").void },
            use: { _ in self.step("use") })
        guard case .failure(let error) = await program.outcome(log) else {
            Issue.record("The program did not fail.")
            return
        }
        #expect(error is Broken)
        #expect(log.lines == ["open"])
    }

    @Test func releasesOnCancellationBeforeTheRunReturns() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let wait = EnvIO<Log, any Error, Void>.sleep(for: .seconds(5), clock: scheduler.clock)
        let program = bracket("a", use: wait.flatMap { self.step("used") })
        let task = scheduler.start { await program.outcome(log) }
        scheduler.drain()
        task.cancel()
        scheduler.drain()
        #expect(log.lines == ["open a", "close a"])
    }

    /// The cancellation that causes a release must not cancel a release that suspends.
    @Test func acquireAndReleaseAreNotCancelledWhileTheyWait() async {
        let log = Log()
        let acquired = Gate()
        let program = Step.bracket(
            acquire: Step { log async throws in
                await acquired.open()
                while !Task.isCancelled, !log.lines.contains("go on") { await Task.yield() }
                log.append("acquired, cancelled: \(Task.isCancelled)")
                return "handle"
            },
            release: { _ in
                EnvIO { log async throws in
                    await Task.yield()
                    log.append("released, cancelled: \(Task.isCancelled)")
                }
            },
            use: { _ in self.step("use") }
        )
        let task = Task { await program.outcome(log) }
        await acquired.pass()
        task.cancel()
        log.append("go on")
        guard case .cancelled = await task.value else {
            Issue.record("The program did not end as cancelled.")
            return
        }
        #expect(
            log.lines == ["go on", "acquired, cancelled: false", "released, cancelled: false"])
    }

    @Test func aStepAfterABracketCanBeCancelled() {
        let scheduler = VirtualScheduler()
        let log = Log()
        let program = bracket("a", use: step("use"))
            .flatMap { _ in EnvIO<Log, any Error, Void>.sleep(for: .seconds(5), clock: scheduler.clock) }
        let task = scheduler.start { await program.outcome(log) }
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 1)
        task.cancel()
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 0)
    }

    @Test func aFailingReleaseDoesNotMakeACancelledRunAFailure() throws {
        let scheduler = VirtualScheduler()
        let log = Log()
        let program = EnvIO<Void, any Error, Void>.sleep(for: .seconds(5), clock: scheduler.clock)
            .guarantee(.fail(Broken()))
            .handleError { _ in log.append("handled") }
        let task = scheduler.start {
            guard case .cancelled = await program.outcome() else { return log.append("not cancelled") }
            log.append("cancelled")
        }
        scheduler.drain()
        task.cancel()
        scheduler.drain()
        #expect(log.lines == ["cancelled"])
    }

    @Test @MainActor func acquireAndReleaseStayOnTheActorThatRunsThem() async {
        let program = EnvIO<Void, any Error, Int>.bracket(
            acquire: EnvIO<Void, any Error, Int> { () async in
                MainActor.assertIsolated()
                await Task.yield()
                MainActor.assertIsolated()
                return 1
            },
            release: { _ in
                EnvIO { () async in
                    MainActor.assertIsolated()
                    await Task.yield()
                }
            },
            use: { .pure($0) }
        )
        guard case .value(1) = await program.outcome() else {
            Issue.record("The program did not end with 1.")
            return
        }
    }

    @Test(.promptly) func theFirstFailureWinsAndTheOtherIsReported() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            struct First: Error {}
            struct Second: Error {}
            let program = EnvIO<Void, any Error, Int>.bracket(
                acquire: EnvIO<Void, any Error, Int>.pure(1), release: { _ in .fail(Second()) },
                use: { _ in .fail(First()) })
            guard case .failure(let error) = await program.outcome(), error is First else { fatalError("not First") }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "A finalizer's error was ignored, because its program had already failed or been cancelled: Second()"))
    }

    @Test func aFailingReleaseFailsASuccessfulProgram() async {
        let program = EnvIO<Void, Broken, Int>.pure(1).guarantee(.fail(Broken()))
        #expect(await program.outcome() == .failure(Broken()))
    }
}

@Suite("EnvIO: executors", .timeLimit(.minutes(10)))
struct EnvIOExecutorTests {
    private static let queueKey = DispatchSpecificKey<String>()

    private func queue(_ name: String) -> DispatchQueue {
        let queue = DispatchQueue(label: "same label")
        queue.setSpecific(key: Self.queueKey, value: name)
        return queue
    }

    private static let place = EnvIO<Void, any Error, String> {
        DispatchQueue.getSpecific(key: queueKey) ?? "elsewhere"
    }

    private static let asyncPlace = EnvIO<Void, any Error, String> { () async in
        await Task.yield()
        return DispatchQueue.getSpecific(key: queueKey) ?? "elsewhere"
    }

    @Test func onRunsItsProgramOnTheQueueAndReturns() async throws {
        let queue = queue("a")
        let program = Self.place.on(queue).zip(Self.asyncPlace.on(queue)).zip(Self.place)
        let places = try await program.run()
        #expect(places.0 == ("a", "a"))
        #expect(places.1 == "elsewhere")
    }

    @Test func continueOnAppliesUntilTheEndOfItsBinding() async throws {
        let (first, second) = (EnvIO<Void, any Error, String>.var(), EnvIO<Void, any Error, String>.var())
        let program = binding(
            first <- Self.place,
            continueOn(queue("a")),
            second <- Self.asyncPlace,
            yield: [first.get, second.get]
        )
        let (inside, after) = try await program.zip(Self.place).run()
        #expect(inside == ["elsewhere", "a"])
        #expect(after == "elsewhere")
    }

    @Test func queuesWithTheSameLabelAreDistinguished() async throws {
        let program = Self.place.on(queue("b")).zip(Self.place.on(queue("a"))).on(queue("c"))
        let places = try await program.run()
        #expect(places == ("b", "a"))
    }

    @Test func anErrorHandlerRunsOnTheQueueOfTheEnclosingProgram() async throws {
        let program = EnvIO<Void, any Error, String> { throw Broken() }.on(queue("a"))
            .handleErrorWith { _ in Self.place }
            .on(queue("b"))
        #expect(try await program.run() == "b")
    }

    @Test func movingBackAndForthManyTimesNeedsNoStack() async throws {
        let (a, b) = (queue("a"), queue("b"))
        @Sendable func bounce(_ count: Int) -> EnvIO<Void, any Error, Int> {
            count == 0
                ? .pure(0) : EnvIO<Void, any Error, Int>.pure(count - 1).on(count % 2 == 0 ? a : b).flatMap(bounce)
        }
        #expect(try await bounce(20_000).run() == 0)
    }
}
