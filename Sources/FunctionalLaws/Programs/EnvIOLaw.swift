import FunctionalCore
import PropertyTesting

/// The laws of `EnvIO` programs, for generated programs, functions and environments.
///
/// They are the laws of functor, applicative, monad, errors, reader, finalizers, cancellation and parallel programs. An
/// equation holds if both sides have the same outcome and write the same lines to their ``EffectLog``.
///
/// In the laws that say "cancelled while" or "also when cancelled", a program runs until it waits. The run is then
/// cancelled from outside. These laws, and those about the outcome that a finalizer receives, follow `MonadCancelLaws`
/// and `GenSpawnLaws` of cats-effect.
public enum EnvIOLaw: String, CaseIterable, Sendable {
    case mapIdentity = "x.map(id) == x"
    case mapComposition = "x.map(f).map(g) == x.map(g . f)"
    case void = "x.void == x.map(f).void"
    case asIsMap = "x.as(b) == x.map { _ in b }"
    case zipIsFlatMap = "x.zip(y) == x.flatMap { a in y.map { (a, $0) } }"
    case leftIdentity = "pure(a).flatMap(k) == k(a)"
    case rightIdentity = "x.flatMap(pure) == x"
    case associativity = "x.flatMap(k).flatMap(h) == x.flatMap { k($0).flatMap(h) }"
    case mapIsFlatMap = "x.flatMap { pure(f($0)) } == x.map(f)"
    case flatten = "pure(x).flatten() == x"
    case comprehension = "binding(a <- x, yield: f(a.get)) == x.map(f)"
    case followed = "x.followed(by: y) == x.flatMap { _ in y }"
    case traverseIsZip = "[a, b].traverse(k) == k(a).zip(k(b))"
    case traverseIsLazy = "[a, b].traverse(k) calls k(b) after k(a) has run"
    case sequenceIsZip = "[x, y].sequence() == x.zip(y)"
    case tapIsMap = "x.tap(f) == x.map { f($0); return $0 }"
    case flatTapIsFlatMap = "x.flatTap(k) == x.flatMap { k($0).as($0) }"
    case whenIsAChoice = "x.when(true) == x.void, x.when(false) == pure(())"
    case unlessIsWhen = "x.unless(c) == x.when(!c)"
    case foreverRepeats = "x.forever() == x.followed(by: x.forever()), until x fails"
    case timedIsMap = "x.timed(clock: c) == x.map { (t, $0) }, where x takes the time t on c"
    case raiseFlatMap = "fail(e).flatMap(k) == fail(e)"
    case raiseHandle = "fail(e).handleErrorWith(h) == h(e)"
    case pureHandle = "pure(a).handleErrorWith(h) == pure(a)"
    case handleIsHandleWith = "x.handleError(f) == x.handleErrorWith { pure(f($0)) }"
    case attemptFail = "fail(e).attempt() == pure(.failure(e))"
    case attemptPure = "pure(a).attempt() == pure(.success(a))"
    case attemptRethrow = "x.attempt().rethrow() == x"
    case fromResult = "EnvIO(.success(a)) == pure(a), EnvIO(.failure(e)) == fail(e)"
    case throwingIsFail = "EnvIO { throw e } == fail(e)"
    case ensure = "x.ensure(p, otherwise: e) == x.flatMap { p($0) ? pure($0) : fail(e($0)) }"
    case mapErrorFail = "fail(e).mapError(f) == fail(f(e))"
    case mapErrorIdentity = "x.mapError(id) == x"
    case tapErrorIsMapError = "x.tapError(f) == x.mapError { f($0); return $0 }"
    case orElseIsHandleErrorWith = "x.orElse(y) == x.handleErrorWith { _ in y }"
    case redeemIsAttempt = "x.redeem(recover: f, map: g) == x.attempt().map { f or g }"
    case redeemWithIsAttempt = "x.redeemWith(recover: h, bind: k) == x.attempt().flatMap { h or k }"
    case bimapIsMapErrorAndMap = "x.bimap(f, g) == x.mapError(f).map(g)"
    case failingZip = "fail(e).zip(x) == fail(e), and x does not begin"
    case askTwice = "ask.flatMap { _ in x } == x"
    case accessIsAsk = "access(f) == ask.map(f)"
    case accessMIsAsk = "accessM(k) == ask.flatMap(k)"
    case localAsk = "ask.contramap(f) == access(f)"
    case localPure = "pure(a).contramap(f) == pure(a)"
    case localFlatMap = "x.flatMap(k).contramap(f) == x.contramap(f).flatMap { k($0).contramap(f) }"
    case localIdentity = "x.contramap(id) == x"
    case localComposition = "x.contramap(f).contramap(g) == x.contramap(f . g)"
    case localStays = "x.contramap(f).zip(ask) == ask.flatMap { w in x.contramap(f).map { ($0, w) } }"
    case provide = "x.provide(e) == x.contramap(const e)"
    case suspend = "suspend { x } == x"
    case suspendIsLazy = "suspend { x } calls its closure once in each run, and not before"
    case notMemoized = "x.followed(by: x) does everything twice"
    case bracketUnit = "bracket(x, release: unit, use: k) == x.flatMap(k)"
    case guaranteeIsBracket = "x.guarantee(f) == bracket(unit, release: f, use: x)"
    case bracketIsBracketCase =
        "bracketCase(x, release: { _, _ in y }, use: k) == bracket(x, release: { _ in y }, use: k)"
    case resourceIsBracket =
        "Resource(acquire: x, release: { _ in y }).use(k) == bracket(x, release: { _ in y }, use: k)"
    case guaranteeIsGuaranteeCase = "x.guarantee(y) == x.guaranteeCase { _ in y }"
    case asyncIsResult = "async { done in done(r) } == EnvIO(r)"
    case asyncOnce = "async { done in done(r), done(s) } == async { done in done(r) }"
    case cancelledFlatMap = "cancelled.flatMap(k) == cancelled"
    case cancelledHandle = "cancelled.handleErrorWith(h) == cancelled"
    case pollIsIdentity = "uncancellable { poll in poll(x) } == x"
    case regionsNest = "uncancellable { _ in uncancellable { poll in poll(x) } } == uncancellable { _ in x }"
    case onCancelOfEnded = "x.onCancel(y) == x, as x is not cancelled"
    case raceLeft = "x.race(never) == x"
    case raceRight = "never.race(x) == x"
    case parZipIsZip = "x.parZip(y) == x.zip(y), where neither fails nor sees the other"
    case parZipCommutes = "x.parZip(y).map(swap) == y.parZip(x), where neither fails nor sees the other"
    case parSequenceIsZip = "[x, y].parSequence(limit: n) == x.zip(y), where neither fails nor sees the other"
    case forkJoin = "x.fork().flatMap { $0.join() } == x"
    case forkOutcome = "x.fork().flatMap { $0.outcome() } succeeds with the outcome of x"
    case backgroundJoin = "x.background().use { $0.join() } == x"
    case memoizeRunsNothing = "x.memoize().as(a) == pure(a)"
    case memoizeKeepsTheResult = "x.memoize().flatMap { m in m.attempt().followed(by: m) } == x"
    case memoizeAtOnce = "x.memoize().flatMap { m in m.parZip(m) } == x.map { ($0, $0) }"
    case startIsOutcome = "start ends as outcome does"

