import FunctionalCore
import VirtualTime

/// The operations on programs that ``EnvIOLaw`` checks.
///
/// Each operation is the library's unless a conforming type implements it. The tests implement wrong ones and check
/// which laws notice them.
package protocol EnvIOAlgebra: Sendable {
    /// Stands for `EnvIO.pure(value)` in the laws.
    func pure<E, F: Error, A: Sendable>(_ value: A) -> EnvIO<E, F, A>
    /// Stands for `EnvIO.fail(failure)` in the laws.
    func fail<E, F: Error, A>(_ failure: F) -> EnvIO<E, F, A>
    /// Stands for `EnvIO.suspend(build)` in the laws.
    func suspend<E, F: Error, A>(_ build: @escaping @Sendable () -> EnvIO<E, F, A>) -> EnvIO<E, F, A>
    /// Stands for `program.map(transform)` in the laws.
    func map<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, F, B>
    /// Stands for `program.flatMap(next)` in the laws.
    func flatMap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, B>
    /// Stands for `program.zip(other)` in the laws.
    func zip<E, F: Error, A, B>(_ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>) -> EnvIO<E, F, (A, B)>
    /// Stands for `program.handleErrorWith(handler)` in the laws.
    func handleErrorWith<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ handler: @escaping @Sendable (F) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// Stands for `program.attempt()` in the laws.
    func attempt<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, Never, Result<A, F>>
    /// Stands for `program.mapError(transform)` in the laws.
    func mapError<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (F) -> F
    ) -> EnvIO<E, F, A>
    /// Stands for `program.contramap(transform)` in the laws.
    func contramap<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (E) -> E
    ) -> EnvIO<E, F, A>
    /// Stands for `EnvIO.async(callback: register)` in the laws.
    func async<E, F: Error, A: Sendable>(
        _ register: @escaping @Sendable (E, @escaping @Sendable (Result<A, F>) -> Void) -> Void
    ) -> EnvIO<E, F, A>
    /// Stands for `EnvIO.bracketCase(acquire:release:use:)` in the laws.
    func bracketCase<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// Stands for `program.guarantee(finalizer)` in the laws.
    func guarantee<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>) -> EnvIO<E, F, A>
    /// Stands for `program.guaranteeCase(finalizer)` in the laws.
    func guaranteeCase<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A>
    /// Stands for `Resource(acquire:releaseCase:).use(body)` in the laws.
    func resource<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>,
        releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// Stands for `program.onCancel(finalizer)` in the laws.
    func onCancel<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>) -> EnvIO<E, F, A>
    /// Stands for `EnvIO.uncancellable(body)` in the laws.
    func uncancellable<E, F: Error, A>(
        _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// Stands for `EnvIO.cancelled` in the laws.
    func cancelled<E, F: Error, A>() -> EnvIO<E, F, A>
    /// Stands for `program.race(other)` in the laws.
    func race<E: Sendable, F: Error, A: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// Stands for `program.parZip(other)` in the laws.
    func parZip<E: Sendable, F: Error, A: Sendable, B: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
    ) -> EnvIO<E, F, (A, B)>
    /// Stands for `elements.traverse(program)` in the laws.
    func traverse<Element: Sendable, E, F: Error, A>(
        _ elements: [Element], _ program: @escaping @Sendable (Element) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, [A]>
    /// Stands for `programs.parSequence(limit: limit)` in the laws.
    func parSequence<E: Sendable, F: Error, A: Sendable>(
        _ programs: [EnvIO<E, F, A>], limit: Int?
    ) -> EnvIO<E, F, [A]>
    /// Stands for `programs.sequence()` in the laws.
    func sequence<E, F: Error, A>(_ programs: [EnvIO<E, F, A>]) -> EnvIO<E, F, [A]>
    /// Stands for `program.tap(observe)` in the laws.
    func tap<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ observe: @escaping @Sendable (A) -> Void
    ) -> EnvIO<E, F, A>
    /// Stands for `program.flatTap(next)` in the laws.
    func flatTap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, A>
    /// Stands for `program.tapError(observe)` in the laws.
    func tapError<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ observe: @escaping @Sendable (F) -> Void
    ) -> EnvIO<E, F, A>
    /// Stands for `program.orElse(other)` in the laws.
    func orElse<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>) -> EnvIO<E, F, A>
    /// Stands for `program.redeem(recover: recover, map: transform)` in the laws.
    func redeem<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, recover: @escaping @Sendable (F) -> B, map transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, Never, B>
    /// Stands for `program.redeemWith(recover: recover, bind: bind)` in the laws.
    func redeemWith<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, recover: @escaping @Sendable (F) -> EnvIO<E, F, B>,
        bind: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, B>
    /// Stands for `program.bimap(transformFailure, transform)` in the laws.
    func bimap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ transformFailure: @escaping @Sendable (F) -> F,
        _ transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, F, B>
    /// Stands for `program.when(condition)` in the laws.
    func when<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ condition: Bool) -> EnvIO<E, F, Void>
    /// Stands for `program.unless(condition)` in the laws.
    func unless<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ condition: Bool) -> EnvIO<E, F, Void>
    /// Stands for `program.forever()` in the laws.
    func forever<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Never>
    /// Stands for `program.timed(clock: clock)` in the laws.
    func timed<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, clock: VirtualClock
    ) -> EnvIO<E, F, (duration: Duration, value: A)>
    /// Stands for `program.fork()` in the laws.
    func fork<E: Sendable, F: Error, A: Sendable>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Fiber<A, F>>
    /// Stands for `fiber.join()` in the laws.
    func join<E: Sendable, F: Error, A: Sendable>(_ fiber: Fiber<A, F>) -> EnvIO<E, F, A>
    /// Stands for `fiber.cancel()` in the laws.
    func cancel<E: Sendable, F: Error, A: Sendable>(_ fiber: Fiber<A, F>) -> EnvIO<E, F, Void>
    /// Stands for `program.background()` in the laws.
    func background<E: Sendable, F: Error, A: Sendable>(_ program: EnvIO<E, F, A>) -> Resource<E, F, Fiber<A, F>>
    /// Stands for `program.memoize()` in the laws.
    func memoize<E: Sendable, F: Error, A: Sendable>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, EnvIO<E, F, A>>
}

