import FunctionalCore
import PropertyTesting
import TestSupport
import VirtualTime

/// Builds the programs of the laws about cancellation.
struct CancellingParts {
    let sample: EnvIOSample
    /// Opened after the cancellation of the run.
    let gate = Latch()

    typealias Run = (program: GeneratedProgram, expected: CancelledRun)
    typealias Step = EnvIO<ProgramWorld, ProgramFailure, Void>

    // MARK: - Programs

    var x: GeneratedProgram { sample.x.program }
    var y: GeneratedProgram { sample.y.program }
    private var k: @Sendable (Int) -> GeneratedProgram { sample.k }
    var never: GeneratedProgram { .never }

    /// `x`, followed by a wait that only cancellation ends. A failure of `x` is ignored.
    var waiting: GeneratedProgram {
        x.attempt().setFailureType().flatMap { _ in .never }
    }

    /// Waits until the gate is opened, which is after the cancellation of the run, and then runs `plan`.
    ///
    /// It writes a line at the end, which says whether the task was cancelled.
    func late(_ plan: ProgramPlan) -> GeneratedProgram {
        let (gate, program) = (gate, plan.program.attempt().setFailureType(to: ProgramFailure.self))
        let last = uncut("all of it")
        return Step { (_: ProgramWorld) async throws(ProgramFailure) in await gate.pass() }
            .followed(by: program.map { (try? $0.get()) ?? -1 })
            .flatMap { value in last.as(value) }
    }

    /// Suspends once, and then writes `line`. If the task is cancelled, the line says so.
    private func uncut(_ line: String) -> Step {
        Step { (world: ProgramWorld) async throws(ProgramFailure) in
            await Task.yield()
            world.log.append(Task.isCancelled ? "\(line), cut short" : line)
        }
    }

    /// Runs `start` and then waits. When it is cancelled, it suspends once and writes `line`.
    ///
    /// It uses the library's `guaranteeCase`, because the laws that use it are about other operations.
    func side(_ line: String, after start: Step) -> GeneratedProgram {
        let end = uncut(line)
        return start.followed(by: never).guaranteeCase { outcome in outcome == .cancelled ? end : .pure(()) }
    }

    private func noting(_ end: String) -> Step {
        Step { (world: ProgramWorld) throws(ProgramFailure) in world.log.append("outcome: \(end)") }
    }

    // MARK: - Expectations

    func model(_ plan: ProgramPlan) -> (end: Result<Int, ProgramFailure>, log: [String]) {
        var log: [String] = []
        let end = plan.model(sample.world, &log)
        return (end, log)
    }

    func cancelled(_ log: [String]...) -> CancelledRun {
        CancelledRun(outcome: .cancelled, log: log.flatMap { $0 })
    }

    let mark = [CancelledRun.mark]

    // MARK: - Laws

    /// Returns the program of a law about cancellation or exit cases, and the run that the law expects of it.
    ///
    /// The expected behavior of the generated parts comes from `ProgramPlan.model(_:_:)`, which does not use the
    /// library.
    func run(_ law: EnvIOLaw) -> Run? {
        onCancel(law) ?? regions(law) ?? exitCases(law) ?? overlapping(law) ?? fibers(law)
    }

    /// The laws about programs that are cancelled while they wait, and about `onCancel`.
    func onCancel(_ law: EnvIOLaw) -> Run? {
        let (didX, didY) = (model(sample.x), model(sample.y))
        let next = sample.first(sample.number)
        switch law {
        case .cancelledWhileItWaits:
            let program = x.flatMap { _ in never }
            switch didX.end {
            case .success: return (program, cancelled(didX.log, mark))
            case .failure(let failure): return (program, CancelledRun(outcome: .failure(failure), log: didX.log))
            }
        case .cancelledBeforeTheNext:
            return (waiting.flatMap(k), cancelled(didX.log, mark))
        case .cancellationIsNoFailure:
            return (waiting.handleErrorWith { [k] in k($0.code) }, cancelled(didX.log, mark))
        case .cancelledAttempt:
            return (
                waiting.attempt().setFailureType().map { (try? $0.get()) ?? -1 }, cancelled(didX.log, mark)
            )
        case .cancelledAsync:
            let program = GeneratedProgram.async {
                (world: ProgramWorld, _: @Sendable (Result<Int, ProgramFailure>) -> Void) in
                world.log.append("registered")
            }
            return (program, cancelled(["registered"], mark))
        case .onCancelRuns:
            return (waiting.onCancel(y.void), cancelled(didX.log, mark, didY.log))
        case .onCancelOrder:
            return (
                waiting.onCancel(y.void).onCancel(next.program.void),
                cancelled(didX.log, mark, didY.log, model(next).log)
            )
        case .onCancelIsNotCancelled:
            return (waiting.onCancel(uncut("finalizer")), cancelled(didX.log, mark, ["finalizer"]))
        default: return nil
        }
    }

