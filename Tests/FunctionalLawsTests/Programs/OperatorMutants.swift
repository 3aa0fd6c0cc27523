import FunctionalCore
import FunctionalLaws
import TestSupport
import VirtualTime

/// Derived operators that break a law.
enum OperatorMutants {
    struct SequenceIsReversed: EnvIOAlgebra {
        func sequence<E, F: Error, A>(_ programs: [EnvIO<E, F, A>]) -> EnvIO<E, F, [A]> {
            programs.reversed().sequence()
        }
    }

    struct TapRunsTwice: EnvIOAlgebra {
        func tap<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ observe: @escaping @Sendable (A) -> Void
        ) -> EnvIO<E, F, A> { program.tap(observe).tap(observe) }
    }

    struct FlatTapForgetsTheSecond: EnvIOAlgebra {
        func flatTap<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
        ) -> EnvIO<E, F, A> { program }
    }

    struct FlatTapHidesFailures: EnvIOAlgebra {
        func flatTap<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
        ) -> EnvIO<E, F, A> { program.flatTap { next($0).attempt().setFailureType(to: F.self) } }
    }

    struct TapErrorObservesNothing: EnvIOAlgebra {
        func tapError<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, _ observe: @escaping @Sendable (F) -> Void
        ) -> EnvIO<E, F, A> { program }
    }

    struct OrElseRunsAlways: EnvIOAlgebra {
        func orElse<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>) -> EnvIO<E, F, A> {
            program.orElse(other).followed(by: other)
        }
    }

    struct RedeemRunsTwice: EnvIOAlgebra {
        func redeem<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, recover: @escaping @Sendable (F) -> B,
            map transform: @escaping @Sendable (A) -> B
        ) -> EnvIO<E, Never, B> {
            program.attempt().followed(by: program.redeem(recover: recover, map: transform))
        }
    }

    /// Passes a failure of the program that `bind` returns to `recover`.
    struct RedeemWithHandlesTheSecond: EnvIOAlgebra {
        func redeemWith<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, recover: @escaping @Sendable (F) -> EnvIO<E, F, B>,
            bind: @escaping @Sendable (A) -> EnvIO<E, F, B>
        ) -> EnvIO<E, F, B> { program.flatMap(bind).handleErrorWith(recover) }
    }

    struct BimapForgetsTheFailure: EnvIOAlgebra {
        func bimap<E, F: Error, A, B>(
            _ program: EnvIO<E, F, A>, _ transformFailure: @escaping @Sendable (F) -> F,
            _ transform: @escaping @Sendable (A) -> B
        ) -> EnvIO<E, F, B> { program.map(transform) }
    }

    struct WhenIsInverted: EnvIOAlgebra {
        func when<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ condition: Bool) -> EnvIO<E, F, Void> {
            program.unless(condition)
        }
    }

    struct ForeverRunsOnce: EnvIOAlgebra {
        func forever<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Never> {
            program.followed(by: .cancelled)
        }
    }

    struct ForeverIsARegion: EnvIOAlgebra {
        func forever<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Never> {
            program.forever().uncancellable()
        }
    }

    /// Measures the time since the program was created.
    struct TimedStartsEarly: EnvIOAlgebra {
        func timed<E, F: Error, A>(
            _ program: EnvIO<E, F, A>, clock: VirtualClock
        ) -> EnvIO<E, F, (duration: Duration, value: A)> {
            let start = clock.now
            return program.map { (start.duration(to: clock.now), $0) }
        }
    }

    // MARK: - Fibers

    struct ForkStartsNothing: EnvIOAlgebra {
        func fork<E: Sendable, F: Error, A: Sendable>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Fiber<A, F>> {
            EnvIO<E, F, A>.cancelled.fork()
        }
    }

    struct ForkWaits: EnvIOAlgebra {
        func fork<E: Sendable, F: Error, A: Sendable>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Fiber<A, F>> {
            program.fork().flatTap { $0.outcome() }
        }
    }

    /// Cancels the fiber if a run that waits for it is cancelled.
    struct JoinCancels: EnvIOAlgebra {
        func join<E: Sendable, F: Error, A: Sendable>(_ fiber: Fiber<A, F>) -> EnvIO<E, F, A> {
            fiber.join().onCancel(fiber.cancel())
        }
    }

    struct JoinIsARegion: EnvIOAlgebra {
        func join<E: Sendable, F: Error, A: Sendable>(_ fiber: Fiber<A, F>) -> EnvIO<E, F, A> {
            fiber.join().uncancellable()
        }
    }

    struct CancelDoesNotWait: EnvIOAlgebra {
        func cancel<E: Sendable, F: Error, A: Sendable>(_ fiber: Fiber<A, F>) -> EnvIO<E, F, Void> {
            EnvIO<E, F, Void>.suspend { fiber.cancel() }.fork().void
        }
    }

    struct BackgroundDoesNotWait: EnvIOAlgebra {
        func background<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>
        ) -> Resource<E, F, Fiber<A, F>> { OperatorMutants.background(program) }
    }

    struct BackgroundStartsNothing: EnvIOAlgebra {
        func background<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>
        ) -> Resource<E, F, Fiber<A, F>> { EnvIO<E, F, A>.cancelled.background() }
    }

    /// Starts `program` as `background` does. Its release cancels the fiber without waiting for it.
    private static func background<E: Sendable, F: Error, A: Sendable>(
        _ program: EnvIO<E, F, A>
    ) -> Resource<E, F, Fiber<A, F>> {
        Resource(
            acquire: program.fork(),
            release: { fiber in EnvIO<E, F, Void>.suspend { fiber.cancel() }.fork().void })
    }

    // MARK: - Memoizing

    struct MemoizeIsEager: EnvIOAlgebra {
        func memoize<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>
        ) -> EnvIO<E, F, EnvIO<E, F, A>> { program.map { .pure($0) } }
    }

    struct MemoizeForgetsTheResult: EnvIOAlgebra {
        func memoize<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>
        ) -> EnvIO<E, F, EnvIO<E, F, A>> { .pure(program) }
    }

    /// Keeps values, and runs a program that has failed again.
    struct MemoizeForgetsFailures: EnvIOAlgebra {
        func memoize<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>
        ) -> EnvIO<E, F, EnvIO<E, F, A>> {
            .access { _ in
                let value = Guarded<A?>(nil)
                return .suspend {
                    if let value = value.value { return .pure(value) }
                    return program.tap { value.value = $0 }
                }
            }
        }
    }

    /// Computes the result as a part of the first run, whose cancellation cancels the others.
    struct MemoizeIsCancelledWithTheFirst: EnvIOAlgebra {
        func memoize<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>
        ) -> EnvIO<E, F, EnvIO<E, F, A>> {
            .access { _ in
                let (hasStarted, end) = (Guarded(false), Deferred<Outcome<A, F>>())
                let first = program.guaranteeCase { outcome in .access { _ in end.complete(outcome) } }
                return .suspend {
                    let isFirst = hasStarted.withLock { hasStarted in
                        defer { hasStarted = true }
                        return !hasStarted
                    }
                    if isFirst { return first }
                    return EnvIO<E, F, Outcome<A, F>>.value(of: end).flatMap { outcome in
                        switch outcome {
                        case .value(let value): .pure(value)
                        case .failure(let failure): .fail(failure)
                        case .cancelled: .cancelled
                        }
                    }
                }
            }
        }
    }

    struct MemoizeDoesNotWaitForTheCancelled: EnvIOAlgebra {
        func memoize<E: Sendable, F: Error, A: Sendable>(
            _ program: EnvIO<E, F, A>
        ) -> EnvIO<E, F, EnvIO<E, F, A>> { .pure(OperatorMutants.background(program).use { $0.join() }) }
    }

    static var all: [Mutant] {
        [
            mutant("whose sequence is reversed", [.sequenceIsZip], SequenceIsReversed()),
            mutant("whose tap observes twice", [.tapIsMap], TapRunsTwice()),
            mutant("whose flatTap forgets the second", [.flatTapIsFlatMap], FlatTapForgetsTheSecond()),
            mutant("whose flatTap hides failures", [.flatTapIsFlatMap], FlatTapHidesFailures()),
            mutant("whose tapError observes nothing", [.tapErrorIsMapError], TapErrorObservesNothing()),
            mutant("whose orElse runs always", [.orElseIsHandleErrorWith], OrElseRunsAlways()),
            mutant("whose redeem runs twice", [.redeemIsAttempt], RedeemRunsTwice()),
            mutant("whose redeemWith handles the second", [.redeemWithIsAttempt], RedeemWithHandlesTheSecond()),
            mutant("whose bimap forgets the failure", [.bimapIsMapErrorAndMap], BimapForgetsTheFailure()),
            mutant("whose when is inverted", [.whenIsAChoice, .unlessIsWhen], WhenIsInverted()),
            mutant("whose forever runs once", [.foreverRepeats], ForeverRunsOnce()),
            mutant("whose forever is not cancelled", [.cancelledForever], ForeverIsARegion()),
            mutant("whose timed starts early", [.timedIsMap], TimedStartsEarly()),
            mutant("whose fork starts nothing", [.forkJoin, .forkOutcome, .forkIsNotCancelled], ForkStartsNothing()),
            mutant("whose fork waits", [.forkRunsAtOnce], ForkWaits()),
            mutant("whose join cancels", [.cancelledJoin], JoinCancels()),
            mutant("whose join is not cancelled", [.cancelledJoin], JoinIsARegion()),
            mutant("whose cancel does not wait", [.fiberCancel], CancelDoesNotWait()),
            mutant(
                "whose background does not wait", [.backgroundEndsWithItsUse, .cancelledBackground],
                BackgroundDoesNotWait()),
            mutant("whose background starts nothing", [.backgroundJoin], BackgroundStartsNothing()),
            mutant("whose memoize is eager", [.memoizeRunsNothing], MemoizeIsEager()),
            mutant(
                "whose memoize forgets the result", [.memoizeKeepsTheResult, .memoizeAtOnce],
                MemoizeForgetsTheResult()),
            mutant("whose memoize forgets failures", [.memoizeKeepsTheResult], MemoizeForgetsFailures()),
            mutant(
                "whose memoize is cancelled with the first run", [.memoizeIsNotCancelled],
                MemoizeIsCancelledWithTheFirst()),
            mutant(
                "whose memoize does not wait for the cancelled", [.cancelledMemoize],
                MemoizeDoesNotWaitForTheCancelled()),
        ]
    }

    private static func mutant(_ name: String, _ laws: Set<EnvIOLaw>, _ algebra: some EnvIOAlgebra) -> Mutant {
        Mutant("program \(name)", laws, among: EnvIOLaw.allCases.filter(laws.contains)) { $0.property(of: algebra) }
    }
}
