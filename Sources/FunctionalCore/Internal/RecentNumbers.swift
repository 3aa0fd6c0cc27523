public import Synchronization

/// A set of the numbers that were inserted last. A number replaces an earlier number with the same hash. Insert only
/// numbers other than 0: an empty place contains 0. Thread-safe, and takes no lock.
///
/// Invariant: `words` points to `count` words. They are never deallocated, and change only by atomic operations. Each
/// index is less than `count`. A word protects no other memory, so relaxed ordering is enough.
@frozen
@safe
@usableFromInline
package struct RecentNumbers: @unchecked Sendable {
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>

    private static var count: Int { 512 }

    package init() {
        unsafe words = .allocate(capacity: Self.count)
        for index in 0..<Self.count { unsafe (words + index).initialize(to: Atomic(0)) }
    }

    @inlinable
    @inline(__always)
    package func contains(_ number: UInt) -> Bool {
        unsafe words[index(of: number)].load(ordering: .relaxed) == number
    }

    package func insert(_ number: UInt) {
        unsafe words[index(of: number)].store(number, ordering: .relaxed)
    }

    /// Returns the hash of a number: the upper 9 bits of a product, because there are 512 words.
    @inlinable
    @inline(__always)
    func index(of number: UInt) -> Int {
        Int(truncatingIfNeeded: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }
}
