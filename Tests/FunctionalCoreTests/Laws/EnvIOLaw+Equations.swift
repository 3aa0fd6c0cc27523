import FunctionalCore
import TestSupport
import VirtualTime

extension EnvIOLaw {
    /// Returns both sides of an equation for a sample, or `nil` if the law is another one.
    func equation(_ sample: EnvIOSample) -> (GeneratedProgram, GeneratedProgram)? {
        let (x, y, k, h, number) = (sample.x.program, sample.y.program, sample.k, sample.h, sample.number)
        let failure = ProgramFailure(code: number)
        let fail = GeneratedProgram.fail(failure)
        let double: @Sendable (Int) -> Int = { $0 &* 2 }
        let add: @Sendable (Int) -> Int = { $0 &+ number }
        let outer: @Sendable (ProgramWorld) -> ProgramWorld = { ProgramWorld(number: $0.number &+ number, log: $0.log) }
        let inner: @Sendable (ProgramWorld) -> ProgramWorld = { ProgramWorld(number: $0.number &* 3, log: $0.log) }
        let result: Result<Int, ProgramFailure> = number % 2 == 0 ? .success(number) : .failure(failure)
        let ask = EnvIO<ProgramWorld, ProgramFailure, ProgramWorld>.ask()
        switch self {
        case .mapIdentity: return (x.map { $0 }, x)
        case .mapComposition: return (x.map(double).map(add), x.map { add(double($0)) })
        case .void: return (x.void.as(1), x.map(double).void.as(1))
        case .asIsMap: return (x.as(number), x.map { _ in number })
        case .zipIsFlatMap: return (x.zip(y).map(pair), x.flatMap { a in y.map { pair(a, $0) } })
        case .leftIdentity: return (GeneratedProgram.pure(number).flatMap(k), k(number))
        case .rightIdentity: return (x.flatMap { .pure($0) }, x)
        case .associativity: return (x.flatMap(k).flatMap(h), x.flatMap { k($0).flatMap(h) })
        case .mapIsFlatMap: return (x.flatMap { .pure(double($0)) }, x.map(double))
        case .flatten: return (EnvIO<ProgramWorld, ProgramFailure, GeneratedProgram>.pure(x).flatten(), x)
        case .comprehension:
            let a = GeneratedProgram.var()
            return (binding(a <- x, yield: double(a.get)), x.map(double))
        case .followed: return (x.followed(by: y), x.flatMap { _ in y })
        case .traverseIsZip:
            return (
                [number, double(number)].traverse(k).map { pair($0[0], $0[1]) },
                k(number).zip(k(double(number))).map(pair)
            )
        case .traverseIsLazy:
            let noted: @Sendable (ProgramWorld, Int) -> GeneratedProgram = { world, element in
                world.log.append("called for \(element)")
                return k(element)
            }
            return (
                .accessM { world in
                    [number, double(number)].traverse { noted(world, $0) }.map { pair($0[0], $0[1]) }
                },
                .accessM { world in
                    noted(world, number).flatMap { a in noted(world, double(number)).map { pair(a, $0) } }
                }
            )
        case .raiseFlatMap: return (fail.flatMap(k), .raiseError(failure))
        case .raiseHandle: return (fail.handleErrorWith { k($0.code) }, k(number))
        case .pureHandle: return (GeneratedProgram.pure(number).handleErrorWith { k($0.code) }, .pure(number))
        case .handleIsHandleWith: return (x.handleError { $0.code }, x.handleErrorWith { .pure($0.code) })
        case .attemptFail: return (fail.attempt().folded, .pure(-number))
        case .attemptPure: return (GeneratedProgram.pure(number).attempt().folded, .pure(number))
        case .attemptRethrow: return (x.attempt().rethrow(), x)
        case .fromResult: return (GeneratedProgram(result), number % 2 == 0 ? .pure(number) : fail)
        case .throwingIsFail:
            return (GeneratedProgram { (_: ProgramWorld) throws(ProgramFailure) -> Int in throw failure }, fail)
        case .ensure:
            let isEven: @Sendable (Int) -> Bool = { $0 % 2 == 0 }
            return (
                x.ensure(isEven, otherwise: { ProgramFailure(code: $0) }),
                x.flatMap { isEven($0) ? .pure($0) : .fail(ProgramFailure(code: $0)) }
            )
        case .mapErrorFail:
            return (
                fail.mapError { ProgramFailure(code: double($0.code)) }, .fail(ProgramFailure(code: double(number)))
            )
        case .mapErrorIdentity: return (x.mapError { $0 }, x)
        case .failingZip: return (fail.zip(x).map(pair), fail)
        case .askTwice: return (ask.flatMap { _ in x }, x)
        case .accessIsAsk: return (.access { $0.number }, ask.map { $0.number })
        case .accessMIsAsk: return (.accessM { k($0.number) }, ask.flatMap { k($0.number) })
        case .localAsk: return (ask.contramap(outer).map { $0.number }, .access { outer($0).number })
        case .localPure: return (GeneratedProgram.pure(number).contramap(outer), .pure(number))
        case .localFlatMap:
            return (x.flatMap(k).contramap(outer), x.contramap(outer).flatMap { k($0).contramap(outer) })
        case .localIdentity: return (x.contramap { $0 }, x)
        case .localComposition: return (x.contramap(outer).contramap(inner), x.contramap { outer(inner($0)) })
        case .localStays:
            let local = x.contramap(outer)
            return (
                local.zip(.access { $0.number }).map(pair),
                .accessM { world in local.map { pair($0, world.number) } }
            )
        case .provide:
            // The provided world shares the log of the surrounding world, so that both sides write to the log that is
            // compared.
            return (
                .accessM { world in x.provide(outer(world)) },
                .accessM { world in x.contramap { _ in outer(world) } }
            )
        case .suspend: return (.suspend { x }, x)
        case .suspendIsLazy:
            let calls = Guarded(0)
            let suspended = GeneratedProgram.suspend {
                calls.withLock { $0 += 1 }
                return x
            }
            let early = calls.value
            return (
                suspended.ignored.followed(by: suspended.ignored)
                    .followed(by: .access { _ in calls.value &+ early &* 100 }),
                x.ignored.followed(by: x.ignored).as(2)
            )
        case .notMemoized: return (x.followed(by: x), x.flatMap { _ in x })
        case .bracketUnit: return (.bracket(acquire: x, release: { _ in .pure(()) }, use: k), x.flatMap(k))
        case .guaranteeIsBracket:
            return (
                x.guarantee(y.void), .bracket(acquire: .pure(()), release: { y.void }, use: { x })
            )
        case .bracketIsBracketCase:
            return (
                .bracketCase(acquire: x, release: { _, _ in y.void }, use: k),
                .bracket(acquire: x, release: { _ in y.void }, use: k)
            )
        case .resourceIsBracket:
            return (
                Resource(acquire: x, releaseCase: { _, _ in y.void }).use(k),
                .bracket(acquire: x, release: { _ in y.void }, use: k)
            )
        case .guaranteeIsGuaranteeCase: return (x.guarantee(y.void), x.guaranteeCase { _ in y.void })
        case .asyncIsResult:
            return (
                .async { world, done in
                    world.log.append("registered")
                    done(result)
                },
                EnvIO { world in world.log.append("registered") }.followed(by: EnvIO(result))
            )
        case .asyncOnce:
            return (
                .async { _, done in
                    done(result)
                    done(.success(number &+ 1))
                }, EnvIO(result)
            )
        case .cancelledFlatMap: return (GeneratedProgram.cancelled.flatMap(k), .cancelled)
        case .cancelledHandle: return (GeneratedProgram.cancelled.handleErrorWith { k($0.code) }, .cancelled)
        case .pollIsIdentity: return (.uncancellable { poll in poll(x) }, x)
        case .regionsNest:
            return (.uncancellable { _ in .uncancellable { poll in poll(x) } }, .uncancellable { _ in x })
        case .onCancelOfEnded: return (x.onCancel(y.void), x)
        case .parZipIsZip: return (x.apart.parZip(y.apart).told, x.apart.zip(y.apart).told)
        case .parZipCommutes: return (x.apart.parZip(y.apart).map { ($1, $0) }.told, y.apart.parZip(x.apart).told)
        case .parSequenceIsZip:
            return (
                [x.apart, y.apart].parSequence(limit: number % 3 == 0 ? nil : number % 3)
                    .map { ($0[0], $0[1]) }.told,
                x.apart.zip(y.apart).told
            )
        case .startIsOutcome: return (x, x.started)
        default: return nil
        }
    }

