/// What is known of a type before actions are cast to it.
///
/// Not generic, and kept by closures that cast: in code that is not specialized, metadata of a generic type takes longer
/// to look up than to compare.
@usableFromInline
struct CastTarget: Sendable {
    @usableFromInline let type: ObjectIdentifier
    // If only an action of this very type, or one that is not plain, can be cast to it: the types known to be plain.
    @usableFromInline let plainTypes: PlainTypes?

    @usableFromInline
    init(_ type: any Action.Type) {
        self.type = ObjectIdentifier(type)
        plainTypes = PlainTypes.shared.contains(type) ? .shared : nil
    }

    /// Whether the types alone tell that an action cannot be cast.
    @inlinable
    @inline(__always)
    func refuses(_ action: any Action) -> Bool {
        let type: any Action.Type = Swift.type(of: action)
        guard ObjectIdentifier(type) != self.type, let plainTypes else { return false }
        return plainTypes.contains(type)
    }
}

/// Casts an action as `as?` does, and faster if it is of that very type.
@inlinable
@inline(__always)
func cast<Kind>(_ action: any Action, to kind: Kind.Type) -> Kind? {
    guard type(of: action) == kind else { return action as? Kind }
    return reinterpret(action, as: kind)
}

/// Only for an action of the type `Kind`.
///
/// The memory of the opened existential is read as a `Kind`, which it is: the caller has compared the types. With
/// another type this would be undefined behavior.
@inlinable
@inline(__always)
func reinterpret<Same: Action, Kind>(_ action: Same, as kind: Kind.Type) -> Kind {
    withUnsafePointer(to: action) { UnsafeRawPointer($0).assumingMemoryBound(to: kind).pointee }
}
