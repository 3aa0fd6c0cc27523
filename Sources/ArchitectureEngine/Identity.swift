import FunctionalCore

/// Returns a function that tells whether a value has the same id as `part`. Returns `nil` if the type is not
/// `Identifiable`. An optional is not, even if its value is.
@usableFromInline
package func sameIdentity<Part>(as part: Part) -> (@Sendable (Part) -> Bool)? {
    guard !(Part.self is any OptionalType.Type), let part = part as? any Identifiable else { return nil }
    // The parts of an owner are `Sendable`, and so are their ids.
    let id = Unchecked(identity(of: part))
    return { part in (part as? any Identifiable).map { identity(of: $0) == id.value } ?? false }
}

private func identity(of part: some Identifiable) -> AnyHashable { AnyHashable(part.id) }

private protocol OptionalType {}
extension Optional: OptionalType {}
