public import Synchronization

/// A type whose values can be cast to types that depend on the value: `Optional(1)` is an `Int`, and
/// `Optional<Int>.none` is not.
///
/// If such a type is an action, the store looks up the listeners of each value.
protocol CastByValue {}

extension Optional: CastByValue {}
extension Array: CastByValue {}
extension Dictionary: CastByValue {}
extension Set: CastByValue {}
extension AnyHashable: CastByValue {}

/// The types of structures and enumerations, except the types that are cast by value.
///
/// A plain type cannot be cast to another plain type. Casts that succeed between different types involve a class, an
/// existential (which is never the type of an action), an optional, a collection or an `AnyHashable`.
///
/// The table remembers the types that are known to be plain. Types with the same hash replace each other.
///
/// Unchecked: the memory is never deallocated or assigned to as a whole, so any thread may read the pointer. The words
/// change only by atomic operations. A word is zero or the identifier of a plain type. Metadata is never freed, so a
/// word that equals a type's identifier shows that this type is plain. No other memory depends on a word, so relaxed
/// ordering suffices. Without atomic words, two threads that learn types at once would race.
@usableFromInline
struct PlainTypes: @unchecked Sendable {
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    @usableFromInline static let shared = PlainTypes()

    private init() {
        let count = 512
        words = .allocate(capacity: count)
        for index in 0..<count { (words + index).initialize(to: Atomic(0)) }
    }

    @inlinable
    @inline(__always)
    func contains(_ type: any Action.Type) -> Bool {
        let identifier = UInt(bitPattern: ObjectIdentifier(type))
        return words[index(of: identifier)].load(ordering: .relaxed) == identifier || learn(type)
    }

    /// Returns the upper 9 bits of a product, because there are 512 words.
    @inlinable
    @inline(__always)
    func index(of identifier: UInt) -> Int {
        Int(truncatingIfNeeded: (UInt64(identifier) &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }

    @usableFromInline
    @inline(never)
    func learn(_ type: any Action.Type) -> Bool {
        if type is AnyClass || type is any CastByValue.Type { return false }
        let identifier = UInt(bitPattern: ObjectIdentifier(type))
        words[index(of: identifier)].store(identifier, ordering: .relaxed)
        return true
    }
}
