import Synchronization

/// The layouts of all enum types asked for so far: a binary tree that only grows, by the bits of a type's hash.
///
/// Without a lock: a thread that loses the race for a place finds the winner there, and goes on from it.
final class EnumLayoutCache: Sendable {
    private static let root = EnumLayoutCache(nil)

    private let layout: EnumLayout?
    private let left = AtomicLazyReference<EnumLayoutCache>()
    private let right = AtomicLazyReference<EnumLayoutCache>()

    private init(_ layout: EnumLayout?) {
        self.layout = layout
    }

    /// The layout of `type`, read at the first call and kept.
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
