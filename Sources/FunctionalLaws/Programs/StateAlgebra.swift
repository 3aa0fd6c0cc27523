import FunctionalCore

/// The operations that the laws of `State` are about: the library's own, unless some are replaced.
///
/// Replace one to check a combinator of yours that should do the same, or to see that a law notices a wrong one.
public protocol StateAlgebra: Sendable {
    /// `pure(value)`
    func pure<S, A: Sendable>(_ value: A) -> State<S, A>
    /// `get()`
    func get<S>() -> State<S, S>
    /// `set(state)`
    func set<S: Sendable>(_ state: S) -> State<S, Void>
    /// `modify(transform)`
    func modify<S>(_ transform: @escaping @Sendable (S) -> S) -> State<S, Void>
    /// `update(change)`
    func update<S>(_ change: @escaping @Sendable (inout S) -> Void) -> State<S, Void>
    /// `inspect(read)`
    func inspect<S, A>(_ read: @escaping @Sendable (S) -> A) -> State<S, A>
    /// `program.map(transform)`
    func map<S, A, B>(_ program: State<S, A>, _ transform: @escaping @Sendable (A) -> B) -> State<S, B>
    /// `program.flatMap(next)`
    func flatMap<S, A, B>(
        _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>
    ) -> State<S, B>
    /// `program.zip(other)`
    func zip<S, A, B>(_ program: State<S, A>, _ other: State<S, B>) -> State<S, (A, B)>
}

/// The library's operations on states.
public struct LibraryStates: StateAlgebra {
    /// The library's operations.
    public init() {}
}

extension StateAlgebra {
    /// The library's `pure`.
    public func pure<S, A: Sendable>(_ value: A) -> State<S, A> { .pure(value) }

    /// The library's `get`.
    public func get<S>() -> State<S, S> { .get() }

    /// The library's `set`.
    public func set<S: Sendable>(_ state: S) -> State<S, Void> { .set(state) }

    /// The library's `modify`.
    public func modify<S>(_ transform: @escaping @Sendable (S) -> S) -> State<S, Void> { .modify(transform) }

    /// The library's `update`.
    public func update<S>(_ change: @escaping @Sendable (inout S) -> Void) -> State<S, Void> { .update(change) }

    /// The library's `inspect`.
    public func inspect<S, A>(_ read: @escaping @Sendable (S) -> A) -> State<S, A> { .inspect(read) }

    /// The library's `map`.
    public func map<S, A, B>(_ program: State<S, A>, _ transform: @escaping @Sendable (A) -> B) -> State<S, B> {
        program.map(transform)
    }

    /// The library's `flatMap`.
    public func flatMap<S, A, B>(
        _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>
    ) -> State<S, B> { program.flatMap(next) }

    /// The library's `zip`.
    public func zip<S, A, B>(_ program: State<S, A>, _ other: State<S, B>) -> State<S, (A, B)> {
        program.zip(other)
    }
}
