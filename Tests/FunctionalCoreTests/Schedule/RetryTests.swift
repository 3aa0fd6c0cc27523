import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

private struct Flaw: Error, Equatable {
    var attempt: Int
}

/// Returns a program that fails in its first `failures` attempts and then succeeds. `count` counts the attempts.
private func attempts(
    _ count: Guarded<Int> = Guarded(0), failing failures: Int, as form: Form = .closure
) -> EnvIO<Void, Flaw, Int> {
    let attempt: @Sendable () throws(Flaw) -> Int = { () throws(Flaw) in
        let attempt = count.withLock { (count: inout Int) -> Int in
            count += 1
            return count
        }
        if attempt <= failures { throw Flaw(attempt: attempt) }
        return attempt
    }
    return switch form {
    case .closure: EnvIO { () throws(Flaw) in try attempt() }
    case .nodes:
        EnvIO<Void, Flaw, Void>.suspend { .pure(()) }.flatMap { EnvIO { () throws(Flaw) in try attempt() } }
    case .async: EnvIO { () async throws(Flaw) -> Int in try attempt() }
    }
}

/// The kind of steps that a program is made of.
enum Form: CaseIterable, Sendable {
    case closure, nodes, async
}

@Suite("Retrying", .timeLimit(.minutes(10)))
struct RetryTests {
    @Test func retriesAsOftenAsTheScheduleAllows() throws {
        #expect(try attempts(failing: 3).retry(.recurs(3)).runSync() == 4)
        #expect(try attempts(failing: 3, as: .nodes).retry(.recurs(3)).runSync() == 4)
        #expect(throws: Flaw(attempt: 3)) { try attempts(failing: 9).retry(.recurs(2)).runSync() }
        #expect(throws: Flaw(attempt: 3)) { try attempts(failing: 9, as: .nodes).retry(.recurs(2)).runSync() }
        #expect(throws: Flaw(attempt: 1)) { try attempts(failing: 9).retry(.recurs(0)).runSync() }
    }

    @Test func aSuccessIsNotRetried() throws {
        let count = Guarded(0)
        #expect(try attempts(count, failing: 0).retry(.forever).runSync() == 1)
        #expect(try attempts(count, failing: 0, as: .nodes).retry(.forever).runSync() == 2)
    }

    @Test func anAsyncProgramIsRetried() async throws {
        #expect(try await attempts(failing: 3, as: .async).retry(.recurs(3)).run() == 4)
        #expect(try await attempts(failing: 3, as: .async).map { $0 * 2 }.retry(.recurs(3)).run() == 8)
        #expect(await attempts(failing: 9, as: .async).retry(.recurs(3)).outcome() == .failure(Flaw(attempt: 4)))
    }

    @Test func nestedRetriesOfASynchronousProgramDoNotWait() throws {
        let twice = attempts(failing: 4).retry(.recurs(1))
        #expect(try twice.retry(.recurs(5)).runSync() == 5)
        #expect(try twice.repeat(.recurs(1)).retry(.recurs(5)).repeat(.recurs(0)).runSync() == 7)
    }

    @Test func aNestedRetryMayWait() async throws {
        let count = Guarded(0)
        let twice = attempts(count, failing: 4).retry(.recurs(1))
        #expect(try await twice.retry(.recurs(5)).run() == 5)
        #expect(count.withLock { $0 } == 5)
    }

    @Test func theScheduleIsAskedAboutEachFailure() throws {
        let seen = Record<Int>()
        let schedule = Schedule<Flaw>.forever.whileInput { failure in
            seen.append(failure.attempt)
            return failure.attempt < 3
        }
        #expect(throws: Flaw(attempt: 3)) { try attempts(failing: 9).retry(schedule).runSync() }
        #expect(seen.values == [1, 2, 3])
    }

    @Test func eachRunRestartsTheSchedule() throws {
        let program = EnvIO<Void, Flaw, Int>.suspend { attempts(failing: 2) }.retry(.recurs(1))
        #expect(throws: Flaw(attempt: 1)) { try program.runSync() }
        let count = Guarded(0)
        let counted = attempts(count, failing: .max).retry(.recurs(2))
        for run in 1...3 {
            #expect(throws: Flaw(attempt: 3 * run)) { try counted.runSync() }
        }
    }