    // MARK: - Cancelled from outside, and exit cases

    case cancelledWhileItWaits = "x.flatMap { never }, cancelled while it waits, == x, and then cancelled"
    case cancelledBeforeTheNext = "never.flatMap(k), cancelled while it waits, == cancelled"
    case cancellationIsNoFailure = "never.handleErrorWith(h), cancelled while it waits, == cancelled"
    case cancelledAttempt = "never.attempt(), cancelled while it waits, == cancelled"
    case cancelledAsync = "async { _ in }, cancelled while it waits, == cancelled"
    case onCancelRuns = "x.onCancel(y), cancelled while x waits, runs y once, and is cancelled"
    case onCancelOrder = "x.onCancel(y).onCancel(z), cancelled while x waits, runs y, then z"
    case onCancelIsNotCancelled = "x.onCancel(y), cancelled while x waits, does not cancel y"
    case onCancelInARegion = "uncancellable { _ in x.onCancel(y) } == uncancellable { _ in x }, also when cancelled"
    case regionIsNotCancelled = "uncancellable { _ in x }, cancelled while x runs, does not cancel x"
    case innerPollOpensNothing =
        "uncancellable { _ in uncancellable { poll in poll(x) } }, cancelled while x runs, does not cancel x"
    case pollIsCancelled =
        "uncancellable { poll in poll(x).onCancel(y) }, cancelled while x waits, cancels x and runs y"
    case guaranteeOnCancel = "x.guarantee(y), cancelled while x waits, runs y once, and is cancelled"
    case finalizerIsNotCancelled =
        "x.guarantee(y) and x.guaranteeCase { _ in y }, cancelled while y runs, run all of y once"
    case guaranteeCaseGetsTheOutcome = "x.guaranteeCase(f) calls f with the outcome of x"
    case guaranteeCaseOnCancel = "x.guaranteeCase(f), cancelled while x waits, calls f with cancelled"
    case releaseGetsTheOutcome = "bracketCase(x, release: r, use: k) calls r with the outcome of the use"
    case releaseOnCancel = "bracketCase(x, release: r, use: k), cancelled while the use waits, calls r with cancelled"
    case acquireIsNotCancelled =
        "bracketCase(x, release: r, use: k), cancelled while x runs, runs all of x, then r, and not k"
    case releaseIsNotCancelled = "bracketCase(x, release: r, use: k), cancelled while r runs, runs all of r once"
    case resourceReleaseGetsTheOutcome =
        "Resource(acquire: x, releaseCase: r).use(k) calls r with the outcome of the use"
    case resourceReleaseOnCancel =
        "Resource(acquire: x, releaseCase: r).use(k), cancelled while the use waits, calls r with cancelled"
    case resourceAcquireIsNotCancelled =
        "Resource(acquire: x, releaseCase: r).use(k), cancelled while x runs, runs all of x, then r, and not k"
    case resourceReleaseIsNotCancelled =
        "Resource(acquire: x, releaseCase: r).use(k), cancelled while r runs, runs all of r once"
    case raceCancelsTheLoser =
        "x.race(y) cancels y when x ends, and waits for its finalizers; the same with the sides swapped"
    case cancelledRace = "x.race(y), cancelled while both wait, cancels both and waits for their finalizers"
    case parZipCancelsTheOther =
        "x.parZip(y) cancels y when x fails, and waits for its finalizers; the same with the sides swapped"
    case cancelledParZip = "x.parZip(y), cancelled while both wait, cancels both and waits for their finalizers"
    case parSequenceCancelsTheOthers =
        "[x, y].parSequence() cancels y when x fails, and waits for its finalizers; the same with the sides swapped"
    case parSequenceKeepsItsLimit =
        "[x, y, …].parSequence(limit: n) runs n programs at once, and starts the next one when one ends"
    case cancelledParSequence =
        "[x, y].parSequence(), cancelled while both wait, cancels both and waits for their finalizers"
    case cancelledForever = "x.forever(), cancelled while x waits, == cancelled"
    case forkRunsAtOnce = "x.fork() succeeds while x waits"
    case forkIsNotCancelled = "x.fork(), cancelled while x runs, does not cancel x"
    case fiberCancel = "x.fork().flatMap { $0.cancel() } cancels x and waits for its finalizers"
    case cancelledJoin = "x.fork().flatMap { $0.join() }, cancelled while x waits, does not wait for x"
    case backgroundEndsWithItsUse = "x.background().use(k) cancels x when k ends, and waits for its finalizers"
    case cancelledBackground =
        "x.background().use(k), cancelled while both wait, cancels both and waits for their finalizers"
    case cancelledMemoize = "x.memoize().flatten(), cancelled while x waits, cancels x and waits for its finalizers"
    case memoizeIsNotCancelled = "x.memoize(), run twice at once, does not cancel x when one of the runs is cancelled"
}

