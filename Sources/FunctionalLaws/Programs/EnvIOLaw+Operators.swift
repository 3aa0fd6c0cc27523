import FunctionalCore
import VirtualTime

extension EnvIOLaw {
    /// Returns both sides of the equation of a derived operator, or `nil` if the law is not about one.
    func operatorSides(
        _ sample: EnvIOSample, _ algebra: some EnvIOAlgebra
    ) -> (GeneratedProgram, GeneratedProgram)? {
        let (x, y, number) = (sample.x.program, sample.y.program, sample.number)
        let (k, h) = (sample.continuation(sample.first), sample.continuation(sample.second))
        let failure = ProgramFailure(code: number)
        let double: @Sendable (Int) -> Int = { $0 &* 2 }
        let negate: @Sendable (ProgramFailure) -> Int = { -$0.code }
        let rename: @Sendable (ProgramFailure) -> ProgramFailure = { ProgramFailure(code: $0.code &+ number) }
        let pair: @Sendable (Int, Int) -> Int = { $0 &* 7 &+ $1 }
        switch self {
        case .sequenceIsZip:
            return (algebra.sequence([x, y]).map { pair($0[0], $0[1]) }, x.zip(y).map(pair))
        case .tapIsMap:
            return (
                .accessM { world in algebra.tap(x) { world.log.append("\($0)") } },
                .accessM { world in
                    x.map { value in
                        world.log.append("\(value)")
                        return value
                    }
                }
            )
        case .flatTapIsFlatMap: return (algebra.flatTap(x, k), x.flatMap { k($0).as($0) })
        case .whenIsAChoice:
            let isChosen = number % 2 == 0
            return (algebra.when(x, isChosen).as(1), isChosen ? x.as(1) : .pure(1))
        case .unlessIsWhen:
            let isChosen = number % 2 == 0
            return (algebra.unless(x, isChosen).as(1), algebra.when(x, !isChosen).as(1))
        case .foreverRepeats:
            let count = 1 + number % 3
            return (
                .suspend {
                    let turns = Locked(0)
                    let turn = GeneratedProgram { (_: ProgramWorld) throws(ProgramFailure) in
                        let turn = turns.withLock { turns in
                            turns += 1
                            return turns
                        }
                        if turn == count { throw failure }
                        return turn
                    }
                    return algebra.forever(x.followed(by: turn)).setValueType()
                },
                Array(repeating: x, count: count).traverse { $0 }.flatMap { _ in .fail(failure) }
            )
        case .timedIsMap:
            let clock = VirtualClock()
            let wait = GeneratedProgram { (_: ProgramWorld) throws(ProgramFailure) in
                clock.advance(by: .seconds(number))
                return number
            }
            let timed = algebra.timed(wait.followed(by: x), clock: clock)
            return (
                wait.followed(by: timed).map { pair(Int($0.duration.components.seconds), $0.value) },
                x.map { pair(number, $0) }
            )
        case .tapErrorIsMapError:
            return (
                .accessM { world in algebra.tapError(x) { world.log.append("\($0)") } },
                .accessM { world in
                    x.mapError { failure in
                        world.log.append("\(failure)")
                        return failure
                    }
                }
            )
        case .orElseIsHandleErrorWith: return (algebra.orElse(x, y), x.handleErrorWith { _ in y })
        case .redeemIsAttempt:
            return (
                algebra.redeem(x, recover: negate, map: double).setFailureType(),
                x.attempt().setFailureType().map { result in
                    switch result {
                    case .success(let value): double(value)
                    case .failure(let failure): negate(failure)
                    }
                }
            )
        case .redeemWithIsAttempt:
            return (
                algebra.redeemWith(x, recover: { h($0.code) }, bind: k),
                x.attempt().setFailureType().flatMap { result in
                    switch result {
                    case .success(let value): k(value)
                    case .failure(let failure): h(failure.code)
                    }
                }
            )
        case .bimapIsMapErrorAndMap: return (algebra.bimap(x, rename, double), x.mapError(rename).map(double))
        case .forkJoin: return (algebra.fork(x).flatMap { algebra.join($0) }, x)
        case .forkOutcome:
            return (
                algebra.fork(x).flatMap { $0.outcome() }.map { $0.folded },
                x.redeem(recover: negate, map: double).setFailureType()
            )
        case .backgroundJoin: return (algebra.background(x).use { algebra.join($0) }, x)
        case .memoizeRunsNothing: return (algebra.memoize(x).as(number), .pure(number))
        case .memoizeKeepsTheResult:
            return (algebra.memoize(x).flatMap { memo in memo.attempt().setFailureType().followed(by: memo) }, x)
        case .memoizeAtOnce:
            return (algebra.memoize(x).flatMap { memo in memo.parZip(memo).map(pair) }, x.map { pair($0, $0) })
        default: return nil
        }
    }
}

extension Outcome where Value == Int, Failure == ProgramFailure {
    /// The doubled value, or the negated code of the failure.
    fileprivate var folded: Int {
        switch self {
        case .value(let value): value &* 2
        case .failure(let failure): -failure.code
        case .cancelled: -1
        }
    }
}

extension CancellingParts {
    /// The laws about programs that repeat, are forked, or are memoized.
    func fibers(_ law: EnvIOLaw) -> Run? {
        let (algebra, number, x, never) = (algebra, sample.number, x, never)
        let didX = model(sample.x)
        // No side continues before both have started. A program that has not started has no finalizers.
        let meeting = Meeting(of: 2)
        let meet = Step { (_: ProgramWorld) async throws(ProgramFailure) in await meeting.arrive() }
        let other = side("finalizer", after: meet)
        let ended = CancelledRun(outcome: .value(number), log: ["finalizer", "returned"])
        let stopped = cancelled(mark, ["finalizer", "returned"])
        switch law {
        case .cancelledForever:
            return (algebra.forever(waiting).setValueType(), cancelled(didX.log, mark))
        case .forkRunsAtOnce:
            let signal = Deferred<Int>()
            let waiting = GeneratedProgram.value(of: signal).followed(by: x)
            let program = algebra.fork(waiting).flatMap { fiber in
                GeneratedProgram { _ in signal.complete(1) ? 1 : 0 }.followed(by: algebra.join(fiber))
            }
            return (program, alone(didX))
        case .forkIsNotCancelled:
            let program = algebra.fork(late(sample.x)).flatMap { _ in never }
            return (program, cancelled(mark, didX.log, ["all of it"]))
        case .fiberCancel:
            let program = algebra.fork(other).flatMap { fiber in meet.followed(by: algebra.cancel(fiber)).as(number) }
            return (returning(program), ended)
        case .cancelledJoin:
            let program = algebra.fork(late(sample.x)).flatMap { fiber in algebra.join(fiber) }
            return (returning(program), cancelled(mark, ["returned"], didX.log, ["all of it"]))
        case .backgroundEndsWithItsUse:
            return (returning(algebra.background(other).use { _ in meet.as(number) }), ended)
        case .cancelledBackground:
            return (returning(algebra.background(other).use { _ in meet.followed(by: never) }), stopped)
        case .cancelledMemoize:
            let memoized = algebra.memoize(side("finalizer", after: .pure(())))
            return (returning(memoized.flatten()), stopped)
        case .memoizeIsNotCancelled:
            let (started, signal) = (Deferred<Int>(), Deferred<Int>())
            let start = Step { _ in _ = started.complete(1) }
            let waiting = start.followed(by: GeneratedProgram.value(of: signal)).followed(by: x)
            let program = algebra.memoize(waiting).flatMap { memo in
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
