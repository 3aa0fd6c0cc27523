import FunctionalCore
import FunctionalLaws
import TestSupport

/// Operations on programs that break a law when a run is cancelled, or that call finalizers with a wrong exit case.
enum CancellationMutants {
    // MARK: - onCancel

    struct OnCancelRunsNothing: EnvIOAlgebra {
        func onCancel<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> { program }
    }

    struct OnCancelRunsTwice: EnvIOAlgebra {
        func onCancel<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> { program.onCancel(finalizer.followed(by: finalizer)) }
    }

    /// Runs the finalizer in a child task, and cancels that task.
    struct OnCancelCancelsItsFinalizer: EnvIOAlgebra {
        func onCancel<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> {
            let finalizer = Shared(finalizer)
            return program.onCancel(
                .accessM { world in
                    let world = Shared(world)
                    return EnvIO { _ async in
                        await withTaskGroup(of: Void.self) { group in
                            group.addTask { _ = await finalizer.value.outcome(world.value) }
                            group.cancelAll()
                        }
                    }
                })
        }
    }

    // MARK: - Exit cases

    struct GuaranteeSkipsCancellation: EnvIOAlgebra {
        func guarantee<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> {
            program.guaranteeCase { end in if case .cancelled = end { .pure(()) } else { finalizer } }
        }
    }

    /// Calls finalizers with an exit case that differs from the outcome of the program.
    struct WrongExitCase: EnvIOAlgebra {
        enum Mistake {
            case cancelledForFailed, completedForCancelled, failedForCompleted, failedForCancelled
        }

        let mistake: Mistake

        private func wrong<A, F: Error>(_ end: Outcome<A, F>) -> Outcome<A, F> {
            let value = (0 as? A) ?? (() as? A)
            let failure = ProgramFailure(code: 0) as? F
            switch (mistake, end) {
            case (.cancelledForFailed, .failure): return .cancelled
            case (.completedForCancelled, .cancelled): return value.map { .value($0) } ?? end
            case (.failedForCompleted, .value), (.failedForCancelled, .cancelled):
                return failure.map { .failure($0) } ?? end
            default: return end
            }
        }

        func bracketCase<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            .bracketCase(acquire: acquire, release: { release($0, wrong($1)) }, use: use)
        }

        func guaranteeCase<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> { program.guaranteeCase { finalizer(wrong($0)) } }

