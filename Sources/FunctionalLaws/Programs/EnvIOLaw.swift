import FunctionalCore
import PropertyTesting

/// The laws of functor, applicative, monad, errors, reader, finalizers, cancellation and of what runs at once, each
/// over whole generated programs in generated worlds: the two sides end alike and have done the same, in the same
/// order.
///
/// In the laws with the word "cancelled", the run is cancelled from outside, when the program has done what it can and
/// waits. These laws, and those about the outcome that a finalizer gets, follow cats-effect's `MonadCancelLaws` and
/// `GenSpawnLaws`.
public enum EnvIOLaw: String, CaseIterable, Sendable {
    /// `x.map(id) == x`
    case mapIdentity = "x.map(id) == x"
    /// `x.map(f).map(g) == x.map(g . f)`
    case mapComposition = "x.map(f).map(g) == x.map(g . f)"
    /// `x.void == x.map(f).void`
    case void = "x.void == x.map(f).void"
    /// `x.as(b) == x.map { _ in b }`
    case asIsMap = "x.as(b) == x.map { _ in b }"
    /// `x.zip(y) == x.flatMap { a in y.map { (a, $0) } }`
    case zipIsFlatMap = "x.zip(y) == x.flatMap { a in y.map { (a, $0) } }"
    /// `pure(a).flatMap(k) == k(a)`
    case leftIdentity = "pure(a).flatMap(k) == k(a)"
    /// `x.flatMap(pure) == x`
    case rightIdentity = "x.flatMap(pure) == x"
    /// `x.flatMap(k).flatMap(h) == x.flatMap { k($0).flatMap(h) }`
    case associativity = "x.flatMap(k).flatMap(h) == x.flatMap { k($0).flatMap(h) }"
    /// `x.flatMap { pure(f($0)) } == x.map(f)`
    case mapIsFlatMap = "x.flatMap { pure(f($0)) } == x.map(f)"
    /// `pure(x).flatten() == x`
    case flatten = "pure(x).flatten() == x"
    /// `binding(a <- x, yield: f(a.get)) == x.map(f)`
    case comprehension = "binding(a <- x, yield: f(a.get)) == x.map(f)"
    /// `x.followed(by: y) == x.flatMap { _ in y }`
    case followed = "x.followed(by: y) == x.flatMap { _ in y }"
    /// `[a, b].traverse(k) == k(a).zip(k(b))`
    case traverseIsZip = "[a, b].traverse(k) == k(a).zip(k(b))"
    /// `fail(e).flatMap(k) == fail(e)`
    case raiseFlatMap = "fail(e).flatMap(k) == fail(e)"
    /// `fail(e).handleErrorWith(h) == h(e)`
    case raiseHandle = "fail(e).handleErrorWith(h) == h(e)"
    /// `pure(a).handleErrorWith(h) == pure(a)`
    case pureHandle = "pure(a).handleErrorWith(h) == pure(a)"
    /// `x.handleError(f) == x.handleErrorWith { pure(f($0)) }`
    case handleIsHandleWith = "x.handleError(f) == x.handleErrorWith { pure(f($0)) }"
    /// `fail(e).attempt() == pure(.failure(e))`
    case attemptFail = "fail(e).attempt() == pure(.failure(e))"
    /// `pure(a).attempt() == pure(.success(a))`
    case attemptPure = "pure(a).attempt() == pure(.success(a))"
    /// `x.attempt().rethrow() == x`
    case attemptRethrow = "x.attempt().rethrow() == x"
    /// `EnvIO(.success(a)) == pure(a), EnvIO(.failure(e)) == fail(e)`
    case fromResult = "EnvIO(.success(a)) == pure(a), EnvIO(.failure(e)) == fail(e)"
    /// `EnvIO { throw e } == fail(e)`
    case throwingIsFail = "EnvIO { throw e } == fail(e)"
    /// `x.ensure(p, otherwise: e) == x.flatMap { p($0) ? pure($0) : fail(e($0)) }`
    case ensure = "x.ensure(p, otherwise: e) == x.flatMap { p($0) ? pure($0) : fail(e($0)) }"
    /// `fail(e).mapError(f) == fail(f(e))`
    case mapErrorFail = "fail(e).mapError(f) == fail(f(e))"
    /// `x.mapError(id) == x`
    case mapErrorIdentity = "x.mapError(id) == x"
    /// `fail(e).zip(x) == fail(e), and x does not begin`
    case failingZip = "fail(e).zip(x) == fail(e), and x does not begin"
    /// `ask.flatMap { _ in x } == x`
    case askTwice = "ask.flatMap { _ in x } == x"
    /// `access(f) == ask.map(f)`
    case accessIsAsk = "access(f) == ask.map(f)"
    /// `accessM(k) == ask.flatMap(k)`
    case accessMIsAsk = "accessM(k) == ask.flatMap(k)"
    /// `ask.contramap(f) == access(f)`
    case localAsk = "ask.contramap(f) == access(f)"
    /// `pure(a).contramap(f) == pure(a)`
    case localPure = "pure(a).contramap(f) == pure(a)"
    /// `x.flatMap(k).contramap(f) == x.contramap(f).flatMap { k($0).contramap(f) }`
    case localFlatMap = "x.flatMap(k).contramap(f) == x.contramap(f).flatMap { k($0).contramap(f) }"
    /// `x.contramap(id) == x`
    case localIdentity = "x.contramap(id) == x"
    /// `x.contramap(f).contramap(g) == x.contramap(f . g)`
    case localComposition = "x.contramap(f).contramap(g) == x.contramap(f . g)"
    /// `x.contramap(f).zip(ask) == ask.flatMap { w in x.contramap(f).map { ($0, w) } }`
    case localStays = "x.contramap(f).zip(ask) == ask.flatMap { w in x.contramap(f).map { ($0, w) } }"
    /// `x.provide(e) == x.contramap(const e)`
    case provide = "x.provide(e) == x.contramap(const e)"
    /// `suspend { x } == x`
    case suspend = "suspend { x } == x"
    /// `x.followed(by: x) does everything twice`
    case notMemoized = "x.followed(by: x) does everything twice"
    /// `bracket(x, release: unit, use: k) == x.flatMap(k)`
    case bracketUnit = "bracket(x, release: unit, use: k) == x.flatMap(k)"
    /// `x.guarantee(f) == bracket(unit, release: f, use: x)`
    case guaranteeIsBracket = "x.guarantee(f) == bracket(unit, release: f, use: x)"
    /// `bracketCase(x, release: { _, _ in y }, use: k) == bracket(x, release: { _ in y }, use: k)`
    case bracketIsBracketCase =
        "bracketCase(x, release: { _, _ in y }, use: k) == bracket(x, release: { _ in y }, use: k)"
    /// `x.guarantee(y) == x.guaranteeCase { _ in y }`
    case guaranteeIsGuaranteeCase = "x.guarantee(y) == x.guaranteeCase { _ in y }"
    /// `async { done in done(r) } == EnvIO(r)`
    case asyncIsResult = "async { done in done(r) } == EnvIO(r)"
    /// `async { done in done(r), done(s) } == async { done in done(r) }`
    case asyncOnce = "async { done in done(r), done(s) } == async { done in done(r) }"
    /// `cancelled.flatMap(k) == cancelled`
    case cancelledFlatMap = "cancelled.flatMap(k) == cancelled"
    /// `cancelled.handleErrorWith(h) == cancelled`
    case cancelledHandle = "cancelled.handleErrorWith(h) == cancelled"
    /// `uncancellable { poll in poll(x) } == x`
    case pollIsIdentity = "uncancellable { poll in poll(x) } == x"
    /// `uncancellable { _ in uncancellable { poll in poll(x) } } == uncancellable { _ in x }`
    case regionsNest = "uncancellable { _ in uncancellable { poll in poll(x) } } == uncancellable { _ in x }"
    /// `x.onCancel(y) == x, as x is not cancelled`
    case onCancelOfEnded = "x.onCancel(y) == x, as x is not cancelled"
    /// `x.race(never) == x`
    case raceLeft = "x.race(never) == x"
    /// `never.race(x) == x`
    case raceRight = "never.race(x) == x"
    /// `x.parZip(y) == x.zip(y), where neither fails nor sees the other`
    case parZipIsZip = "x.parZip(y) == x.zip(y), where neither fails nor sees the other"
    /// `x.parZip(y).map(swap) == y.parZip(x), where neither fails nor sees the other`
    case parZipCommutes = "x.parZip(y).map(swap) == y.parZip(x), where neither fails nor sees the other"
    /// `[x, y].parSequence(limit: n) == x.zip(y), where neither fails nor sees the other`
    case parSequenceIsZip = "[x, y].parSequence(limit: n) == x.zip(y), where neither fails nor sees the other"
    /// `start ends as outcome does`
    case startIsOutcome = "start ends as outcome does"

