/// A function from a type to itself; two are combined by calling one after the other.
///
/// ```swift
/// Endo { $0 + 1 }.combine(Endo { $0 * 2 })(3)  // 8: this one first
/// ```
@frozen
public struct Endo<Value>: Sendable {
    @usableFromInline
    let body: @Sendable (Value) -> Value

    /// A function as a value.
    @inlinable
    public init(_ body: @escaping @Sendable (Value) -> Value) {
        self.body = body
    }

    /// The function's result for `value`. Runs where it is called.
    @inlinable
    public func callAsFunction(_ value: Value) -> Value { body(value) }
}

extension Endo: Monoid {
    /// The function that calls this one, and `other` with the result. Nests: a chain of very many needs a deep stack.
    @inlinable
    public func combine(_ other: Endo) -> Endo {
        Endo { [body] value in other.body(body(value)) }
    }

    /// The function that returns what it is given.
    @inlinable
    public static var empty: Endo { Endo { $0 } }
}