    @Test func waitsOnTheClock() {
        let scheduler = VirtualScheduler()
        let times = Record<Duration>()
        let program = EnvIO<Void, Flaw, Void> { () throws(Flaw) in
            times.append(scheduler.clock.now.offset)
            throw Flaw(attempt: 0)
        }
        for form in [program, program.flatMap { .pure($0) }] {
            let start = scheduler.clock.now.offset
            let task = scheduler.start {
                await form.retry(.exponential(base: .seconds(1)) && .recurs(4), clock: scheduler.clock).outcome()
            }
            scheduler.advance(by: .seconds(20))
            #expect(times.values.suffix(5).map { $0 - start } == seconds(0, 1, 3, 7, 15))
            #expect(scheduler.clock.sleeperCount == 0)
            _ = task
        }
        #expect(times.values.count == 10)
    }

    @Test func theDurationOfAttemptsCountsTowardsTheLimit() throws {
        let scheduler = VirtualScheduler()
        let count = Guarded(0)
        let slow = EnvIO<Void, Flaw, Void>.sleep(for: .seconds(4), clock: scheduler.clock)
            .flatMap { attempts(count, failing: .max) }
        let program = slow.retry(.spaced(.seconds(1)).upTo(.seconds(10)), clock: scheduler.clock)
        for run in 1...2 {
            let end = try scheduler.run { await program.outcome() }
            // The attempts end at 4, 9 and 14 seconds. The third ends after the limit.
            #expect(end == .failure(Flaw(attempt: 3 * run)))
            #expect(scheduler.clock.now.offset == .seconds(14 * run))
        }
    }

    @Test func cancellationEndsTheWaitAndNoAttemptFollows() async throws {
        let scheduler = VirtualScheduler()
        let count = Guarded(0)
        let program = attempts(count, failing: .max).retry(.spaced(.seconds(9)), clock: scheduler.clock)
        let task = scheduler.start { await program.outcome() }
        scheduler.advance(by: .seconds(20))
        #expect(count.withLock { $0 } == 3)
        task.cancel()
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 0)
        #expect(count.withLock { $0 } == 3)
        #expect(try await task.value == .cancelled)
    }

    @Test(arguments: Form.allCases)
    func aCancelledRunIsNotRetried(_ form: Form) async {
        let count = Guarded(0)
        let program = attempts(count, failing: .max, as: form).mapError { failure in
            if failure.attempt == 7 { withUnsafeCurrentTask { $0?.cancel() } }
            return failure
        }
        let task = Task { await program.retry(.forever).outcome() }
        #expect(await task.value == .cancelled)
        #expect(count.withLock { $0 } == 7)
    }

    @Test func aRunCancelledInItsLastAttemptFailsWithTheLastFailure() async {
        let program = attempts(failing: .max).mapError { failure in
            if failure.attempt == 3 { withUnsafeCurrentTask { $0?.cancel() } }
            return failure
        }
        let task = Task { await program.retry(.recurs(2)).outcome() }
        #expect(await task.value == .failure(Flaw(attempt: 3)))
    }

    @Test func theFallbackReceivesTheLastFailure() throws {
        let program = attempts(failing: .max)
        #expect(try program.retry(.recurs(2), orElse: { .pure($0.attempt * 100) }).runSync() == 300)
        #expect(throws: Flaw(attempt: 500)) {
            try program.retry(.recurs(1), orElse: { .fail(Flaw(attempt: $0.attempt * 100)) }).runSync()
        }
        #expect(try attempts(failing: 0).retry(.recurs(2), orElse: { _ in .fail(Flaw(attempt: 0)) }).runSync() == 1)
    }

    @Test(.cases(1_000)) func retryEqualsHandlingEachFailure() async {
        await forAll(Gen.programPlan(), Gen.int(in: 0...3)) { plan, count in
            let program = plan.program
            let unfolded = (0..<count).reduce(program) { rest, _ in program.handleErrorWith { _ in rest } }
            let (retried, expected) = (await program.retry(.recurs(count)).trace(3), await unfolded.trace(3))
            #expect(retried == expected)
            // A program after the retry receives the original environment.
            let asked = await program.retry(.recurs(count)).attempt().setFailureType(to: ProgramFailure.self)
                .flatMap { _ in EnvIO.access { $0.number } }.trace(3)
            #expect(asked.outcome == .value(3))
        }
    }

    @Test("A cancelled run is not retried after an attempt that ignores cancellation")
    func notTriedAgain() async {
        let count = Guarded(0)
        let attempt = EnvIO<Void, Flaw, Int>.async { _, done in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 7 { withUnsafeCurrentTask { $0?.cancel() } }
            done(.failure(Flaw(attempt: number)))
        }
        let task = Task { await attempt.retry(.forever).outcome() }
        #expect(await task.value == .cancelled)
        #expect(count.withLock { $0 } == 7)
    }

    @Test func aWaitDuringAcquisitionIsNotCancelled() async throws {
        let scheduler = VirtualScheduler()
        let program = EnvIO<Void, Flaw, Int>.bracket(
            acquire: attempts(failing: 2).retry(.spaced(.seconds(1)), clock: scheduler.clock),
            release: { _ in .pure(()) },
            use: { .pure($0) }
        )
        let task = scheduler.start { await program.on(scheduler.executor).outcome() }
        scheduler.drain()
        task.cancel()
        scheduler.advance(by: .seconds(1))
        #expect(scheduler.clock.sleeperCount == 1)
        scheduler.advance(by: .seconds(1))
        #expect(try await task.value == .cancelled)
    }
}