    /// The laws about uncancellable regions.
    func regions(_ law: EnvIOLaw) -> Run? {
        let (didX, didY) = (model(sample.x), model(sample.y))
        let (late, y) = (late(sample.x), y.void)
        let all = CancelledRun(
            outcome: .value((try? didX.end.get()) ?? -1), log: mark + didX.log + ["all of it"])
        switch law {
        case .onCancelInARegion: return (.uncancellable { _ in late.onCancel(y) }, all)
        case .regionIsNotCancelled: return (.uncancellable { _ in late }, all)
        case .innerPollOpensNothing:
            return (.uncancellable { _ in .uncancellable { poll in poll(late) } }, all)
        case .pollIsCancelled:
            return (
                .uncancellable { poll in poll(waiting).onCancel(y) },
                cancelled(didX.log, mark, didY.log)
            )
        default: return nil
        }
    }

    /// The laws about finalizers and the outcomes that they receive.
    func exitCases(_ law: EnvIOLaw) -> Run? {
        let (didX, didY) = (model(sample.x), model(sample.y))
        // A program that ends in one of the three ways without being cancelled from outside.
        let isCancelled = sample.number % 3 == 0
        let program = isCancelled ? x.followed(by: .cancelled) : x
        let end: Outcome<Int, ProgramFailure>
        switch didX.end {
        case .failure(let failure): end = .failure(failure)
        case .success(let value): end = isCancelled ? .cancelled : .value(value)
        }
        let ended = CancelledRun(outcome: end, log: didX.log + ["outcome: \(word(end))"])
        // The release of a resource does not receive the value.
        let used = CancelledRun(outcome: end, log: didX.log + ["outcome: \(end.value == nil ? word(end) : "value")"])
        let stopped = cancelled(didX.log, mark, ["outcome: cancelled"])
        let unit = Step.pure(())
        // A finalizer during which the run is cancelled, after a success.
        let (release, number) = (late(sample.x).void, sample.number)
        let released = CancelledRun(outcome: .value(number), log: mark + didX.log + ["all of it"])
        switch law {
        case .guaranteeOnCancel:
            return (waiting.guarantee(y.void), cancelled(didX.log, mark, didY.log))
        case .guaranteeCaseGetsTheOutcome: return (program.guaranteeCase { noting(word($0)) }, ended)
        case .guaranteeCaseOnCancel: return (waiting.guaranteeCase { noting(word($0)) }, stopped)
        case .releaseGetsTheOutcome:
            return (.bracketCase(acquire: unit, release: { noting(word($1)) }, use: { _ in program }), ended)
        case .releaseOnCancel:
            return (.bracketCase(acquire: unit, release: { noting(word($1)) }, use: { _ in waiting }), stopped)
        case .resourceReleaseGetsTheOutcome:
            return (Resource(acquire: unit, releaseCase: { noting(word($1)) }).use { _ in program }, used)
        case .resourceReleaseOnCancel:
            return (Resource(acquire: unit, releaseCase: { noting(word($1)) }).use { _ in waiting }, stopped)
        case .acquireIsNotCancelled:
            return (
                .bracketCase(acquire: late(sample.x), release: { noting(word($1)) }, use: { [k] in k($0) }),
                cancelled(mark, didX.log, ["all of it", "outcome: cancelled"])
            )
        case .resourceAcquireIsNotCancelled:
            return (
                Resource(acquire: late(sample.x), releaseCase: { noting(word($1)) }).use { [k] in k($0) },
                cancelled(mark, didX.log, ["all of it", "outcome: cancelled"])
            )
        case .finalizerIsNotCancelled:
            let succeeded = GeneratedProgram.pure(number)
            return (
                number % 2 == 0
                    ? succeeded.guarantee(release) : succeeded.guaranteeCase { _ in release },
                released
            )
        case .releaseIsNotCancelled:
            return (
                .bracketCase(acquire: unit, release: { _, _ in release }, use: { _ in .pure(number) }), released
            )
        case .resourceReleaseIsNotCancelled:
            return (
                Resource(acquire: unit, releaseCase: { _, _ in release }).use { _ in .pure(number) }, released
            )
        default: return nil
        }
    }

