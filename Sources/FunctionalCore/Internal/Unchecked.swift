/// Carries a value into a `@Sendable` closure of a description.
@frozen
@usableFromInline
// Unchecked, for two kinds of values: those that were `Sendable` where they entered a description, in a place where
// the type no longer says so; and those of a run, which is moved from thread to thread and never shared.
package struct Unchecked<Value>: @unchecked Sendable {
    @usableFromInline
    package let value: Value

    @inlinable
    @inline(__always)
    package init(_ value: Value) {
        self.value = value
    }
}
