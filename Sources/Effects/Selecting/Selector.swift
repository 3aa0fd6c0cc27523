/// A function of a state, with the memory to do its work only where its inputs have changed.
///
/// ```swift
/// let visible = createSelector(\App.posts, \App.filter) { posts, filter in posts.filter(filter.includes) }
/// ```
///
/// A plain function where it is called: ``callAsFunction(_:)`` remembers nothing, and may be called from any thread.
/// The memory belongs to who selects: each ``Store/select(_:)-(Selector<S,Value>)`` has its own, so that two stores
/// never evict each other's. After ReCombine's `createSelector`.
public struct Selector<S, Value>: Sendable {
    @usableFromInline let compute: @Sendable (S) -> Value
    @usableFromInline let makeMemory: @Sendable () -> (S) -> Value

    @inlinable
    init(compute: @escaping @Sendable (S) -> Value, makeMemory: @escaping @Sendable () -> (S) -> Value) {
        self.compute = compute
        self.makeMemory = makeMemory
    }

    /// A function as a selector. Without inputs it has nothing to remember, and computes with every call.
    @inlinable
    public init(_ compute: @escaping @Sendable (S) -> Value) {
        self.init(compute: compute, makeMemory: { compute })
    }

    /// The value for a state, computed anew.
    @inlinable
    public func callAsFunction(_ state: S) -> Value {
        compute(state)
    }

    /// A function that computes the value only where the inputs differ from those of the call before, for one thread at
    /// a time.
    @inlinable
    public func memoized() -> (S) -> Value {
        makeMemory()
    }
}

/// A selector of any number of inputs: `transform` is called only where one of them has changed.
///
/// Inputs are compared, the state never is: its size does not matter.
@inlinable
public func createSelector<S, each Input: Equatable & SendableMetatype, Value>(
    _ inputs: repeat @escaping @Sendable (S) -> each Input,
    transform: @escaping @Sendable (repeat each Input) -> Value
) -> Selector<S, Value> {
    combineSelectors(repeat Selector(each inputs), transform: transform)
}

/// A selector whose inputs are selectors themselves, each with a memory of its own.
///
/// An input that is a function becomes one by ``Selector/init(_:)``.
@inlinable
public func combineSelectors<S, each Input: Equatable & SendableMetatype, Value>(
    _ inputs: repeat Selector<S, each Input>,
    transform: @escaping @Sendable (repeat each Input) -> Value
) -> Selector<S, Value> {
    let inputs = SelectorInputs(repeat each inputs, transform: transform)
    return Selector(compute: { inputs.compute($0) }, makeMemory: { inputs.makeMemory() })
}

/// The inputs of a selector. A closure that captures a parameter pack crashes the 6.3 compiler; a type that carries one
/// does not.
@usableFromInline
struct SelectorInputs<S, Value, each Input: Equatable & SendableMetatype>: Sendable {
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
    func makeMemory() -> (S) -> Value {
        let memory = SelectorMemory(inputs: (repeat (each inputs).memoized()), transform: transform)
        return { memory.value(for: $0) }
    }
}

/// What a selector has seen last, and made of it.
@usableFromInline
final class SelectorMemory<S, Value, each Input: Equatable & SendableMetatype> {
    @usableFromInline let inputs: (repeat (S) -> each Input)
    @usableFromInline let transform: @Sendable (repeat each Input) -> Value
    @exclusivity(unchecked)
    @usableFromInline var lastInputs: (repeat each Input)?
    @exclusivity(unchecked)
    @usableFromInline var lastValue: Value?

    @inlinable
    init(inputs: (repeat (S) -> each Input), transform: @escaping @Sendable (repeat each Input) -> Value) {
        self.inputs = inputs
        self.transform = transform
    }

    @inlinable
    func value(for state: S) -> Value {
        let inputs = (repeat (each inputs)(state))
        if let lastInputs {
            var isSame = true
            // Not in a function of its own: two packs as arguments crash the compiler.
            for (old, new) in repeat (each lastInputs, each inputs) {
                if old != new { isSame = false }
            }
            if isSame, let lastValue { return lastValue }
        }
        let value = transform(repeat each inputs)
        lastInputs = inputs
        lastValue = value
        return value
    }
}
