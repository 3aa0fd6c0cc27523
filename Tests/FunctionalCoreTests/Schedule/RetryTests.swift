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
        let attempt = count.increment()
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
    private let scheduler = VirtualScheduler()

    @Test(arguments: Form.allCases)
    func retriesAsOftenAsTheScheduleAllows(_ form: Form) async {
        let ends: [(failures: Int, schedule: Schedule<Flaw>, end: Outcome<Int, Flaw>)] = [
            (0, .forever, .value(1)), (3, .recurs(3), .value(4)), (9, .recurs(2), .failure(Flaw(attempt: 3))),
            (9, .recurs(0), .failure(Flaw(attempt: 1))),
        ]
        for (failures, schedule, end) in ends {
            #expect(await attempts(failing: failures, as: form).retry(schedule).outcome() == end)
            #expect(await attempts(failing: failures, as: form).map { $0 }.retry(schedule).outcome() == end)
            if form == .async { continue }
            let synchronous = Result { () throws(Flaw) in
                try attempts(failing: failures, as: form).retry(schedule).runSync()
            }
            #expect(Outcome(synchronous) == end)
        }
    }

    @Test func nestedRetriesOfASynchronousProgramDoNotWait() async throws {
        let twice = attempts(failing: 4).retry(.recurs(1))
        #expect(try twice.retry(.recurs(5)).runSync() == 5)
        #expect(try twice.repeat(.recurs(1)).retry(.recurs(5)).repeat(.recurs(0)).runSync() == 7)
        #expect(await attempts(failing: 4).retry(.recurs(1)).retry(.recurs(5)).outcome() == .value(5))
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
        let times = Record<Duration>()
        let program = EnvIO<Void, Flaw, Void> { () throws(Flaw) in
            times.append(scheduler.clock.now.offset)
            throw Flaw(attempt: 0)
        }
        for form in [program, program.flatMap { .pure($0) }] {
            let start = scheduler.clock.now.offset
            scheduler.start {
                await form.retry(.exponential(base: .seconds(1)) && .recurs(4), clock: scheduler.clock).outcome()
            }
            scheduler.advance(by: .seconds(20))
            #expect(times.values.suffix(5).map { $0 - start } == seconds(0, 1, 3, 7, 15))
            #expect(scheduler.clock.sleeperCount == 0)
        }
        #expect(times.values.count == 10)
    }

    @Test func theDurationOfAttemptsCountsTowardsTheLimit() throws {
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
        let count = Guarded(0)
        let program = attempts(count, failing: .max).retry(.spaced(.seconds(9)), clock: scheduler.clock)
        let task = scheduler.start { await program.outcome() }
        scheduler.advance(by: .seconds(20))
        #expect(count.value == 3)
        task.cancel()
        scheduler.drain()
        #expect(scheduler.clock.sleeperCount == 0)
        #expect(count.value == 3)
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
        #expect(count.value == 7)
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
            let number = count.increment()
            if number == 7 { withUnsafeCurrentTask { $0?.cancel() } }
            // A further attempt would end the run with a value.
            done(number > 7 ? .success(number) : .failure(Flaw(attempt: number)))
        }
        let task = Task { await attempt.retry(.forever).outcome() }
        #expect(await task.value == .cancelled)
        #expect(count.value == 7)
    }

    @Test func aWaitDuringAcquisitionIsNotCancelled() async throws {
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
    private let scheduler = VirtualScheduler()

    @Test func repeatsAsOftenAsTheScheduleAllows() throws {
        #expect(try attempts(failing: 0).repeat(.recurs(3)).runSync() == 4)
        #expect(try attempts(failing: 0, as: .nodes).repeat(.recurs(3)).runSync() == 4)
        #expect(try attempts(failing: 0).repeat(.forever.whileInput { $0 != 6 }).runSync() == 6)
        #expect(EnvIO<Void, Never, Int>.pure(5).repeat(.recurs(3)).runSync() == 5)
    }

    @Test func aFailureEndsTheRepetition() {
        let program = EnvIO<Void, Flaw, Int>.suspend { .fail(Flaw(attempt: 1)) }
        #expect(throws: Flaw(attempt: 1)) { try program.repeat(.forever).runSync() }
    }

    @Test func waitsOnTheClock() throws {
        let times = Record<Duration>()
        let program = EnvIO<Void, Never, Void> { times.append(scheduler.clock.now.offset) }
        try scheduler.run {
            try await program.repeat(.spaced(.seconds(2)) && .recurs(3), clock: scheduler.clock).run()
        }
        #expect(times.values == seconds(0, 2, 4, 6))
    }

    /// How long attempts take, in seconds, and when they start at a rate of one in ten seconds.
    static let rates: [(durations: [Int], starts: [Int])] = [
        ([1, 9, 0, 4], [0, 10, 20, 30, 40]),
        ([1, 25, 2, 1], [0, 10, 35, 40, 50]),
        ([10, 20, 1], [0, 10, 30, 40]),
        // Late attempts do not pile up, and one that is due while a late one runs starts after it.
        ([45, 7, 1, 1], [0, 45, 52, 60, 70]),
        ([12, 12, 12, 1], [0, 12, 24, 36, 40]),
    ]

    @Test("At a fixed rate, attempts start at multiples of the period, or at once if they are late", arguments: rates)
    func fixedRate(durations: [Int], starts: [Int]) throws {
        let clock = scheduler.clock
        let times = Record<Duration>()
        let program = EnvIO<Void, any Error, Void> { _ async throws in
            times.append(clock.now.offset)
            guard times.values.count <= durations.count else { return }
            try await clock.sleep(for: .seconds(durations[times.values.count - 1]))
        }
        let schedule = Schedule<Void>.fixedRate(.seconds(10)) && .recurs(durations.count)
        try scheduler.run { try await program.repeat(schedule, clock: clock).run() }
        #expect(times.values == starts.map { .seconds($0) })
    }

    @Test func endlessRepetitionCanBeCancelled() async {
        let count = Guarded(0)
        let program = EnvIO<Void, Never, Void> {
            if count.increment() == 1_000 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        for form in [program, program.flatMap { .pure($0) }] {
            count.value = 0
            let task = Task { await form.repeat(.forever).as(0).outcome() }
            #expect(await task.value == .cancelled)
            #expect(count.value == 1_000)
        }
    }
}