@Suite("Repeating", .timeLimit(.minutes(10)))
struct RepeatTests {
    @Test func repeatsAsOftenAsTheScheduleAllows() throws {
        #expect(try attempts(failing: 0).repeat(.recurs(3)).runSync() == 4)
        #expect(try attempts(failing: 0, as: .nodes).repeat(.recurs(3)).runSync() == 4)
        #expect(try attempts(failing: 0).repeat(.forever.untilInput { $0 == 6 }).runSync() == 6)
        #expect(EnvIO<Void, Never, Int>.pure(5).repeat(.recurs(3)).runSync() == 5)
    }

    @Test func aFailureEndsTheRepetition() {
        let program = EnvIO<Void, Flaw, Int>.suspend { .fail(Flaw(attempt: 1)) }
        #expect(throws: Flaw(attempt: 1)) { try program.repeat(.forever).runSync() }
    }

    @Test func waitsOnTheClock() throws {
        let scheduler = VirtualScheduler()
        let times = Record<Duration>()
        let program = EnvIO<Void, Never, Void> { times.append(scheduler.clock.now.offset) }
        try scheduler.run {
            try await program.repeat(.spaced(.seconds(2)) && .recurs(3), clock: scheduler.clock).run()
        }
        #expect(times.values == seconds(0, 2, 4, 6))
    }

    @Test func endlessRepetitionCanBeCancelled() async {
        let count = Guarded(0)
        let program = EnvIO<Void, Never, Void> {
            let count = count.withLock { (count: inout Int) -> Int in
                count += 1
                return count
            }
            if count == 1_000 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        for form in [program, program.flatMap { .pure($0) }] {
            count.withLock { $0 = 0 }
            let task = Task { await form.repeat(.forever).as(0).outcome() }
            #expect(await task.value == .cancelled)
            #expect(count.withLock { $0 } == 1_000)
        }
    }
}

/// A million attempts, the synchronous ones on a stack of 512 KiB.
@Suite("Retrying: stack safety", .serialized, .timeLimit(.minutes(10)))
struct RetryStackSafetyTests {
    /// Counts attempts.
    ///
    /// Unchecked: a run makes its attempts one after the other, so one thread at a time accesses `count`. Concurrent
    /// attempts would race.
    private final class Counter: @unchecked Sendable {
        var count = 0

        func attempt() throws(Flaw) {
            count += 1
            throw Flaw(attempt: count)
        }
    }

    private static func failing(as form: Form) -> EnvIO<Counter, Flaw, Void> {
        switch form {
        case .closure: EnvIO { (counter: Counter) throws(Flaw) in try counter.attempt() }
        case .nodes: .suspend { EnvIO { (counter: Counter) throws(Flaw) in try counter.attempt() } }
        case .async: EnvIO { (counter: Counter) async throws(Flaw) in try counter.attempt() }
        }
    }

    @Test(arguments: [Form.closure, .nodes])
    func attemptsRunInConstantStack(_ form: Form) async {
        let count = await onSmallStack {
            let counter = Counter()
            try? Self.failing(as: form).retry(.recurs(manySteps)).runSync(counter)
            return counter.count
        }
        #expect(count == manySteps + 1)
    }

    @Test func repetitionsRunInConstantStack() async {
        let count = await onSmallStack {
            let counter = Counter()
            let program = Self.failing(as: .nodes).handleErrorWith { _ in EnvIO<Counter, Never, Void>.pure(()) }
            program.repeat(.recurs(manySteps)).runSync(counter)
            return counter.count
        }
        #expect(count == manySteps + 1)
    }

    @Test func asyncAttemptsRunInConstantStack() async {
        let counter = Counter()
        let outcome = await Self.failing(as: .async).retry(.recurs(manySteps)).as(0).outcome(counter)
        #expect(outcome == .failure(Flaw(attempt: manySteps + 1)))
    }
}
