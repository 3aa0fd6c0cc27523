import FunctionalCore
import VirtualTime

extension EnvIOAlgebra {
    /// Calls `sequence` of the library.
    package func sequence<E, F: Error, A>(_ programs: [EnvIO<E, F, A>]) -> EnvIO<E, F, [A]> { programs.sequence() }

    /// Calls `tap` of the library.
    package func tap<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ observe: @escaping @Sendable (A) -> Void
    ) -> EnvIO<E, F, A> { program.tap(observe) }

    /// Calls `flatTap` of the library.
    package func flatTap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, A> { program.flatTap(next) }

    /// Calls `tapError` of the library.
    package func tapError<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ observe: @escaping @Sendable (F) -> Void
    ) -> EnvIO<E, F, A> { program.tapError(observe) }

    /// Calls `orElse` of the library.
    package func orElse<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>) -> EnvIO<E, F, A> {
        program.orElse(other)
    }

    /// Calls `redeem` of the library.
    package func redeem<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, recover: @escaping @Sendable (F) -> B, map transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, Never, B> { program.redeem(recover: recover, map: transform) }

    /// Calls `redeemWith` of the library.
    package func redeemWith<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, recover: @escaping @Sendable (F) -> EnvIO<E, F, B>,
        bind: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, B> { program.redeemWith(recover: recover, bind: bind) }

    /// Calls `bimap` of the library.
    package func bimap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ transformFailure: @escaping @Sendable (F) -> F,
        _ transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, F, B> { program.bimap(transformFailure, transform) }

    /// Calls `when` of the library.
    package func when<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ condition: Bool) -> EnvIO<E, F, Void> {
        program.when(condition)
    }

    /// Calls `unless` of the library.
    package func unless<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ condition: Bool) -> EnvIO<E, F, Void> {
        program.unless(condition)
    }

    /// Calls `forever` of the library.
    package func forever<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Never> { program.forever() }

    /// Calls `timed` of the library.
    package func timed<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, clock: VirtualClock
    ) -> EnvIO<E, F, (duration: Duration, value: A)> { program.timed(clock: clock) }

    /// Calls `fork` of the library.
    package func fork<E: Sendable, F: Error, A: Sendable>(_ program: EnvIO<E, F, A>) -> EnvIO<E, F, Fiber<A, F>> {
        program.fork()
    }

    /// Calls `join` of the library.
    package func join<E: Sendable, F: Error, A: Sendable>(_ fiber: Fiber<A, F>) -> EnvIO<E, F, A> { fiber.join() }

    /// Calls `cancel` of the library.
    package func cancel<E: Sendable, F: Error, A: Sendable>(_ fiber: Fiber<A, F>) -> EnvIO<E, F, Void> {
        fiber.cancel()
    }

    /// Calls `background` of the library.
    package func background<E: Sendable, F: Error, A: Sendable>(
        _ program: EnvIO<E, F, A>
    ) -> Resource<E, F, Fiber<A, F>> { program.background() }

    /// Calls `memoize` of the library.
    package func memoize<E: Sendable, F: Error, A: Sendable>(
        _ program: EnvIO<E, F, A>
    ) -> EnvIO<E, F, EnvIO<E, F, A>> { program.memoize() }
}
