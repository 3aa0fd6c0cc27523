public import FunctionalCore

/// A function that computes a value from parts of a state, its inputs.
///
/// ```swift
/// let visible = createSelector(\App.posts, \App.filter) { posts, filter in posts.filter(filter.includes) }
/// ```
///
/// A selector itself has no memory: ``callAsFunction(_:)`` computes the value with each call, and may be called from
/// any thread. A memory holds the last inputs and their value, which is computed again only if an input differs. Each
/// function that ``memoized()`` returns has a memory of its own. ``Store/select(_:)-(Selector<S,Value>)`` returns a
/// selection that has one memory for ``Selection/value`` and one for each observer. So stores and selections that share
/// a selector never evict each other's values.
///
/// The type is modelled on ReCombine's `createSelector`.
public struct Selector<S, Value: Sendable>: Sendable {
    @usableFromInline let compute: @Sendable (S) -> Value
    @usableFromInline let makeMemory: @Sendable () -> @Sendable (S) -> Value

    @inlinable
    init(
        compute: @escaping @Sendable (S) -> Value, makeMemory: @escaping @Sendable () -> @Sendable (S) -> Value
    ) {
        self.compute = compute
        self.makeMemory = makeMemory
    }

    /// Creates a selector from a function.
    ///
    /// It has no inputs to remember, so it computes the value with each call.
    @inlinable
    public init(_ compute: @escaping @Sendable (S) -> Value) {
        self.init(compute: compute, makeMemory: { compute })
    }

    /// Returns the value for a state, computed without a memory.
    @inlinable
    public func callAsFunction(_ state: S) -> Value {
        compute(state)
    }

    /// Returns a function that computes the value only if an input has changed since the previous call.
    ///
    /// Each function that this method returns has a memory of its own. If the selector was created with ``init(_:)``,
    /// it has no inputs, and the function computes the value with each call.
    ///
    /// The function may be called from any thread. Calls that overlap may each compute the value.
    @inlinable
    public func memoized() -> @Sendable (S) -> Value {
        makeMemory()
    }
}

/// Creates a selector that computes its value from any number of inputs.
///
/// A selection of the selector calls `transform` only if an input has changed since the previous call. It compares the
/// inputs, and not the whole state, so the size of the state does not matter. The selection has one memory for its
/// value and one for each observer; see ``Selector``.
///
/// - Parameters:
///   - inputs: Functions or key paths that return the parts of the state to compute with.
///   - transform: Returns the value for the inputs.
@inlinable
public func createSelector<S, each Input: Equatable & Sendable, Value: Sendable>(
    _ inputs: repeat @escaping @Sendable (S) -> each Input,
    transform: @escaping @Sendable (repeat each Input) -> Value
) -> Selector<S, Value> {
    combineSelectors(repeat Selector(each inputs), transform: transform)
}

/// Creates a selector whose inputs are the values of other selectors.
///
/// A selection of the new selector also has a memory for each of the other selectors. It computes the value of such a
/// selector again only if an input of that selector has changed.
///
/// To use a function as an input, wrap it with ``Selector/init(_:)``.
///
/// - Parameters:
///   - inputs: The selectors whose values are the inputs.
///   - transform: Returns the value for the inputs.
@inlinable
public func combineSelectors<S, each Input: Equatable & Sendable, Value: Sendable>(
    _ inputs: repeat Selector<S, each Input>,
    transform: @escaping @Sendable (repeat each Input) -> Value
) -> Selector<S, Value> {
    let inputs = SelectorInputs(repeat each inputs, transform: transform)
    return Selector(compute: { inputs.compute($0) }, makeMemory: { inputs.makeMemory() })
}

/// The inputs of a selector, and the function that computes its value. They have a type of their own, because a closure
/// that captures a parameter pack crashes the compiler of Swift 6.3.
@usableFromInline
struct SelectorInputs<S, Value: Sendable, each Input: Equatable & Sendable>: Sendable {
    @usableFromInline let inputs: (repeat Selector<S, each Input>)
    @usableFromInline let transform: @Sendable (repeat each Input) -> Value

    @inlinable
    init(
        _ inputs: repeat Selector<S, each Input>,
        transform: @escaping @Sendable (repeat each Input) -> Value
    ) {
        self.inputs = (repeat each inputs)
        self.transform = transform
    }

    @inlinable
    func compute(_ state: S) -> Value {
        transform(repeat (each inputs)(state))
    }

    @inlinable
    func makeMemory() -> @Sendable (S) -> Value {
        let memory = SelectorMemory(inputs: (repeat (each inputs).memoized()), transform: transform)
        return { memory.value(for: $0) }
    }
}

/// The last inputs of a selector, and the value that was computed from them. May be used from any thread.
///
/// No code of the user runs under the lock: input functions, `==` and `transform` may read the same selection again.
@usableFromInline
final class SelectorMemory<S, Value: Sendable, each Input: Equatable & Sendable>: Sendable {
    @usableFromInline let inputs: (repeat @Sendable (S) -> each Input)
    @usableFromInline let transform: @Sendable (repeat each Input) -> Value
    @usableFromInline let last = Locked<(inputs: (repeat each Input), value: Value)?>(nil)

    @inlinable
    init(
        inputs: (repeat @Sendable (S) -> each Input), transform: @escaping @Sendable (repeat each Input) -> Value
    ) {
        self.inputs = inputs
        self.transform = transform
    }

    @inlinable
    func value(for state: S) -> Value {
        let inputs = (repeat (each inputs)(state))
        if let last = last.withLock({ $0 }) {
            var isSame = true
            // Not a separate function: two packs as arguments crash the compiler.
            for (old, new) in repeat (each last.inputs, each inputs) {
                if old != new { isSame = false }
            }
            if isSame { return last.value }
        }
        let value = transform(repeat each inputs)
        // The replaced inputs and value are released outside of the lock: a `deinit` may read the same selection again.
        var replaced: (inputs: (repeat each Input), value: Value)? = (inputs, value)
        last.withLock { swap(&$0, &replaced) }
        withExtendedLifetime(replaced) {}
        return value
    }
}
