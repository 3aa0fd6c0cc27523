import FunctionalCore
import PropertyTesting

extension EnvIOLaw {
    /// Returns the program of a law about cancellation or exit cases, and the run that the law expects of it.
    ///
    /// The expected behavior of the generated parts comes from ``ProgramPlan/model(_:_:)``, which does not use the
    /// library.
    ///
    /// - Returns: The program and the expected run, or `nil` if this law is an equation of two programs.
    func cancelling(
        _ sample: EnvIOSample, _ algebra: some EnvIOAlgebra, _ gate: Gate
    ) -> (program: GeneratedProgram, expected: CancelledRun)? {
        let parts = CancellingParts(sample: sample, algebra: algebra, gate: gate)
        return parts.onCancel(self) ?? parts.regions(self) ?? parts.exitCases(self) ?? parts.overlapping(self)
            ?? parts.fibers(self)
    }
}

/// Builds the programs of the laws about cancellation.
struct CancellingParts<Algebra: EnvIOAlgebra> {
    let sample: EnvIOSample
    let algebra: Algebra
    let gate: Gate

    typealias Run = (program: GeneratedProgram, expected: CancelledRun)
    typealias Step = EnvIO<ProgramWorld, ProgramFailure, Void>

    // MARK: - Programs

    var x: GeneratedProgram { sample.x.program }
    private var y: GeneratedProgram { sample.y.program }
    private var k: @Sendable (Int) -> GeneratedProgram { sample.continuation(sample.first) }
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

