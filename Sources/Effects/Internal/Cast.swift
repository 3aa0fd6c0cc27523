import FunctionalCore

/// Returns an action as a `Kind` if its type is `Kind` or a subclass of `Kind`. Comparing the types first is faster
/// than a cast.
@inlinable
@inline(__always)
func cast<Kind: Action>(_ action: any Action, to kind: Kind.Type) -> Kind? {
    exactly(action, as: kind) ?? (type(of: action) is Kind.Type ? action as? Kind : nil)
}
