public import Synchronization

/// Numbers that were inserted, without those that later ones have replaced: numbers with the same hash replace each
/// other. Zero is always contained. Any thread may use it at any time, and never waits.
///
/// Invariant: `words` points to `count` words, which are never deallocated or assigned to as a whole, and change by
/// atomic operations alone. An index is less than `count`. No other memory depends on a word, so the relaxed ordering
/// suffices.
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

    /// The upper 9 bits of a product, as there are 512 words.
    @inlinable
    @inline(__always)
    func index(of number: UInt) -> Int {
        Int(truncatingIfNeeded: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }
}
