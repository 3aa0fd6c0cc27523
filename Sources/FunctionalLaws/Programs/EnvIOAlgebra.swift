import FunctionalCore

/// The operations that the laws of programs are about: the library's own, unless some are replaced.
///
/// Replace one to check a combinator of yours that should do the same, or to see that a law notices a wrong one.
public protocol EnvIOAlgebra: Sendable {
    /// `pure(value)`
    func pure<E, F: Error, A: Sendable>(_ value: A) -> EnvIO<E, F, A>
    /// `EnvIO.fail(failure)`
    func fail<E, F: Error, A>(_ failure: F) -> EnvIO<E, F, A>
    /// `EnvIO.suspend(build)`
    func suspend<E, F: Error, A>(_ build: @escaping @Sendable () -> EnvIO<E, F, A>) -> EnvIO<E, F, A>
    /// `program.map(transform)`
    func map<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, F, B>
    /// `program.flatMap(next)`
    func flatMap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, B>
    /// `program.zip(other)`
    func zip<E, F: Error, A, B>(_ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>) -> EnvIO<E, F, (A, B)>
    /// `program.handleErrorWith(handler)`
    func handleErrorWith<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ handler: @escaping @Sendable (F) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// `program.attempt()`
    func attempt<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, Never, Result<A, F>>
    /// `program.mapError(transform)`
    func mapError<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (F) -> F
    ) -> EnvIO<E, F, A>
    /// `program.contramap(transform)`
    func contramap<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (E) -> E
    ) -> EnvIO<E, F, A>
}

/// The library's operations on programs.
public struct LibraryPrograms: EnvIOAlgebra {
    /// The library's operations.
    public init() {}
}

extension EnvIOAlgebra {
    /// The library's `pure`.
    public func pure<E, F: Error, A: Sendable>(_ value: A) -> EnvIO<E, F, A> { .pure(value) }

    /// The library's `fail`.
    public func fail<E, F: Error, A>(_ failure: F) -> EnvIO<E, F, A> { .fail(failure) }

    /// The library's `suspend`.
    public func suspend<E, F: Error, A>(_ build: @escaping @Sendable () -> EnvIO<E, F, A>) -> EnvIO<E, F, A> {
        .suspend(build)
    }

    /// The library's `map`.
    public func map<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (A) -> B
    ) -> EnvIO<E, F, B> { program.map(transform) }

    /// The library's `flatMap`.
    public func flatMap<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ next: @escaping @Sendable (A) -> EnvIO<E, F, B>
    ) -> EnvIO<E, F, B> { program.flatMap(next) }

    /// The library's `zip`.
    public func zip<E, F: Error, A, B>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
    ) -> EnvIO<E, F, (A, B)> { program.zip(other) }

    /// The library's `handleErrorWith`.
    public func handleErrorWith<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ handler: @escaping @Sendable (F) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { program.handleErrorWith(handler) }

    /// The library's `attempt`.
    public func attempt<E, F: Error, A>(_ program: EnvIO<E, F, A>) -> EnvIO<E, Never, Result<A, F>> {
        program.attempt()
    }

    /// The library's `mapError`.
    public func mapError<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (F) -> F
    ) -> EnvIO<E, F, A> { program.mapError(transform) }

    /// The library's `contramap`.
    public func contramap<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ transform: @escaping @Sendable (E) -> E
    ) -> EnvIO<E, F, A> { program.contramap(transform) }
}
