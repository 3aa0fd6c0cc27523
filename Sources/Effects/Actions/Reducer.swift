public import Optics

/// How an action changes a state, in place. Must be pure, and must leave the state as it is for actions it does not
/// know.
///
/// It is called once for each action, one call at a time for each store, on the thread that handles the action; it must
/// not dispatch.
public typealias ReducerFn<S> = @Sendable (inout S, any Action) -> Void

/// Returns a reducer that calls each of `reducers`, from left to right. Each sees the changes of those before it.
///
/// Without reducers it changes nothing. Nesting makes no difference.
///
/// - Complexity: O(n) in the number of reducers. A reducer is a function, so only a call tells whether it takes an
///   action.
@inlinable
public func combineReducers<S>(_ reducers: ReducerFn<S>...) -> ReducerFn<S> {
    { state, action in for reduce in reducers { reduce(&state, action) } }
}

/// A reducer for a part of a state as one for the whole. The part is changed in place.
///
/// ```swift
/// let reducer = combineReducers(forKey(\App.posts, use: posts), forKey(\App.settings, use: settings))
/// ```
@inlinable
public func forKey<S, Part>(
    _ path: any WritableKeyPath<S, Part> & Sendable,
    use reducer: @escaping ReducerFn<Part>
) -> ReducerFn<S> {
    forPart(Lens(path), use: reducer)
}

/// A reducer for a part of a state that may be absent, such as a case of an enum: then nothing is changed.
@inlinable
public func forPart<S, Part>(
    _ part: some AffineConvertible<S, Part>,
    use reducer: @escaping ReducerFn<Part>
) -> ReducerFn<S> {
    let part = part.asAffine
    return { state, action in part.modify(&state) { reducer(&$0, action) } }
}

/// Returns a reducer for the actions of one type. Other actions change nothing.
///
/// ```swift
/// let reducer: ReducerFn<Int> = on(Added.self) { count, added in count += added.amount }
/// ```
///
/// The reducer takes the actions that `as?` casts to `type`: those of subclasses, too, and an optional that holds one.
///
/// - Complexity: If `type` is a structure or an enumeration, an action of another such type costs the comparison of the
///   types. Otherwise it costs a dynamic cast.
@inlinable
public func on<S, Kind: Action>(
    _ type: Kind.Type,
    _ reduce: @escaping @Sendable (inout S, Kind) -> Void
) -> ReducerFn<S> {
    let target = CastTarget(type)
    return { state, action in
        if !target.refuses(action) { castAndReduce(action, &state, reduce) }
    }
}

/// Not inlined: where `Kind` is not known to the compiler, space for one has to be looked up, also when it is not used.
@inlinable
@inline(never)
func castAndReduce<S, Kind: Action>(_ action: any Action, _ state: inout S, _ reduce: (inout S, Kind) -> Void) {
    if let action = cast(action, to: Kind.self) { reduce(&state, action) }
}

/// A reducer that returns the new state, as one that changes it in place. What it returns may be a copy of a large
/// state.
@inlinable
public func reducer<S>(_ reduce: @escaping @Sendable (S, any Action) -> S) -> ReducerFn<S> {
    { state, action in state = reduce(state, action) }
}
