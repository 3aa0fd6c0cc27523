/// A function whose results are combined.
///
/// ```swift
/// let words = Function<Int, String> { "\($0)" }.combine(Function { $0 % 2 == 0 ? " even" : " odd" })
/// words(4)  // "4 even"
/// ```
@frozen
public struct Function<Input, Output>: Sendable {
    @usableFromInline
    let body: @Sendable (Input) -> Output

    /// A function as a value.
    @inlinable
    public init(_ body: @escaping @Sendable (Input) -> Output) {
        self.body = body
    }

    /// The function's result for `input`. Runs where it is called.
    @inlinable
    public func callAsFunction(_ input: Input) -> Output { body(input) }
}

extension Function: Semigroup where Output: Semigroup {
    /// The function that calls both with its input, this one first, and combines the results.
    @inlinable
    public func combine(_ other: Function) -> Function {
        Function { [body] input in body(input).combine(other.body(input)) }
    }
}

extension Function: Monoid where Output: Monoid {
    /// The function whose result is always neutral.
    @inlinable
    public static var empty: Function {
        Function { _ in .empty }
    }
}
