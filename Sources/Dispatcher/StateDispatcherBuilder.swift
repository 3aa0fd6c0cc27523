public import FunctionalCore

/// A result builder that combines the dispatchers of a block in the order in which they are written.
///
/// Used by ``StateDispatcher/combine(children:)``. Each child is an expression that the compiler checks alone. So type
/// checking takes linear time in the number of children, and an error is reported at the child's own line.
@resultBuilder
public enum StateDispatcherBuilder<Environment, S, Input> {
    /// The type of a block and of each of its children.
    public typealias Dispatcher = StateDispatcher<Environment, S, Input>

    /// Returns a child unchanged.
    @inlinable
    public static func buildExpression(_ child: Dispatcher) -> Dispatcher {
        child
    }

    /// Returns the children of an array as one dispatcher.
    @inlinable
    public static func buildExpression(_ children: [Dispatcher]) -> Dispatcher {
        buildArray(children)
    }

    /// Returns the children of a block as one dispatcher, or the empty dispatcher if the block has no children.
    @inlinable
    public static func buildBlock(_ children: Dispatcher...) -> Dispatcher {
        buildArray(children)
    }

    /// Returns the result of an `if` without `else`, or the empty dispatcher if its condition does not hold.
    @inlinable
    public static func buildOptional(_ child: Dispatcher?) -> Dispatcher {
        child ?? .empty
    }

    /// Returns the result of the first branch of an `if` or a `switch`.
    @inlinable
    public static func buildEither(first child: Dispatcher) -> Dispatcher {
        child
    }

    /// Returns the result of the other branch of an `if` or a `switch`.
    @inlinable
    public static func buildEither(second child: Dispatcher) -> Dispatcher {
        child
    }

    /// Returns the results of a `for` loop as one dispatcher, in the order of its iterations.
    @inlinable
    public static func buildArray(_ children: [Dispatcher]) -> Dispatcher {
        children.count == 1 ? children[0] : .combineAll(children)
    }

    /// Returns the result of an `if #available` block.
    @inlinable
    public static func buildLimitedAvailability(_ child: Dispatcher) -> Dispatcher {
        child
    }
}

extension StateDispatcher {
    /// Returns a dispatcher that has the actions of each child for each input, in the order of the children.
    ///
    /// ```swift
    /// var app: StateDispatcher<Weather, App, AppInput> {
    ///     .combine {
    ///         counter.widen(
    ///             transformEnvironment: { _ in () },
    ///             transformState: \.counter,
    ///             transformInput: AppInput.prism(for: AppInput.counter)
    ///         )
    ///         forecast.widen(transformState: \.forecast, transformInput: AppInput.prism(for: AppInput.forecast))
    ///     }
    /// }
    /// ```
    ///
    /// The result equals `a.combine(b)` for the children `a` and `b`, and ``empty`` for a block without children. A
    /// child may be an array of dispatchers. `if`, `switch` and `for` select and repeat children.
    ///
    /// The compiler checks each child alone. Prefer this function to `combineAll(_:)` with an array literal, whose
    /// elements the compiler checks together.
    ///
    /// - Complexity: Combining the children is O(n) in their number. For the cost of an input, see ``combine(_:)``.
    /// - Parameter children: The dispatchers to combine.
    @inlinable
    public static func combine(
        @StateDispatcherBuilder<Environment, S, Input> children: () -> StateDispatcher
    ) -> StateDispatcher {
        children()
    }
}
