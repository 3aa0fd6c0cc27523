/// A result builder that combines the reducers of a block in the order in which they are written.
///
/// Used by ``combine(reducers:)``. The compiler checks each reducer alone. So type checking takes linear time in the
/// number of reducers, and an error is reported at the reducer's own line.
@resultBuilder
public enum ReducerBuilder<S> {
    /// Returns a reducer unchanged.
    @inlinable
    public static func buildExpression(_ reducer: @escaping ReducerFn<S>) -> ReducerFn<S> { reducer }

    /// Returns a reducer that sets the state to the result of `reduce`; see ``reducer(_:)``.
    @inlinable
    public static func buildExpression(_ reduce: @escaping @Sendable (S, any Action) -> S) -> ReducerFn<S> {
        reducer(reduce)
    }

    /// Returns the reducers of a block as one reducer.
    @inlinable
    public static func buildBlock(_ reducers: ReducerFn<S>...) -> ReducerFn<S> { buildArray(reducers) }

    /// Returns the result of an `if` without `else`. If its condition does not hold, the reducer changes nothing.
    @inlinable
    public static func buildOptional(_ reducer: ReducerFn<S>?) -> ReducerFn<S> { reducer ?? { _, _ in } }

    /// Returns the reducer of the branch that an `if` or a `switch` selects.
    @inlinable
    public static func buildEither(first reducer: @escaping ReducerFn<S>) -> ReducerFn<S> { reducer }

    /// Returns the reducer of the branch that an `if` or a `switch` selects.
    @inlinable
    public static func buildEither(second reducer: @escaping ReducerFn<S>) -> ReducerFn<S> { reducer }

    /// Returns the results of a `for` loop as one reducer, in the order of its iterations.
    @inlinable
    public static func buildArray(_ reducers: [ReducerFn<S>]) -> ReducerFn<S> {
        if reducers.count == 1 { return reducers[0] }
        return { state, action in for reduce in reducers { reduce(&state, action) } }
    }

    /// Returns the result of an `if #available` block.
    @inlinable
    public static func buildLimitedAvailability(_ reducer: @escaping ReducerFn<S>) -> ReducerFn<S> { reducer }
}

/// Returns a reducer that calls each reducer of a block, in the order in which they are written.
///
/// ```swift
/// let store = Store(
///     reducer: combine {
///         forKey(\.posts, use: posts)
///         forKey(\.count, use: on(Added.self) { count, added in count += added.amount })
///         resetting  // (App, any Action) -> App
///     },
///     initialState: App(), effects: [])
/// ```
///
/// A reducer of the block changes the state in place, or returns the new state. `if`, `switch` and `for` select and
/// repeat reducers. The block is evaluated once, when the reducer is created. Swift takes a closure on the line after
/// an expression for an argument of that expression, so give such a closure a name, or write it first.
///
/// The result behaves like that of ``combineReducers(_:)``. The compiler checks each reducer alone. Prefer this
/// function for more than a few reducers: with ``combineReducers(_:)``, an error in one reducer can make the compiler
/// give up on the whole expression.
///
/// - Complexity: O(n) in the number of reducers.
/// - Parameter reducers: The reducers to combine.
@inlinable
public func combine<S>(@ReducerBuilder<S> reducers: () -> ReducerFn<S>) -> ReducerFn<S> {
    reducers()
}