/// The library's own operations on programs.
package struct LibraryPrograms: EnvIOAlgebra {
    /// Creates the library's operations.
    package init() {}
}

extension EnvIOAlgebra {
    /// Calls `pure` of the library.
    package func pure<E, F: Error, A: Sendable>(_ value: A) -> EnvIO<E, F, A> { .pure(value) }

    /// Calls `fail` of the library.
    package func fail<E, F: Error, A>(_ failure: F) -> EnvIO<E, F, A> { .fail(failure) }

    /// Calls `suspend` of the library.
    package func suspend<E, F: Error, A>(_ build: @escaping @Sendable () -> EnvIO<E, F, A>) -> EnvIO<E, F, A> {
        .suspend(build)
    }

    /// Calls `map` of the library.
    package func map<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, F, B> { program.map(transform) }

    /// Calls `flatMap` of the library.
    package func flatMap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, B> { program.flatMap(next) }

    /// Calls `zip` of the library.
    package func zip<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
    ) -> EnvIO<E, F, (A, B)> { program.zip(other) }

    /// Calls `handleErrorWith` of the library.
    package func handleErrorWith<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ handler: @escaping @Sendable (F) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { program.handleErrorWith(handler) }

    /// Calls `attempt` of the library.
    package func attempt<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, Never, Result<A, F>> {
        program.attempt()
    }

    /// Calls `mapError` of the library.
    package func mapError<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (F) -> F
    ) -> EnvIO<E, F, A> { program.mapError(transform) }

    /// Calls `contramap` of the library.
    package func contramap<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (E) -> E
    ) -> EnvIO<E, F, A> { program.contramap(transform) }

    /// Calls `async` of the library.
    package func async<E, F: Error, A: Sendable>(
        _ register: @escaping @Sendable (E, @escaping @Sendable (Result<A, F>) -> Void) -> Void
    ) -> EnvIO<E, F, A> { .async(callback: register) }

    /// Calls `bracketCase` of the library.
    package func bracketCase<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { .bracketCase(acquire: acquire, release: release, use: use) }

    /// Calls `guarantee` of the library.
    package func guarantee<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A> { program.guarantee(finalizer) }

    /// Calls `guaranteeCase` of the library.
    package func guaranteeCase<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A> { program.guaranteeCase(finalizer) }

    /// Calls `Resource.use(_:)` of the library.
    package func resource<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>,
        releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { Resource(acquire: acquire, releaseCase: releaseCase).use(use) }

    /// Calls `onCancel` of the library.
    package func onCancel<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A> { program.onCancel(finalizer) }

    /// Calls `uncancellable` of the library.
    package func uncancellable<E, F: Error, A>(
        _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { .uncancellable(body) }

    /// Calls `cancelled` of the library.
    package func cancelled<E, F: Error, A>() -> EnvIO<E, F, A> { .cancelled }

    /// Calls `race` of the library.
    package func race<E: Sendable, F: Error, A: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { program.race(other) }

    /// Calls `parZip` of the library.
    package func parZip<E: Sendable, F: Error, A: Sendable, B: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
    ) -> EnvIO<E, F, (A, B)> { program.parZip(other) }

    /// Calls `traverse` of the library.
    package func traverse<Element: Sendable, E, F: Error, A>(
        _ elements: [Element], _ program: @escaping @Sendable (Element) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, [A]> { elements.traverse(program) }

    /// Calls `parSequence` of the library.
    package func parSequence<E: Sendable, F: Error, A: Sendable>(
        _ programs: [EnvIO<E, F, A>], limit: Int?
    ) -> EnvIO<E, F, [A]> { programs.parSequence(limit: limit) }
}
