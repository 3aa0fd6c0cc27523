public import Optics

/// A function that changes a state in place in response to an action.
///
/// It must be pure, and must not change the state for actions that it does not know.
///
/// A store calls its reducer once for each action, one call at a time, on the thread that processes the action. A
/// reducer that reads the state of its own store traps. If a reducer dispatches an action to its own store, the action
/// is enqueued.
public typealias ReducerFn<S> = @Sendable (inout S, any Action) -> Void

/// Returns a reducer that calls each of `reducers`, from left to right.
///
/// Each reducer receives the state that the reducers before it have changed. Without reducers, nothing changes. A
/// nested combination behaves like a flat combination. ``combine(reducers:)`` takes a block of reducers, which the
/// compiler checks one by one.
///
/// - Complexity: O(n) in the number of reducers. A reducer is a function, so only a call shows whether it handles an
///   action.
@inlinable
public func combineReducers<S>(_ reducers: ReducerFn<S>...) -> ReducerFn<S> {
    ReducerBuilder.buildArray(reducers)
}

/// Returns a reducer for a whole state that applies `reducer` to the part at a key path.
///
/// ```swift
/// var reducer: ReducerFn<App> {
///     combine {
///         forKey(\.posts, use: posts)
///         forKey(\.settings, use: settings)
///     }
/// }
/// ```
///
/// The part is changed in place.
///
/// - Parameters:
///   - path: The key path from the whole state to the part.
///   - reducer: Changes the part.
@inlinable
public func forKey<S, Part>(
    _ path: any WritableKeyPath<S, Part> & Sendable,
    use reducer: @escaping ReducerFn<Part>
) -> ReducerFn<S> {
    forPart(Lens(path), use: reducer)
}

/// Returns a reducer for a whole state that applies `reducer` to a part that may be absent, such as a case of an enum.
///
/// If the part is absent, nothing changes. The part is changed in place.
///
/// - Parameters:
///   - part: A prism, or another optic whose part may be absent.
///   - reducer: Changes the part.
@inlinable
public func forPart<S, Part>(
    _ part: some AffineProtocol<S, Part>,
    use reducer: @escaping ReducerFn<Part>
) -> ReducerFn<S> {
    let part = part.asAffine
    return { state, action in part.modify(&state) { reducer(&$0, action) } }
}

/// Returns a reducer that applies `reduce` to one element of a collection. The action contains the id of the element.
///
/// ```swift
/// struct TodoToggled: Action { let id: Int }
///
/// var reducer: ReducerFn<App> {
///     forEach(\.todos, id: \TodoToggled.id) { todo, _ in todo.isDone.toggle() }
/// }
/// ```
///
/// If no element has the id, nothing changes. If several elements have the id, the first such element changes. The
/// element is changed in place. A change must keep the id of the element. A change to another id traps with a message.
///
/// If a feature has several actions, make them the cases of one enum, or let one action carry the others:
/// `struct ForTodo: Action { let id: Int, action: any Action }`.
///
/// - Complexity: O(n) in the number of elements for an action of the type, to find the element.
/// - Parameters:
///   - elements: The key path from the whole state to the collection.
///   - id: Returns the id of the element that an action is for.
///   - reduce: Changes the element.
@inlinable
public func forEach<S, Elements, Kind: Action>(
    _ elements: any WritableKeyPath<S, Elements> & Sendable,
    id: @escaping @Sendable (Kind) -> Elements.Element.ID,
    use reduce: @escaping @Sendable (inout Elements.Element, Kind) -> Void
) -> ReducerFn<S>
where
    Elements: MutableCollection & SendableMetatype, Elements.Index: SendableMetatype,
    Elements.Element: Identifiable & SendableMetatype, Elements.Element.ID: Sendable
{
    let elements = Lens(elements)
    return on(Kind.self) { state, action in
        elements.element(id: id(action)).modify(&state) { reduce(&$0, action) }
    }
}

/// Returns a reducer for the actions of one type.
///
/// ```swift
/// var reducer: ReducerFn<Int> {
///     on(Added.self) { count, added in count += added.amount }
/// }
/// ```
///
/// The reducer handles the actions whose type is `type` or a subclass of `type`. Other actions change nothing.
///
/// - Complexity: O(1) for an action of another type.
@inlinable
public func on<S, Kind: Action>(
    _ type: Kind.Type,
    _ reduce: @escaping @Sendable (inout S, Kind) -> Void
) -> ReducerFn<S> {
    // Not `Kind.self`: code that is not specialized takes longer to look up the metadata of a generic type than to
    // compare two types.
    let (kind, isClass) = (ObjectIdentifier(type), type is AnyClass)
    return { state, action in
        if isClass || ObjectIdentifier(Swift.type(of: action)) == kind { castAndReduce(action, &state, reduce) }
    }
}

/// Calls `reduce` with `action`, if the action is a `Kind`. Not inlined: an unspecialized caller would
/// otherwise reserve space for a `Kind` in each call, even if it does not cast the action.
@inlinable
@inline(never)
func castAndReduce<S, Kind: Action>(_ action: any Action, _ state: inout S, _ reduce: (inout S, Kind) -> Void) {
    if let action = cast(action, to: Kind.self) { reduce(&state, action) }
}

/// Returns a reducer that sets the state to the result of `reduce`.
///
/// `reduce` may copy the state. For a large state, write a reducer that changes the state in place.
///
/// - Parameter reduce: Returns the new state for a state and an action.
@inlinable
public func reducer<S>(_ reduce: @escaping @Sendable (S, any Action) -> S) -> ReducerFn<S> {
    { state, action in state = reduce(state, action) }
}
