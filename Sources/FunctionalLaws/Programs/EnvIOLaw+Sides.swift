import FunctionalCore
import PropertyTesting
import VirtualTime

extension EnvIOLaw {
    /// Returns both sides of the equation for a sample, or `nil` if ``cancelling(_:_:_:)`` has the program of this law.
    func sides(_ sample: EnvIOSample, _ algebra: some EnvIOAlgebra) -> (GeneratedProgram, GeneratedProgram)? {
        let (x, y, number) = (sample.x.program, sample.y.program, sample.number)
        let (k, h) = (sample.continuation(sample.first), sample.continuation(sample.second))
        let failure = ProgramFailure(code: number)
        let double: @Sendable (Int) -> Int = { $0 &* 2 }
        let add: @Sendable (Int) -> Int = { $0 &+ number }
        let outer: @Sendable (ProgramWorld) -> ProgramWorld = { ProgramWorld(number: $0.number &+ number, log: $0.log) }
        let inner: @Sendable (ProgramWorld) -> ProgramWorld = { ProgramWorld(number: $0.number &* 3, log: $0.log) }
        let result: Result<Int, ProgramFailure> = number % 2 == 0 ? .success(number) : .failure(failure)
        let ask = EnvIO<ProgramWorld, ProgramFailure, ProgramWorld>.ask()
        let pair: @Sendable (Int, Int) -> Int = { $0 &* 7 &+ $1 }
        switch self {
        case .mapIdentity: return (algebra.map(x) { $0 }, x)
        case .mapComposition: return (algebra.map(algebra.map(x, double), add), algebra.map(x) { add(double($0)) })
        case .void: return (x.void.as(1), algebra.map(x, double).void.as(1))
        case .asIsMap: return (x.as(number), algebra.map(x) { _ in number })
        case .zipIsFlatMap: return (algebra.zip(x, y).map(pair), algebra.flatMap(x) { a in y.map { pair(a, $0) } })
        case .leftIdentity: return (algebra.flatMap(algebra.pure(number), k), k(number))
        case .rightIdentity: return (algebra.flatMap(x) { algebra.pure($0) }, x)
        case .associativity:
            return (algebra.flatMap(algebra.flatMap(x, k), h), algebra.flatMap(x) { algebra.flatMap(k($0), h) })
        case .mapIsFlatMap: return (algebra.flatMap(x) { algebra.pure(double($0)) }, algebra.map(x, double))
        case .flatten: return (algebra.pure(x).flatten(), x)
        case .comprehension:
            let a = GeneratedProgram.var()
            return (binding(a <- x, yield: double(a.get)), algebra.map(x, double))
        case .followed: return (x.followed(by: y), algebra.flatMap(x) { _ in y })
        case .traverseIsZip:
            return (
                algebra.traverse([number, double(number)], k).map { pair($0[0], $0[1]) },
                k(number).zip(k(double(number))).map(pair)
            )
        case .traverseIsLazy:
            let noted: @Sendable (ProgramWorld, Int) -> GeneratedProgram = { world, element in
                world.log.append("called for \(element)")
                return k(element)
            }
            return (
                .accessM { world in
                    algebra.traverse([number, double(number)]) { noted(world, $0) }.map { pair($0[0], $0[1]) }
                },
                .accessM { world in
                    noted(world, number).flatMap { a in noted(world, double(number)).map { pair(a, $0) } }
                }
            )
        case .raiseFlatMap: return (algebra.flatMap(algebra.fail(failure), k), .fail(failure))
        case .raiseHandle:
            return (algebra.handleErrorWith(algebra.fail(failure)) { k($0.code) }, k(number))
        case .pureHandle: return (algebra.handleErrorWith(algebra.pure(number)) { k($0.code) }, .pure(number))
        case .handleIsHandleWith:
            return (x.handleError { $0.code }, algebra.handleErrorWith(x) { .pure($0.code) })
        case .attemptFail: return (algebra.attempt(algebra.fail(failure) as GeneratedProgram).folded, .pure(-number))
        case .attemptPure: return (algebra.attempt(algebra.pure(number) as GeneratedProgram).folded, .pure(number))
        case .attemptRethrow: return (algebra.attempt(x).rethrow(), x)
        case .fromResult:
            return (GeneratedProgram(result), number % 2 == 0 ? algebra.pure(number) : algebra.fail(failure))
        case .throwingIsFail:
            return (
                GeneratedProgram { (_: ProgramWorld) throws(ProgramFailure) -> Int in throw failure },
                algebra.fail(failure)
            )
        case .ensure:
            let isEven: @Sendable (Int) -> Bool = { $0 % 2 == 0 }
            return (
                x.ensure(isEven, otherwise: { ProgramFailure(code: $0) }),
                algebra.flatMap(x) { isEven($0) ? .pure($0) : .fail(ProgramFailure(code: $0)) }
            )
        case .mapErrorFail:
            return (
                algebra.mapError(algebra.fail(failure)) { ProgramFailure(code: double($0.code)) },
                .fail(ProgramFailure(code: double(number)))
            )
        case .mapErrorIdentity: return (algebra.mapError(x) { $0 }, x)
        case .failingZip: return (algebra.zip(algebra.fail(failure), x).map(pair), .fail(failure))
        case .askTwice: return (algebra.flatMap(ask) { _ in x }, x)
        case .accessIsAsk: return (.access { $0.number }, algebra.map(ask) { $0.number })
        case .accessMIsAsk: return (.accessM { k($0.number) }, algebra.flatMap(ask) { k($0.number) })
        case .localAsk: return (algebra.contramap(ask, outer).map { $0.number }, .access { outer($0).number })
        case .localPure: return (algebra.contramap(algebra.pure(number), outer), .pure(number))
        case .localFlatMap:
            return (
                algebra.contramap(x.flatMap(k), outer),
                algebra.contramap(x, outer).flatMap { algebra.contramap(k($0), outer) }
            )
        case .localIdentity: return (algebra.contramap(x) { $0 }, x)
        case .localComposition:
            return (algebra.contramap(algebra.contramap(x, outer), inner), algebra.contramap(x) { outer(inner($0)) })
        case .localStays:
            let local = algebra.contramap(x, outer)
            return (
                algebra.zip(local, .access { $0.number }).map(pair),
                .accessM { world in algebra.map(local) { pair($0, world.number) } }
            )
        case .provide:
            // The provided world shares the log of the surrounding world, so that both sides write to the log that is
            // compared.
            return (
                .accessM { world in x.provide(outer(world)) },
                .accessM { world in algebra.contramap(x) { _ in outer(world) } }
            )
        case .suspend: return (algebra.suspend { x }, x)
        case .suspendIsLazy:
            let calls = Locked(0)
            let suspended = algebra.suspend {
                calls.withLock { $0 += 1 }
                return x
            }
            let early = calls.withLock { $0 }
            return (
                suspended.ignored.followed(by: suspended.ignored)
                    .followed(by: .access { _ in calls.withLock { $0 } &+ early &* 100 }),
                x.ignored.followed(by: x.ignored).as(2)
            )
        case .notMemoized: return (x.followed(by: x), algebra.flatMap(x) { _ in x })
        case .bracketUnit: return (.bracket(acquire: x, release: { _ in .pure(()) }, use: k), algebra.flatMap(x, k))
        case .guaranteeIsBracket:
            return (
                algebra.guarantee(x, y.void),
                .bracket(acquire: algebra.pure(()), release: { y.void }, use: { x })
            )
        case .bracketIsBracketCase:
            return (
                algebra.bracketCase(x, release: { _, _ in y.void }, use: k),
                .bracket(acquire: x, release: { _ in y.void }, use: k)
            )
        case .resourceIsBracket:
            return (
                algebra.resource(x, releaseCase: { _, _ in y.void }, use: k),
                .bracket(acquire: x, release: { _ in y.void }, use: k)
            )
        case .guaranteeIsGuaranteeCase:
            return (algebra.guarantee(x, y.void), algebra.guaranteeCase(x) { _ in y.void })
        case .asyncIsResult:
            return (
                algebra.async { world, done in
                    world.log.append("registered")
                    done(result)
                },
                EnvIO { world in world.log.append("registered") }.followed(by: EnvIO(result))
            )
        case .asyncOnce:
            return (
                algebra.async { _, done in
                    done(result)
                    done(.success(number &+ 1))
                }, EnvIO(result)
            )
        case .cancelledFlatMap: return (algebra.flatMap(algebra.cancelled(), k), .cancelled)
        case .cancelledHandle:
            return (algebra.handleErrorWith(algebra.cancelled()) { k($0.code) }, .cancelled)
        case .pollIsIdentity: return (algebra.uncancellable { poll in poll(x) }, x)
        case .regionsNest:
            return (
                algebra.uncancellable { _ in algebra.uncancellable { poll in poll(x) } },
                GeneratedProgram.uncancellable { _ in x }
            )
        case .onCancelOfEnded: return (algebra.onCancel(x, y.void), x)
        case .parZipIsZip: return (algebra.parZip(x.apart, y.apart).told, x.apart.zip(y.apart).told)
        case .parZipCommutes:
            return (
                algebra.parZip(x.apart, y.apart).map { ($1, $0) }.told, algebra.parZip(y.apart, x.apart).told
            )
        case .parSequenceIsZip:
            return (
                algebra.parSequence([x.apart, y.apart], limit: number % 3 == 0 ? nil : number % 3)
                    .map { ($0[0], $0[1]) }.told,
                x.apart.zip(y.apart).told
            )
        case .startIsOutcome: return (x, x.started)
        default: return nil
        }
    }
}

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
                case .waiting(let running): await running.outcome
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
