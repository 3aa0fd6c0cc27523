/// A wrapper that carries a value into a `@Sendable` closure.
@frozen
@usableFromInline
// Unchecked: the value is of one of two kinds. Either it was `Sendable` when it entered a description, and its type no
// longer states this. Or it belongs to one run, which one thread at a time uses.
package struct Unchecked<Value>: @unchecked Sendable {
    @usableFromInline
    package let value: Value

    @inlinable
    @inline(__always)
    package init(_ value: Value) {
        self.value = value
    }
}

/// A variable of one run, which the closures of a program share.
///
/// Unchecked: the variable belongs to one run, which one thread at a time uses.
@usableFromInline
final class RunVariable<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline
    var value: Value

    @inlinable
    init(_ value: consuming Value) {
        self.value = value
    }

    @inlinable
    deinit {}
}