    /// Returns both sides of the equation of a derived operator, or `nil` if the law is not about one.
    func operatorEquation(_ sample: EnvIOSample) -> (GeneratedProgram, GeneratedProgram)? {
        let (x, y, k, number) = (sample.x.program, sample.y.program, sample.k, sample.number)
        let failure = ProgramFailure(code: number)
        let double: @Sendable (Int) -> Int = { $0 &* 2 }
        let negate: @Sendable (ProgramFailure) -> Int = { -$0.code }
        let rename: @Sendable (ProgramFailure) -> ProgramFailure = { ProgramFailure(code: $0.code &+ number) }
        switch self {
        case .sequenceIsZip: return ([x, y].sequence().map { pair($0[0], $0[1]) }, x.zip(y).map(pair))
        case .tapIsMap:
            return (
                .accessM { world in x.tap { world.log.append("\($0)") } },
                .accessM { world in
                    x.map { value in
                        world.log.append("\(value)")
                        return value
                    }
                }
            )
        case .flatTapIsFlatMap: return (x.flatTap(k), x.flatMap { k($0).as($0) })
        case .whenIsAChoice:
            let isChosen = number % 2 == 0
            return (x.when(isChosen).as(1), isChosen ? x.as(1) : .pure(1))
        case .unlessIsWhen:
            let isChosen = number % 2 == 0
            return (x.unless(isChosen).as(1), x.when(!isChosen).as(1))
        case .foreverRepeats:
            let count = 1 + number % 3
            return (
                .suspend {
                    let turns = Guarded(0)
                    let turn = GeneratedProgram { (_: ProgramWorld) throws(ProgramFailure) in
                        let turn = turns.withLock { turns in
                            turns += 1
                            return turns
                        }
                        if turn == count { throw failure }
                        return turn
                    }
                    return x.followed(by: turn).forever().setValueType()
                },
                Array(repeating: x, count: count).traverse { $0 }.flatMap { _ in .fail(failure) }
            )
        case .timedIsMap:
            let clock = VirtualClock()
            let wait = GeneratedProgram { (_: ProgramWorld) throws(ProgramFailure) in
                clock.advance(by: .seconds(number))
                return number
            }
            let timed = wait.followed(by: x).timed(clock: clock)
            return (
                wait.followed(by: timed).map { pair(Int($0.duration.components.seconds), $0.value) },
                x.map { pair(number, $0) }
            )
        case .tapErrorIsMapError:
            return (
                .accessM { world in x.tapError { world.log.append("\($0)") } },
                .accessM { world in
                    x.mapError { failure in
                        world.log.append("\(failure)")
                        return failure
                    }
                }
            )
        case .orElseIsHandleErrorWith: return (x.orElse(y), x.handleErrorWith { _ in y })
        case .bimapIsMapErrorAndMap: return (x.bimap(rename, double), x.mapError(rename).map(double))
        case .forkJoin: return (x.fork().flatMap { $0.join() }, x)
        case .forkOutcome:
            return (
                x.fork().flatMap { $0.outcome() }.map { outcome in
                    switch outcome {
                    case .value(let value): double(value)
                    case .failure(let failure): negate(failure)
                    case .cancelled: -1
                    }
                },
                x.map(double).handleError(negate)
            )
        case .backgroundJoin: return (x.background().use { $0.join() }, x)
        case .memoizeRunsNothing: return (x.memoize().as(number), .pure(number))
        case .memoizeKeepsTheResult:
            return (x.memoize().flatMap { memo in memo.attempt().setFailureType().followed(by: memo) }, x)
        case .memoizeAtOnce:
            return (x.memoize().flatMap { memo in memo.parZip(memo).map(pair) }, x.map { pair($0, $0) })
        default: return nil
        }
    }
}

