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
    /// `EnvIO.async(callback: register)`
    func async<E, F: Error, A: Sendable>(
        _ register: @escaping @Sendable (E, @escaping @Sendable (Result<A, F>) -> Void) -> Void
    ) -> EnvIO<E, F, A>
    /// `EnvIO.bracketCase(acquire:release:use:)`
    func bracketCase<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// `program.guarantee(finalizer)`
    func guarantee<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>) -> EnvIO<E, F, A>
    /// `program.guaranteeCase(finalizer)`
    func guaranteeCase<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A>
    /// `Resource(acquire:releaseCase:).use(body)`
    func resource<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>,
        releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// `program.onCancel(finalizer)`
    func onCancel<E, F: Error, A>(_ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>) -> EnvIO<E, F, A>
    /// `EnvIO.uncancellable(body)`
    func uncancellable<E, F: Error, A>(
        _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// `EnvIO.cancelled`
    func cancelled<E, F: Error, A>() -> EnvIO<E, F, A>
    /// `program.race(other)`
    func race<E: Sendable, F: Error, A: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
    ) -> EnvIO<E, F, A>
    /// `program.parZip(other)`
    func parZip<E: Sendable, F: Error, A: Sendable, B: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
    ) -> EnvIO<E, F, (A, B)>
    /// `elements.traverse(program)`
    func traverse<Element: Sendable, E, F: Error, A>(
        _ elements: [Element], _ program: @escaping @Sendable (Element) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, [A]>
    /// `programs.parSequence(limit: limit)`
    func parSequence<E: Sendable, F: Error, A: Sendable>(
        _ programs: [EnvIO<E, F, A>], limit: Int?
    ) -> EnvIO<E, F, [A]>
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

    /// The library's `async`.
    public func async<E, F: Error, A: Sendable>(
        _ register: @escaping @Sendable (E, @escaping @Sendable (Result<A, F>) -> Void) -> Void
    ) -> EnvIO<E, F, A> { .async(callback: register) }

    /// The library's `bracketCase`.
    public func bracketCase<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>, release: @escaping @Sendable (R, Outcome<A, F>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { .bracketCase(acquire: acquire, release: release, use: use) }

    /// The library's `guarantee`.
    public func guarantee<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A> { program.guarantee(finalizer) }

    /// The library's `guaranteeCase`.
    public func guaranteeCase<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: @escaping @Sendable (Outcome<A, F>) -> EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A> { program.guaranteeCase(finalizer) }

    /// The library's `Resource`.
    public func resource<E, F: Error, R, A>(
        _ acquire: EnvIO<E, F, R>,
        releaseCase: @escaping @Sendable (R, Outcome<Void, any Error>) -> EnvIO<E, F, Void>,
        use: @escaping @Sendable (R) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { Resource(acquire: acquire, releaseCase: releaseCase).use(use) }

    /// The library's `onCancel`.
    public func onCancel<E, F: Error, A>(
        _ program: EnvIO<E, F, A>, _ finalizer: EnvIO<E, F, Void>
    ) -> EnvIO<E, F, A> { program.onCancel(finalizer) }

    /// The library's `uncancellable`.
    public func uncancellable<E, F: Error, A>(
        _ body: @escaping @Sendable (Poll) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { .uncancellable(body) }

    /// The library's `cancelled`.
    public func cancelled<E, F: Error, A>() -> EnvIO<E, F, A> { .cancelled }

    /// The library's `race`.
    public func race<E: Sendable, F: Error, A: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, A>
    ) -> EnvIO<E, F, A> { program.race(other) }

    /// The library's `parZip`.
    public func parZip<E: Sendable, F: Error, A: Sendable, B: Sendable>(
        _ program: EnvIO<E, F, A>, _ other: EnvIO<E, F, B>
    ) -> EnvIO<E, F, (A, B)> { program.parZip(other) }

    /// The library's `traverse`.
    public func traverse<Element: Sendable, E, F: Error, A>(
        _ elements: [Element], _ program: @escaping @Sendable (Element) -> EnvIO<E, F, A>
    ) -> EnvIO<E, F, [A]> { elements.traverse(program) }

    /// The library's `parSequence`.
    public func parSequence<E: Sendable, F: Error, A: Sendable>(
        _ programs: [EnvIO<E, F, A>], limit: Int?
    ) -> EnvIO<E, F, [A]> { programs.parSequence(limit: limit) }
}