    /// The laws about programs that are cancelled while they wait, and about `onCancel`.
    func onCancel(_ law: EnvIOLaw) -> Run? {
        let (didX, didY) = (model(sample.x), model(sample.y))
        let next = sample.first(sample.number)
        switch law {
        case .cancelledWhileItWaits:
            let program = algebra.flatMap(x) { _ in never }
            switch didX.end {
            case .success: return (program, cancelled(didX.log, mark))
            case .failure(let failure): return (program, CancelledRun(outcome: .failure(failure), log: didX.log))
            }
        case .cancelledBeforeTheNext:
            return (algebra.flatMap(waiting, k), cancelled(didX.log, mark))
        case .cancellationIsNoFailure:
            return (algebra.handleErrorWith(waiting) { [k] in k($0.code) }, cancelled(didX.log, mark))
        case .cancelledAttempt:
            return (
                algebra.attempt(waiting).setFailureType().map { (try? $0.get()) ?? -1 }, cancelled(didX.log, mark)
            )
        case .cancelledAsync:
            let program = algebra.async { (world: ProgramWorld, _: @Sendable (Result<Int, ProgramFailure>) -> Void) in
                world.log.append("registered")
            }
            return (program, cancelled(["registered"], mark))
        case .onCancelRuns:
            return (algebra.onCancel(waiting, y.void), cancelled(didX.log, mark, didY.log))
        case .onCancelOrder:
            return (
                algebra.onCancel(algebra.onCancel(waiting, y.void), next.program.void),
                cancelled(didX.log, mark, didY.log, model(next).log)
            )
        case .onCancelIsNotCancelled:
            return (algebra.onCancel(waiting, uncut("finalizer")), cancelled(didX.log, mark, ["finalizer"]))
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
        case .onCancelInARegion: return (algebra.uncancellable { _ in algebra.onCancel(late, y) }, all)
        case .regionIsNotCancelled: return (algebra.uncancellable { _ in late }, all)
        case .innerPollOpensNothing:
            let (algebra, late) = (algebra, late)
            return (algebra.uncancellable { _ in algebra.uncancellable { poll in poll(late) } }, all)
        case .pollIsCancelled:
            let waiting = waiting
            return (
                algebra.uncancellable { poll in algebra.onCancel(poll(waiting), y) },
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
            return (algebra.guarantee(waiting, y.void), cancelled(didX.log, mark, didY.log))
        case .guaranteeCaseGetsTheOutcome: return (algebra.guaranteeCase(program) { noting(word($0)) }, ended)
        case .guaranteeCaseOnCancel: return (algebra.guaranteeCase(waiting) { noting(word($0)) }, stopped)
        case .releaseGetsTheOutcome:
            return (algebra.bracketCase(unit, release: { noting(word($1)) }, use: { _ in program }), ended)
        case .releaseOnCancel:
            let waiting = waiting
            return (algebra.bracketCase(unit, release: { noting(word($1)) }, use: { _ in waiting }), stopped)
        case .resourceReleaseGetsTheOutcome:
            return (algebra.resource(unit, releaseCase: { noting(word($1)) }, use: { _ in program }), used)
        case .resourceReleaseOnCancel:
            let waiting = waiting
            return (algebra.resource(unit, releaseCase: { noting(word($1)) }, use: { _ in waiting }), stopped)
        case .acquireIsNotCancelled:
            return (
                algebra.bracketCase(late(sample.x), release: { noting(word($1)) }, use: { [k] in k($0) }),
                cancelled(mark, didX.log, ["all of it", "outcome: cancelled"])
            )
        case .resourceAcquireIsNotCancelled:
            return (
                algebra.resource(late(sample.x), releaseCase: { noting(word($1)) }, use: { [k] in k($0) }),
                cancelled(mark, didX.log, ["all of it", "outcome: cancelled"])
            )
        case .finalizerIsNotCancelled:
            let succeeded = GeneratedProgram.pure(number)
            return (
                number % 2 == 0
                    ? algebra.guarantee(succeeded, release) : algebra.guaranteeCase(succeeded) { _ in release },
                released
            )
        case .releaseIsNotCancelled:
            return (
                algebra.bracketCase(unit, release: { _, _ in release }, use: { _ in .pure(number) }), released
            )
        case .resourceReleaseIsNotCancelled:
            return (
                algebra.resource(unit, releaseCase: { _, _ in release }, use: { _ in .pure(number) }), released
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
        let meeting = Meeting(of: 2)
        let meet = Step { (_: ProgramWorld) async throws(ProgramFailure) in await meeting.arrive() }
        let winner = meet.followed(by: x)
        let failing = meet.followed(by: x.attempt().setFailureType().flatMap { _ in GeneratedProgram.fail(failure) })
        let other = side("finalizer", after: meet)
        // Both sides write the same line, because the order of two sides that are cancelled together is not specified.
        let both = cancelled(mark, ["finalizer", "finalizer", "returned"])
        let failed = CancelledRun(outcome: .failure(failure), log: didX.log + ["finalizer", "returned"])
        switch law {
        case .raceLeft: return (algebra.race(x, never), alone(didX))
        case .raceRight: return (algebra.race(never, x), alone(didX))
        case .raceCancelsTheLoser:
            let race = isLeft ? algebra.race(winner, other) : algebra.race(other, winner)
            let end: Outcome<Int, ProgramFailure> = alone(didX).outcome ?? .cancelled
            return (returning(race), CancelledRun(outcome: end, log: didX.log + ["finalizer", "returned"]))
        case .cancelledRace: return (returning(algebra.race(other, other)), both)
        case .parZipCancelsTheOther:
            let pair =
                isLeft
                ? algebra.parZip(failing, other).map { $0.0 } : algebra.parZip(other, failing).map { $0.0 }
            return (returning(pair), failed)
        case .cancelledParZip: return (returning(algebra.parZip(other, other).map { $0.0 }), both)
        case .parSequenceCancelsTheOthers:
            let all = algebra.parSequence(isLeft ? [failing, other] : [other, failing], limit: nil)
            return (returning(all.map { $0[0] }), failed)
        case .parSequenceKeepsItsLimit:
            let start = Step { (world: ProgramWorld) throws(ProgramFailure) in world.log.append("started") }
            // The first program ends, and the others wait.
            let programs = [start.as(0)] + Array(repeating: start.followed(by: never), count: 4)
            let limit = sample.number % 4 == 0 ? nil : sample.number % 4
            let started = Array(repeating: "started", count: limit.map { $0 + 1 } ?? programs.count)
            return (algebra.parSequence(programs, limit: limit).map { $0[0] }, cancelled(started, mark))
        case .cancelledParSequence:
            return (returning(algebra.parSequence([other, other], limit: nil).map { $0[0] }), both)
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
