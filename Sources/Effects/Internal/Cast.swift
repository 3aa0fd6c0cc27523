public import FunctionalCore

/// A type to which actions are cast, and whether it is plain; see `PlainTypes`.
///
/// It is not generic: code that is not specialized takes longer to look up the metadata of a generic type than to
/// compare two types.
@usableFromInline
struct CastTarget: Sendable {
    @usableFromInline let type: ObjectIdentifier
    // The test for plain types if this type is plain, and otherwise `nil`. An action of another plain type cannot be
    // cast to a plain type.
    @usableFromInline let plainTypes: PlainTypes?

    @usableFromInline
    init(_ type: any Action.Type) {
        self.type = ObjectIdentifier(type)
        plainTypes = PlainTypes.shared.contains(type) ? .shared : nil
    }

    /// Returns `true` if the types alone show that an action cannot be cast to this type.
    @inlinable
    @inline(__always)
    func refuses(_ action: any Action) -> Bool {
        let type: any Action.Type = Swift.type(of: action)
        guard ObjectIdentifier(type) != self.type, let plainTypes else { return false }
        return plainTypes.contains(type)
    }
}

/// Casts an action as `as?` does, but faster if the types are the same.
@inlinable
@inline(__always)
func cast<Kind>(_ action: any Action, to kind: Kind.Type) -> Kind? {
    exactly(action, as: kind) ?? action as? Kind
}
