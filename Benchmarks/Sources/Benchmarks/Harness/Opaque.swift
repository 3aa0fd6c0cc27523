import Opacity

// What keeps the optimizer from taking the work away: neither costs an instruction of its own.

/// The number, of which the compiler no longer knows what it is.
@inline(__always)
func opaque(_ number: Int) -> Int {
    opacity_number(number)
}

/// The value, of which the compiler no longer knows what it is: closures in it are not specialised any further than
/// those that a client keeps in a stored property.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
    var value = value
    change(&value)
    return value
}

/// Makes the compiler believe that `value` is used.
@inline(__always)
func use<Value>(_ value: Value) {
    withUnsafePointer(to: value) { opacity_touch($0) }
}

/// Makes the compiler believe that `value` is another one from here on.
@inline(__always)
func change<Value>(_ value: inout Value) {
    withUnsafeMutablePointer(to: &value) { opacity_touch($0) }
}
