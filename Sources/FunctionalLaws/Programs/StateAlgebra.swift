import FunctionalCore

/// The operations on `State` programs that ``StateLaw`` checks.
///
/// Each operation is the library's unless a conforming type implements it. The tests implement wrong ones and check
/// which laws notice them.
package protocol StateAlgebra: Sendable {
    /// Stands for `State.pure(value)` in the laws.
    func pure<S, A: Sendable>(_ value: A) -> State<S, A>
    /// Stands for `State.get()` in the laws.
    func get<S>() -> State<S, S>
    /// Stands for `State.set(state)` in the laws.
    func set<S: Sendable>(_ state: S) -> State<S, Void>
    /// Stands for `State.modify(transform)` in the laws.
    func modify<S>(_ transform: @escaping @Sendable (S) -> S) -> State<S, Void>
    /// Stands for `State.update(change)` in the laws.
    func update<S>(_ change: @escaping @Sendable (inout S) -> Void) -> State<S, Void>
    /// Stands for `State.inspect(read)` in the laws.
    func inspect<S, A>(_ read: @escaping @Sendable (S) -> A) -> State<S, A>
    /// Stands for `program.map(transform)` in the laws.
    func map<S, A, B>(_ program: State<S, A>, _ transform: @escaping @Sendable (A) -> B) -> State<S, B>
    /// Stands for `program.flatMap(next)` in the laws.
    func flatMap<S, A, B>(
        _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>
    ) -> State<S, B>
    /// Stands for `program.zip(other)` in the laws.
    func zip<S, A, B>(_ program: State<S, A>, _ other: State<S, B>) -> State<S, (A, B)>
    /// Stands for `binding(a <- program, b <- next(a.get), yield: transform(a.get, b.get))` in the laws.
    func binding<S, A, B, C>(
        _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>,
        yield transform: @escaping @Sendable (A, B) -> C
    ) -> State<S, C>
    /// Stands for `elements.traverse(program)` in the laws.
    func traverse<Element: Sendable, S, A>(
        _ elements: [Element], _ program: @escaping @Sendable (Element) -> State<S, A>
    ) -> State<S, [A]>
    /// Stands for `programs.sequence()` in the laws.
    func sequence<S, A>(_ programs: [State<S, A>]) -> State<S, [A]>
}

/// The library's own operations on `State` programs.
package struct LibraryStates: StateAlgebra {
    /// Creates the library's operations.
    package init() {}
}

extension StateAlgebra {
    /// Calls `pure` of the library.
    package func pure<S, A: Sendable>(_ value: A) -> State<S, A> { .pure(value) }

    /// Calls `get` of the library.
    package func get<S>() -> State<S, S> { .get() }

    /// Calls `set` of the library.
    package func set<S: Sendable>(_ state: S) -> State<S, Void> { .set(state) }

    /// Calls `modify` of the library.
    package func modify<S>(_ transform: @escaping @Sendable (S) -> S) -> State<S, Void> { .modify(transform) }

    /// Calls `update` of the library.
    package func update<S>(_ change: @escaping @Sendable (inout S) -> Void) -> State<S, Void> { .update(change) }

    /// Calls `inspect` of the library.
    package func inspect<S, A>(_ read: @escaping @Sendable (S) -> A) -> State<S, A> { .inspect(read) }

    /// Calls `map` of the library.
    package func map<S, A, B>(_ program: State<S, A>, _ transform: @escaping @Sendable (A) -> B) -> State<S, B> {
        program.map(transform)
    }

    /// Calls `flatMap` of the library.
    package func flatMap<S, A, B>(
        _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>
    ) -> State<S, B> { program.flatMap(next) }

    /// Calls `zip` of the library.
    package func zip<S, A, B>(_ program: State<S, A>, _ other: State<S, B>) -> State<S, (A, B)> {
        program.zip(other)
    }

    /// Calls `binding` of the library.
    package func binding<S, A, B, C>(
        _ program: State<S, A>, _ next: @escaping @Sendable (A) -> State<S, B>,
        yield transform: @escaping @Sendable (A, B) -> C
    ) -> State<S, C> {
        let (a, b) = (State<S, A>.var(), State<S, B>.var())
        return FunctionalCore.binding(a <- program, b <- next(a.get), yield: transform(a.get, b.get))
    }

    /// Calls `traverse` of the library.
    package func traverse<Element: Sendable, S, A>(
        _ elements: [Element], _ program: @escaping @Sendable (Element) -> State<S, A>
    ) -> State<S, [A]> { elements.traverse(program) }

    /// Calls `sequence` of the library.
    package func sequence<S, A>(_ programs: [State<S, A>]) -> State<S, [A]> { programs.sequence() }
}