    /// The laws about programs that run at once, of which one ends or all are cancelled.
    func overlapping(_ law: EnvIOLaw) -> Run? {
        let isLeft = sample.number % 2 == 0
        let didX = model(sample.x)
        let failure = ProgramFailure(code: sample.number)
        // Neither side continues before both have started. A program that has not started has no finalizers.
        let meeting = Latch(count: 2)
        let meet = Step { (_: ProgramWorld) async throws(ProgramFailure) in await meeting.arrive() }
        let winner = meet.followed(by: x)
        let failing = meet.followed(by: x.attempt().setFailureType().flatMap { _ in GeneratedProgram.fail(failure) })
        let other = side("finalizer", after: meet)
        // Both sides write the same line, because the order of two sides that are cancelled together is not specified.
        let both = cancelled(mark, ["finalizer", "finalizer", "returned"])
        let failed = CancelledRun(outcome: .failure(failure), log: didX.log + ["finalizer", "returned"])
        switch law {
        case .raceLeft: return (x.race(never), alone(didX))
        case .raceRight: return (never.race(x), alone(didX))
        case .raceCancelsTheLoser:
            let race = isLeft ? winner.race(other) : other.race(winner)
            let end: Outcome<Int, ProgramFailure> = alone(didX).outcome ?? .cancelled
            return (returning(race), CancelledRun(outcome: end, log: didX.log + ["finalizer", "returned"]))
        case .cancelledRace: return (returning(other.race(other)), both)
        case .parZipCancelsTheOther:
            let pair =
                isLeft
                ? failing.parZip(other).map { $0.0 } : other.parZip(failing).map { $0.0 }
            return (returning(pair), failed)
        case .cancelledParZip: return (returning(other.parZip(other).map { $0.0 }), both)
        case .parSequenceCancelsTheOthers:
            let all = (isLeft ? [failing, other] : [other, failing]).parSequence()
            return (returning(all.map { $0[0] }), failed)
        case .parSequenceKeepsItsLimit:
            let start = Step { (world: ProgramWorld) throws(ProgramFailure) in world.log.append("started") }
            // The first program ends, and the others wait.
            let programs = [start.as(0)] + Array(repeating: start.followed(by: never), count: 4)
            let limit = sample.number % 4 == 0 ? nil : sample.number % 4
            let started = Array(repeating: "started", count: limit.map { $0 + 1 } ?? programs.count)
            return (programs.parSequence(limit: limit).map { $0[0] }, cancelled(started, mark))
        case .cancelledParSequence:
            return (returning([other, other].parSequence().map { $0[0] }), both)
        default: return nil
        }
    }

    func alone(_ model: (end: Result<Int, ProgramFailure>, log: [String])) -> CancelledRun {
        switch model.end {
        case .success(let value): CancelledRun(outcome: .value(value), log: model.log)
        case .failure(let failure): CancelledRun(outcome: .failure(failure), log: model.log)
        }
    }

    /// Runs `program` and writes a line when it has returned. Uses the library's `guarantee`.
    func returning(_ program: GeneratedProgram) -> GeneratedProgram {
        program.guarantee(
            Step { (world: ProgramWorld) throws(ProgramFailure) in world.log.append("returned") })
    }
}

/// The text for an exit case.
private func word<Value, Failure: Error>(_ end: Outcome<Value, Failure>) -> String {
    switch end {
    case .value(let value): value is Void ? "value" : "value \(value)"
    case .failure(let failure): "failure \((failure as? ProgramFailure)?.code ?? -1)"
    case .cancelled: "cancelled"
    }
}

extension CancellingParts {
    /// The laws about programs that repeat, are forked, or are memoized.
    func fibers(_ law: EnvIOLaw) -> Run? {
        let (number, x, never) = (sample.number, x, never)
        let didX = model(sample.x)
        // No side continues before both have started. A program that has not started has no finalizers.
        let meeting = Latch(count: 2)
        let meet = Step { (_: ProgramWorld) async throws(ProgramFailure) in await meeting.arrive() }
        let other = side("finalizer", after: meet)
        let ended = CancelledRun(outcome: .value(number), log: ["finalizer", "returned"])
        let stopped = cancelled(mark, ["finalizer", "returned"])
        switch law {
        case .cancelledForever:
            return (waiting.forever().setValueType(), cancelled(didX.log, mark))
        case .forkRunsAtOnce:
            let signal = Deferred<Int>()
            let waiting = GeneratedProgram.value(of: signal).followed(by: x)
            let program = waiting.fork().flatMap { fiber in
                GeneratedProgram { _ in signal.complete(1) ? 1 : 0 }.followed(by: fiber.join())
            }
            return (program, alone(didX))
        case .forkIsNotCancelled:
            let program = late(sample.x).fork().flatMap { _ in never }
            return (program, cancelled(mark, didX.log, ["all of it"]))
        case .fiberCancel:
            let program = other.fork().flatMap { fiber in meet.followed(by: fiber.cancel()).as(number) }
            return (returning(program), ended)
        case .cancelledJoin:
            let program = late(sample.x).fork().flatMap { fiber in fiber.join() }
            return (returning(program), cancelled(mark, ["returned"], didX.log, ["all of it"]))
        case .backgroundEndsWithItsUse:
            return (returning(other.background().use { _ in meet.as(number) }), ended)
        case .cancelledBackground:
            return (returning(other.background().use { _ in meet.followed(by: never) }), stopped)
        case .cancelledMemoize:
            let memoized = side("finalizer", after: .pure(())).memoize()
            return (returning(memoized.flatten()), stopped)
        case .memoizeIsNotCancelled:
            let (started, signal) = (Deferred<Int>(), Deferred<Int>())
            let start = Step { _ in _ = started.complete(1) }
            let waiting = start.followed(by: GeneratedProgram.value(of: signal)).followed(by: x)
            let program = waiting.memoize().flatMap { memo in
                memo.fork().flatMap { first in
                    GeneratedProgram.value(of: started).followed(by: memo.fork()).flatMap { second in
                        first.cancel().map { _ = signal.complete(1) }.followed(by: second.join())
                    }
                }
            }
            return (program, alone(didX))
        default: return nil
        }
    }
}