        func resource<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>,
            releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            Resource(acquire: acquire, releaseCase: { releaseCase($0, wrong($1)) }).use(use)
        }
    }

    struct ReleasesUnlessCancelled: EnvIOAlgebra {
        func bracketCase<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            .bracketCase(
                acquire: acquire,
                release: { resource, end in
                    if case .cancelled = end { .pure(()) } else { release(resource, end) }
                }, use: use)
        }
    }

    /// Loses the resource if the run is cancelled during the acquisition.
    struct AcquireIsNoRegion: EnvIOAlgebra {
        func bracketCase<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            acquire.flatMap { resource in
                let resource = Shared(resource)
                return use(resource.value).guaranteeCase { release(resource.value, $0) }
            }
        }
    }

    struct ReleaseIsNoRegion: EnvIOAlgebra {
        func bracketCase<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            acquire.uncancellable().flatMap { resource in
                let resource = Shared(resource)
                return use(resource.value).flatMap { value in
                    let value = Shared(value)
                    return release(resource.value, .value(value.value)).map { value.value }
                }
            }
        }
    }

    /// Finalizers run in each case, but those after a success or a failure can be cancelled.
    struct GuaranteeIsNoRegion: EnvIOAlgebra {
        func guaranteeCase<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
        ) -> EnvIO<E, F, A> { CancellationMutants.open(program, finalizer) }
    }

    struct ResourceAcquireIsNoRegion: EnvIOAlgebra {
        func resource<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>,
            releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            acquire.flatMap { value in
                let value = Shared(value)
                return Resource(acquire: EnvIO { _ in value.value }, releaseCase: releaseCase).use(use)
            }
        }
    }

    struct ResourceReleaseIsNoRegion: EnvIOAlgebra {
        func resource<E, F: Error, R, A>(
            _ acquire: EnvIO<E, F, R>,
            releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
            use: @escaping @Sendable (R) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            acquire.uncancellable().flatMap { resource in
                let resource = Shared(resource)
                return CancellationMutants.open(use(resource.value)) { end in
                    switch end {
                    case .value: releaseCase(resource.value, .value(()))
                    case .failure(let failure): releaseCase(resource.value, .failure(failure))
                    case .cancelled: releaseCase(resource.value, .cancelled)
                    }
                }
            }
        }
    }

    /// Runs `finalizer` for the outcome of `program`, without a region if `program` was not cancelled.
    fileprivate static func open<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A> {
        program.onCancel(.suspend { finalizer(.cancelled) }).attempt().setFailureType().flatMap { result in
            switch result {
            case .success(let value):
                let value = Shared(value)
                return finalizer(.value(value.value)).map { value.value }
            case .failure(let failure): return finalizer(.failure(failure)).flatMap { _ in .fail(failure) }
            }
        }
    }

    // MARK: - Regions

    struct RegionsAreOpen: EnvIOAlgebra {
        func uncancellable<E, F: Error, A>(
            _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> { .uncancellable { poll in poll(body(poll)) } }
    }

    struct PollOpensNothing: EnvIOAlgebra {
        func uncancellable<E, F: Error, A>(
            _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> { .uncancellable { _ in .uncancellable { poll in body(poll) } } }
    }

    /// Ignores nested regions, and passes them the poll of the outer region.
    struct InnerPollOpensTheOuterRegion: EnvIOAlgebra {
        let outer = Guarded<Poll?>(nil)

        func uncancellable<E, F: Error, A>(
            _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            if let poll = outer.withLock({ $0 }) { return body(poll) }
            return .uncancellable { [outer] poll in
                outer.withLock { $0 = poll }
                defer { outer.withLock { $0 = nil } }
                return body(poll)
            }
        }
    }

    struct SequencesAreRegions: EnvIOAlgebra {
        func flatMap<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
        ) -> EnvIO<E, F, B> { program.flatMap(next).uncancellable() }
    }

    struct CancellationIsHandled: EnvIOAlgebra {
        func handleErrorWith<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ handler: @escaping @Sendable (F) -> EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            let handled = program.handleErrorWith(handler)
            guard let failure = ProgramFailure(code: 0) as? F else { return handled }
            return handled.onCancel(handler(failure).void)
        }
    }

    struct AttemptsAreRegions: EnvIOAlgebra {
        func attempt<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, Never, Result<A, F>> {
            program.attempt().uncancellable()
        }
    }

    struct AsyncIsARegion: EnvIOAlgebra {
        func async<E, F: Error, A: Sendable>(
            _ register: @escaping @Sendable (E, @escaping @Sendable (Result<A, F>) -> Void) -> Void
        ) -> EnvIO<E, F, A> { EnvIO.async(callback: register).uncancellable() }
    }

    // MARK: - Parallel programs

    /// Waits until both programs have ended by themselves, and then returns the result of the left one.
    struct RaceWaitsForTheLoser: EnvIOAlgebra {
        func race<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            program.attempt().parZip(other.attempt()).setFailureType().flatMap { EnvIO($0.0) }
        }
    }

    /// Runs the other program in a separate task, which nothing cancels.
    struct RaceForgetsTheOther: EnvIOAlgebra {
        func race<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> {
            program.race(
                .async { world, done in
                    Task {
                        switch await other.outcome(world) {
                        case .value(let value): done(.success(value))
                        case .failure(let failure): done(.failure(failure))
                        case .cancelled: break
                        }
                    }
                })
        }
    }

    struct ParZipWaitsForTheOther: EnvIOAlgebra {
        func parZip<E: Sendable, F: Error, A: Sendable, B: Sendable>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
        ) -> EnvIO<E, F, (A, B)> {
            program.attempt().parZip(other.attempt()).setFailureType().flatMap { left, right in
                EnvIO(left).zip(EnvIO(right))
            }
        }
    }

    struct ParSequenceWaitsForTheOthers: EnvIOAlgebra {
        func parSequence<E: Sendable, F: Error, A: Sendable>(
            _ programs: [EnvIO<E, F, A>], limit: Int?
        ) -> EnvIO<E, F, [A]> {
            programs.map { $0.attempt() }.parSequence(limit: limit).setFailureType().flatMap { results in
                results.traverse { EnvIO($0) }
            }
        }
    }

    struct ParSequenceHasNoLimit: EnvIOAlgebra {
        func parSequence<E: Sendable, F: Error, A: Sendable>(
            _ programs: [EnvIO<E, F, A>], limit: Int?
        ) -> EnvIO<E, F, [A]> { programs.parSequence() }
    }

    struct ParSequenceRunsOneAtATime: EnvIOAlgebra {
        func parSequence<E: Sendable, F: Error, A: Sendable>(
            _ programs: [EnvIO<E, F, A>], limit: Int?
        ) -> EnvIO<E, F, [A]> { programs.parSequence(limit: limit == nil ? nil : 1) }
    }

    /// Protects parallel programs from cancellation.
    struct AtOnceIsARegion: EnvIOAlgebra {
        func race<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
        ) -> EnvIO<E, F, A> { program.race(other).uncancellable() }

        func parZip<E: Sendable, F: Error, A: Sendable, B: Sendable>(
            _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
        ) -> EnvIO<E, F, (A, B)> { program.parZip(other).uncancellable() }

        func parSequence<E: Sendable, F: Error, A: Sendable>(
            _ programs: [EnvIO<E, F, A>], limit: Int?
        ) -> EnvIO<E, F, [A]> { programs.parSequence(limit: limit).uncancellable() }
    }

    static var all: [Mutant] {
        [
            mutant(
                "whose onCancel runs nothing",
                [.onCancelRuns, .onCancelOrder, .onCancelIsNotCancelled, .pollIsCancelled], OnCancelRunsNothing()),
            mutant(
                "whose onCancel runs twice", [.onCancelRuns, .onCancelOrder, .onCancelIsNotCancelled],
                OnCancelRunsTwice()),
            mutant(
                "whose onCancel cancels its finalizer", [.onCancelIsNotCancelled], OnCancelCancelsItsFinalizer()),
            mutant("whose guarantee skips cancellation", [.guaranteeOnCancel], GuaranteeSkipsCancellation()),
            mutant(
                "whose exit case is cancelled for failures",
                [.guaranteeCaseGetsTheOutcome, .releaseGetsTheOutcome, .resourceReleaseGetsTheOutcome],
                WrongExitCase(mistake: .cancelledForFailed)),
            mutant(
                "whose exit case is completed for cancellation",
                [.guaranteeCaseOnCancel, .releaseOnCancel, .resourceReleaseOnCancel],
                WrongExitCase(mistake: .completedForCancelled)),
            mutant(
                "whose exit case is failed for completion", [.guaranteeCaseGetsTheOutcome, .releaseGetsTheOutcome],
                WrongExitCase(mistake: .failedForCompleted)),
            mutant(
                "whose exit case is failed for cancellation", [.guaranteeCaseOnCancel, .releaseOnCancel],
                WrongExitCase(mistake: .failedForCancelled)),
            mutant(
                "whose brackets do not release when cancelled", [.releaseOnCancel, .acquireIsNotCancelled],
                ReleasesUnlessCancelled()),
            mutant("whose acquire is cancelled", [.acquireIsNotCancelled], AcquireIsNoRegion()),
            mutant("whose release is cancelled", [.releaseIsNotCancelled], ReleaseIsNoRegion()),
            mutant(
                "whose finalizer is cancelled after a success", [.finalizerIsNotCancelled], GuaranteeIsNoRegion()),
            mutant(
                "whose resource's acquire is cancelled", [.resourceAcquireIsNotCancelled],
                ResourceAcquireIsNoRegion()),
            mutant(
                "whose resource's release is cancelled", [.resourceReleaseIsNotCancelled],
                ResourceReleaseIsNoRegion()),
            mutant(
                "whose inner poll opens the outer region", [.innerPollOpensNothing],
                InnerPollOpensTheOuterRegion()),
            mutant("whose regions are cancelled", [.onCancelInARegion, .regionIsNotCancelled], RegionsAreOpen()),
            mutant("whose poll opens nothing", [.pollIsCancelled], PollOpensNothing()),
            mutant(
                "whose flatMap is not cancelled", [.cancelledWhileItWaits, .cancelledBeforeTheNext],
                SequencesAreRegions()),
            mutant("whose handlers handle cancellation", [.cancellationIsNoFailure], CancellationIsHandled()),
            mutant("whose attempt is not cancelled", [.cancelledAttempt], AttemptsAreRegions()),
            mutant("whose async is not cancelled", [.cancelledAsync], AsyncIsARegion()),
            mutant(
                "whose race waits for the loser", [.raceLeft, .raceRight, .raceCancelsTheLoser],
                RaceWaitsForTheLoser()),
            mutant("whose race forgets the other", [.raceCancelsTheLoser, .cancelledRace], RaceForgetsTheOther()),
            mutant("whose parZip waits for the other", [.parZipCancelsTheOther], ParZipWaitsForTheOther()),
            mutant(
                "whose parSequence waits for the others", [.parSequenceCancelsTheOthers],
                ParSequenceWaitsForTheOthers()),
            mutant("whose parSequence has no limit", [.parSequenceKeepsItsLimit], ParSequenceHasNoLimit()),
            mutant(
                "whose parSequence runs one at a time", [.parSequenceKeepsItsLimit], ParSequenceRunsOneAtATime()),
            mutant(
                "whose race, parZip and parSequence are not cancelled",
                [.cancelledRace, .cancelledParZip, .cancelledParSequence], AtOnceIsARegion()),
        ]
    }

    private static func mutant(_ name: String, _ laws: Set<EnvIOLaw>, _ algebra: some EnvIOAlgebra) -> Mutant {
        Mutant("program \(name)", laws, among: ProgramMutants.tried(for: laws)) { $0.property(of: algebra) }
    }
}

/// A value that a step passes to the next step of the same run.
///
/// Unchecked: a run passes the value from step to step, so one thread at a time uses it. Concurrent uses would race.
private struct Shared<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
