import Synchronization

/// The layouts of all enum types that were requested so far: a binary trie, keyed by the bits of a type's hash.
///
/// Nodes are added and never removed, without a lock. A thread that loses the race to fill a position continues with
/// the node that is there.
final class EnumLayoutCache: Sendable {
    private static let root = EnumLayoutCache(nil)

    private let layout: EnumLayout?
    private let left = AtomicLazyReference<EnumLayoutCache>()
    private let right = AtomicLazyReference<EnumLayoutCache>()

    private init(_ layout: EnumLayout?) {
        self.layout = layout
    }

    /// Returns the layout of `type`. The first call for a type reads it.
    static func layout(of type: Any.Type) throws(AutoPrismRefusal) -> EnumLayout {
        try root.find(type, UInt(bitPattern: ObjectIdentifier(type).hashValue))
    }

    private func find(_ type: Any.Type, _ bits: UInt) throws(AutoPrismRefusal) -> EnumLayout {
        if let layout, layout.type == type { return layout }
        let goesLeft = bits & 1 == 0
        let next: EnumLayoutCache
        if let present = goesLeft ? left.load() : right.load() {
            next = present
        } else {
            let made = EnumLayoutCache(try EnumLayout(of: type))
            next = goesLeft ? left.storeIfNil(made) : right.storeIfNil(made)
        }
        return try next.find(type, bits >> 1)
    }
}
