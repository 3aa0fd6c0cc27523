/// Reads the tag of an enum's value, which identifies its case.
///
/// Tags are counted from 0. Cases with a payload come first, then cases without. Within each group, the tags follow the
/// order of declaration. A payload that is known to be empty when the enum is compiled, such as `Void`, counts as none.
///
/// Invariant: both pointers refer to the metadata of an enum and to a function of the same enum. Both are immutable and
/// live as long as the process. The tag is therefore `Sendable`, although pointers are not.
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

    /// Returns the tag of the value at `address`, which must be a value of the enum. The value is neither copied nor
    /// retained.
    @inlinable
    func callAsFunction(at address: UnsafeRawPointer) -> Int {
        Int(truncatingIfNeeded: witness(address, metadata))
    }
}
