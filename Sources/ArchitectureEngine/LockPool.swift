package import FunctionalCore

/// A few locks for very many objects, each locked once in a while and for a few instructions.
///
/// Two of the objects may have the same lock: under it none of another may be taken, nor anything let go of that might.
package struct LockPool: Sendable {
    private let locks = (0..<64).map { _ in Lock() }

    package init() {}

    /// The lock for an object, always the same.
    package func lock(for object: AnyObject) -> Lock {
        // Objects are aligned to 16 bytes, and those of one size lie more than that apart.
        locks[Int(bitPattern: Unmanaged.passUnretained(object).toOpaque()) >> 6 & 63]
    }
}
