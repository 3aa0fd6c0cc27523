import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

@Suite("Laws: parallel programs and time", .cases(200), .timeLimit(.minutes(10)))
struct ConcurrencyLawTests {
    private static let seed = Gen.int(in: 0...999).map { UInt64($0) }

    @Test("RA1. A race against never equals the other program, on either side")
    func racingWithNever() async { await EnvIOLaw.check(.raceLeft, .raceRight) }

    @Test("RA2. The loser's resources are released before the race returns, in every order of events")
    func losersAreReleased() async {
        await forAll(Gen.programPlan(), Gen.programPlan(), Self.seed) { x, y, seed in
            func side(_ name: String, _ plan: ProgramPlan) -> GeneratedProgram {
                .bracket(
                    acquire: writing("open \(name)"), release: { waitingAndWriting("close \(name)") },
                    use: { plan.program })
            }
            let race = side("x", x).race(side("y", y)).guarantee(writing("returned"))
            let trace = try VirtualWorld(seed: seed).trace(of: race)
            #expect(trace.log.last == "returned")
            #expect(!trace.log.contains("cut short"))
            for name in ["x", "y"] {
                let opened = trace.log.count { $0 == "open \(name)" }
                #expect(opened <= 1 && trace.log.count { $0 == "close \(name)" } == opened)
            }
            let ends = try [x, y].map { try VirtualWorld().trace(of: $0.program).outcome }
            #expect(ends.contains(trace.outcome))
        }
    }

    @Test("RA3. The first failure ends the race, on either side, and releases the other's resources")
    func failing() async { await EnvIOLaw.check(.raceCancelsTheLoser) }

    @Test("RA3. Cancelling a race cancels both programs and waits until both have ended")
    func cancelling() async { await EnvIOLaw.check(.cancelledRace) }

    @Test("PA1. parZip equals zip for independent programs, in every order of events")
    func asInARow() async {
        await EnvIOLaw.parZipIsZip.check()
        await forAll(Gen.programPlan(), Gen.programPlan(), Self.seed) { x, y, seed in
            let ends = try [x, y].map { try VirtualWorld().trace(of: $0.program).outcome }
            let both = x.program.parZip(y.program).map { [$0, $1] }
            switch try VirtualWorld(seed: seed).trace(of: both).outcome {
            case .value(let values): #expect(values.map { .value($0) } == ends)
            case .failure(let failure): #expect(ends.contains(.failure(failure)))
            case .cancelled: Issue.record("The program ended as cancelled.")
            }
        }
    }

    @Test("PA2. parZip is commutative")
    func sides() async { await EnvIOLaw.check(.parZipCommutes) }

    @Test("PA3. parTraverse returns the values in order, for every limit and order of events")
    func inOrder() async {
        await EnvIOLaw.parSequenceIsZip.check()
        await forAll(Gen.programPlan().array(0...8), Gen.int(in: 1...9).optional, Self.seed) { plans, limit, seed in
            let program: @Sendable (ProgramPlan) -> EnvIO<ProgramWorld, ProgramFailure, String> = { plan in
                plan.program.attempt().setFailureType().map(\.word)
            }
            let ends = try plans.map { try VirtualWorld().trace(of: program($0)).outcome }
            let atOnce = try VirtualWorld(seed: seed).trace(of: plans.parTraverse(limit: limit, program)).outcome
            #expect(atOnce == .value(ends.compactMap { try? $0.get() }))
            #expect(try VirtualWorld(seed: seed).trace(of: plans.traverse(program)).outcome == atOnce)
        }
    }

    @Test("PA6. Whenever the run is cancelled, each acquired resource is released once before it returns")
    func cancelledAtAnyTime() async {
        await forAll(
            Gen.programPlan().array(0...5), Gen.int(in: 1...3).optional, Gen.zip(Gen.int(in: 0...30), Self.seed)
        ) { plans, limit, when in
            let all = plans.enumerated().map { $0 }.parTraverse(limit: limit) { index, plan in
                GeneratedProgram.bracket(
                    acquire: writing("open \(index)"), release: { waitingAndWriting("close \(index)") },
                    use: { plan.program })
            }
            .guarantee(writing("returned"))
            let log = try VirtualWorld(seed: when.1).trace(of: all, cancelledAfter: when.0).log
            let opened = names(after: "open ", in: log)
            #expect(Set(opened).count == opened.count)
            #expect(names(after: "close ", in: log).sorted() == opened.sorted())
            #expect(!log.contains("cut short"))
            if !log.isEmpty { #expect(log.last == "returned") }
        }
    }

    @Test("TI1. A sleep takes exactly its duration")
    func sleeping() async {
        await forAll(Gen.int(in: 0...9_999)) { length in
            let scheduler = VirtualScheduler()
            let now = EnvIO<Void, Never, VirtualClock.Instant> { scheduler.clock.now }
            let duration = Duration.milliseconds(length)
            let sleep = EnvIO<Void, Never, Void>.sleep(for: duration, clock: scheduler.clock)
            let (before, after) = try scheduler.run { try await now.zip(sleep.followed(by: now)).run() }
            #expect(after == before.advanced(by: duration))
        }
    }

    @Test("TI2. A race of two sleeps ends with the shorter, and parZip with the longer")
    func leastAndMost() async {
        await forAll(Gen.int(in: 0...99), Gen.int(in: 0...99)) { a, b in
            func elapsed(_ program: (VirtualClock) -> EnvIO<Void, Never, Void>) throws -> Duration {
                let scheduler = VirtualScheduler()
                let program = program(scheduler.clock)
                try scheduler.run { try await program.run() }
                return scheduler.clock.now.offset
            }
            @Sendable func sleep(_ length: Int, _ clock: VirtualClock) -> EnvIO<Void, Never, Void> {
                .sleep(for: .seconds(length), clock: clock)
            }
            let least = try elapsed { clock in sleep(a, clock).race(sleep(b, clock)) }
            let most = try elapsed { clock in sleep(a, clock).parZip(sleep(b, clock)).void }
            #expect(least == .seconds(min(a, b)))
            #expect(most == .seconds(max(a, b)))
        }
    }

    @Test("TI3. Time never goes back for any program")
    func forward() async {
        await forAll(Gen.int(in: 0...9).array(0...8), Gen.int(in: 1...4), Self.seed) { lengths, limit, seed in
            let scheduler = VirtualScheduler(seed: seed)
            let seen = Log()
            let program = lengths.parTraverse(limit: limit) { length in
                EnvIO<Void, Never, Void>.sleep(for: .seconds(length), clock: scheduler.clock)
                    .map { seen.append("\(scheduler.clock.now.offset.components.seconds)") }
            }
            _ = try scheduler.run { try await program.run() }
            let times = seen.lines.compactMap { Int($0) }
            #expect(times.count == lengths.count && times == times.sorted())
        }
    }
}

extension Result where Success == Int, Failure == ProgramFailure {
    /// The result as text, which the tests compare.
    fileprivate var word: String {
        switch self {
        case .success(let value): "\(value)"
        case .failure(let failure): "failure \(failure.code)"
        }
    }
}