    // MARK: - Cancelled from outside, and exit cases

    /// `x.flatMap { never }, cancelled while it waits, == x, and then cancelled`
    case cancelledWhileItWaits = "x.flatMap { never }, cancelled while it waits, == x, and then cancelled"
    /// `never.flatMap(k), cancelled while it waits, == cancelled`
    case cancelledBeforeTheNext = "never.flatMap(k), cancelled while it waits, == cancelled"
    /// `never.handleErrorWith(h), cancelled while it waits, == cancelled`
    case cancellationIsNoFailure = "never.handleErrorWith(h), cancelled while it waits, == cancelled"
    /// `never.attempt(), cancelled while it waits, == cancelled`
    case cancelledAttempt = "never.attempt(), cancelled while it waits, == cancelled"
    /// `async { _ in }, cancelled while it waits, == cancelled`
    case cancelledAsync = "async { _ in }, cancelled while it waits, == cancelled"
    /// `x.onCancel(y), cancelled while x waits, runs y once, and is cancelled`
    case onCancelRuns = "x.onCancel(y), cancelled while x waits, runs y once, and is cancelled"
    /// `x.onCancel(y).onCancel(z), cancelled while x waits, runs y, then z`
    case onCancelOrder = "x.onCancel(y).onCancel(z), cancelled while x waits, runs y, then z"
    /// `x.onCancel(y), cancelled while x waits, does not cancel y`
    case onCancelIsNotCancelled = "x.onCancel(y), cancelled while x waits, does not cancel y"
    /// `uncancellable { _ in x.onCancel(y) } == uncancellable { _ in x }, also when cancelled`
    case onCancelInARegion = "uncancellable { _ in x.onCancel(y) } == uncancellable { _ in x }, also when cancelled"
    /// `uncancellable { _ in x }, cancelled while x runs, does not cancel x`
    case regionIsNotCancelled = "uncancellable { _ in x }, cancelled while x runs, does not cancel x"
    /// `uncancellable { poll in poll(x).onCancel(y) }, cancelled while x waits, cancels x and runs y`
    case pollIsCancelled =
        "uncancellable { poll in poll(x).onCancel(y) }, cancelled while x waits, cancels x and runs y"
    /// `x.guarantee(y), cancelled while x waits, runs y once, and is cancelled`
    case guaranteeOnCancel = "x.guarantee(y), cancelled while x waits, runs y once, and is cancelled"
    /// `x.guaranteeCase(f) calls f with the outcome of x`
    case guaranteeCaseGetsTheOutcome = "x.guaranteeCase(f) calls f with the outcome of x"
    /// `x.guaranteeCase(f), cancelled while x waits, calls f with cancelled`
    case guaranteeCaseOnCancel = "x.guaranteeCase(f), cancelled while x waits, calls f with cancelled"
    /// `bracketCase(x, release: r, use: k) calls r with the outcome of the use`
    case releaseGetsTheOutcome = "bracketCase(x, release: r, use: k) calls r with the outcome of the use"
    /// `bracketCase(x, release: r, use: k), cancelled while the use waits, calls r with cancelled`
    case releaseOnCancel = "bracketCase(x, release: r, use: k), cancelled while the use waits, calls r with cancelled"
    /// `bracketCase(x, release: r, use: k), cancelled while x runs, runs all of x, then r, and not k`
    case acquireIsNotCancelled =
        "bracketCase(x, release: r, use: k), cancelled while x runs, runs all of x, then r, and not k"
    /// `bracketCase(x, release: r, use: k), cancelled while r runs, runs all of r once`
    case releaseIsNotCancelled = "bracketCase(x, release: r, use: k), cancelled while r runs, runs all of r once"
    /// `Resource(acquire: x, releaseCase: r).use(k) calls r with the outcome of the use`
    case resourceReleaseGetsTheOutcome =
        "Resource(acquire: x, releaseCase: r).use(k) calls r with the outcome of the use"
    /// `Resource(acquire: x, releaseCase: r).use(k), cancelled while the use waits, calls r with cancelled`
    case resourceReleaseOnCancel =
        "Resource(acquire: x, releaseCase: r).use(k), cancelled while the use waits, calls r with cancelled"
    /// `x.race(y) cancels y when x ends, and waits for its finalizers; the same with the sides swapped`
    case raceCancelsTheLoser =
        "x.race(y) cancels y when x ends, and waits for its finalizers; the same with the sides swapped"
    /// `x.race(y), cancelled while both wait, cancels both and waits for their finalizers`
    case cancelledRace = "x.race(y), cancelled while both wait, cancels both and waits for their finalizers"
    /// `x.parZip(y) cancels y when x fails, and waits for its finalizers; the same with the sides swapped`
    case parZipCancelsTheOther =
        "x.parZip(y) cancels y when x fails, and waits for its finalizers; the same with the sides swapped"
    /// `x.parZip(y), cancelled while both wait, cancels both and waits for their finalizers`
    case cancelledParZip = "x.parZip(y), cancelled while both wait, cancels both and waits for their finalizers"
    /// `[x, y].parSequence() cancels y when x fails, and waits for its finalizers; the same with the sides swapped`
    case parSequenceCancelsTheOthers =
        "[x, y].parSequence() cancels y when x fails, and waits for its finalizers; the same with the sides swapped"
    /// `[x, y].parSequence(), cancelled while both wait, cancels both and waits for their finalizers`
    case cancelledParSequence =
        "[x, y].parSequence(), cancelled while both wait, cancels both and waits for their finalizers"
}

extension EnvIOLaw {
    /// The law over generated programs, functions and worlds, for the library's operations or for others.
    ///
    /// The laws about cancellation, and those about `race` and `never`, run the program on a manual executor and cancel
    /// the run when nothing on that executor is ready. An operation that starts an unstructured task must therefore
    /// start it with the executor preference of its caller. An operation that ignores cancellation is reported; its task
    /// is left behind.
    public func property(of algebra: some EnvIOAlgebra = LibraryPrograms()) -> Property {
        Property(EnvIOSample.gen) { sample in
            let gate = Gate()
            if let (program, expected) = cancelling(sample, algebra, gate) {
                return try Verdict(law: rawValue).same(CancelledRun(of: program, in: sample.world, gate), expected)
            }
            guard let (left, right) = sides(sample, algebra) else { throw Unmet("\(self) has no programs.") }
            try Verdict(law: rawValue).same(await left.trace(sample.world), await right.trace(sample.world))
        }
    }
}
