postfix operator ^

/// The value itself.
///
/// Bow needs `^` to turn an encoded higher-kinded type into the concrete one. Here every operation returns the concrete
/// type already; the operator exists so that code written for Bow compiles unchanged.
@inlinable
public postfix func ^ <Value>(_ value: Value) -> Value {
    value
}