extension EnvIOLaw {
    /// Returns a property that checks this law for the library's operations.
    ///
    /// Some laws run each program on a manual executor: those about cancellation, those about the outcome that a
    /// finalizer receives, and those about `race` against `never`. The program is waiting when it has not ended and no
    /// job on that executor is ready. These laws then cancel the run.
    ///
    /// If an operation starts an unstructured task, it must start it with the executor preference of its caller.
    /// Otherwise the task runs on another executor. These laws do not see its jobs there, so they may cancel the run
    /// while the task is working.
    ///
    /// If an operation ignores cancellation, its law fails and does not hang. The task of the run is then never
    /// resumed.
    public func property() -> Property {
        property(of: LibraryPrograms())
    }

    /// Returns a property that checks this law for other operations, with which the tests break one at a time.
    package func property(of algebra: some EnvIOAlgebra) -> Property {
        Property(EnvIOSample.gen) { sample in
            let gate = Gate()
            if let (program, expected) = cancelling(sample, algebra, gate) {
                return try Verdict(law: rawValue).same(CancelledRun(of: program, in: sample.world, gate), expected)
            }
            guard let (left, right) = sides(sample, algebra) ?? operatorSides(sample, algebra) else {
                throw Unmet("\(self) has no programs.")
            }
            try Verdict(law: rawValue).same(await left.trace(sample.world), await right.trace(sample.world))
        }
    }
}
