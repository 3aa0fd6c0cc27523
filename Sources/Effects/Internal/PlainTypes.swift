public import FunctionalCore

/// A type for which the result of a cast depends on the value: `Optional(1)` can be cast to `Int`, and
/// `Optional<Int>.none` cannot.
///
/// If such a type is an action, the store looks up the listeners for each value, and not once for the type.
protocol CastByValue {}

extension Optional: CastByValue {}
extension Array: CastByValue {}
extension Dictionary: CastByValue {}
extension Set: CastByValue {}
extension AnyHashable: CastByValue {}

/// A test, with a cache, for plain types: structures and enumerations that are not `CastByValue`.
///
/// A plain type cannot be cast to another plain type. Casts that succeed between different types involve a class, an
/// existential (which is never the type of an action), an optional, a collection or an `AnyHashable`.
///
/// The cache contains the identifiers of types that are known to be plain. Metadata is never freed, so no other type
/// has one of these identifiers later.
@usableFromInline
struct PlainTypes: Sendable {
    @usableFromInline let known = RecentNumbers()

    @usableFromInline static let shared = PlainTypes()

    private init() {}

    @inlinable
    @inline(__always)
    func contains(_ type: any Action.Type) -> Bool {
        known.contains(UInt(bitPattern: ObjectIdentifier(type))) || learn(type)
    }

    @usableFromInline
    @inline(never)
    func learn(_ type: any Action.Type) -> Bool {
        if type is AnyClass || type is any CastByValue.Type { return false }
        known.insert(UInt(bitPattern: ObjectIdentifier(type)))
        return true
    }
}