/// Returns a number that depends on both numbers and their order.
private func pair(_ left: Int, _ right: Int) -> Int { left &* 7 &+ right }

extension EnvIO where Environment == ProgramWorld, Failure == Never, Value == Result<Int, ProgramFailure> {
    /// The value, or the negated code of the failure.
    fileprivate var folded: GeneratedProgram {
        setFailureType().map { result in
            switch result {
            case .success(let value): value
            case .failure(let failure): -failure.code
            }
        }
    }
}

extension GeneratedProgram {
    /// The same program without its value or failure.
    fileprivate var ignored: EnvIO<ProgramWorld, ProgramFailure, Void> { attempt().setFailureType().void }

    /// The same program, run by `start`.
    fileprivate var started: GeneratedProgram {
        GeneratedProgram { (world: ProgramWorld) async throws(ProgramFailure) -> Int in
            let outcome: Outcome<Int, ProgramFailure> =
                switch start(world, isolation: nil) {
                case .finished(let outcome): outcome
                case .waiting(let task): await task.value
                }
            switch outcome {
            case .value(let value): return value
            case .failure(let failure): throw failure
            case .cancelled: return -1
            }
        }
    }
}

/// The result and the lines of a program that had its own log.
private struct Part: Sendable {
    let result: Result<Int, ProgramFailure>
    let lines: [String]
}

extension GeneratedProgram {
    /// The same program in its own world and without failures, so that the lines of two programs do not mix.
    fileprivate var apart: EnvIO<ProgramWorld, ProgramFailure, Part> {
        .accessM { world in
            let own = ProgramWorld(number: world.number)
            return attempt().setFailureType().contramap { _ in own }.map { Part(result: $0, lines: own.log.lines) }
        }
    }
}

extension EnvIO where Environment == ProgramWorld, Failure == ProgramFailure, Value == (Part, Part) {
    /// Writes the lines and the result of the left part, and then those of the right part.
    fileprivate var told: GeneratedProgram {
        flatMap { left, right in
            GeneratedProgram { (world: ProgramWorld) throws(ProgramFailure) -> Int in
                for line in left.lines + ["\(left.result)"] + right.lines + ["\(right.result)"] {
                    world.log.append(line)
                }
                return left.lines.count
            }
        }
    }
}
