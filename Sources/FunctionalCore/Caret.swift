postfix operator ^

/// Returns `value` unchanged.
///
/// In Bow, `^` converts an encoded higher-kinded type to the concrete type. In this library every operation already
/// returns the concrete type. The operator exists so that code written for Bow compiles unchanged.
@inlinable
public postfix func ^ <Value>(_ value: Value) -> Value {
    value
}
