/// Reads which case an enum's value is: its tag, counted from 0, cases with a payload first, each group in the order of
/// its declaration.
///
/// Invariant: both pointers are to an enum's metadata and to that enum's own function, which are immutable and live as
/// long as the process. That is why this is `Sendable`, although pointers are not.
@usableFromInline
package struct EnumTag: @unchecked Sendable {
    @usableFromInline typealias Witness = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

    @usableFromInline let witness: Witness
    @usableFromInline let metadata: UnsafeRawPointer

    @usableFromInline
    init(witness: @escaping Witness, metadata: UnsafeRawPointer) {
        self.witness = witness
        self.metadata = metadata
    }

    /// The tag of the value at `address`, which must hold one of the enum. It is only looked at: not copied, not
    /// retained.
    @inlinable
    func callAsFunction(at address: UnsafeRawPointer) -> Int {
        Int(truncatingIfNeeded: witness(address, metadata))
    }
}
