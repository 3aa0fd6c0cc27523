/// The action as one of a type, if it is: as `as?`, and sooner where it is of that type and no other, as it mostly is.
@inlinable
@inline(__always)
func cast<Kind>(_ action: any Action, to kind: Kind.Type) -> Kind? {
    guard type(of: action) == kind else { return action as? Kind }
    return reinterpret(action, as: kind)
}

/// Only where both types are the same.
@inlinable
@inline(__always)
func reinterpret<Same: Action, Kind>(_ action: Same, as kind: Kind.Type) -> Kind {
    withUnsafePointer(to: action) { UnsafeRawPointer($0).assumingMemoryBound(to: kind).pointee }
}
