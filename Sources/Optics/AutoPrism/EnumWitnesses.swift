/// The functions that the compiler generates for an enum: one reads the tag, and two convert between value and payload.
struct EnumWitnesses {
    let tag: UnsafeRawPointer
    let project: UnsafeRawPointer
    let inject: UnsafeRawPointer

    /// Reads the functions of an enum from its value-witness table.
    ///
    /// Returns `nil` for an enum imported from C. The table of such an enum ends before these functions.
    ///
    /// A value-witness table contains eight functions, the size, the stride, and two fields of four bytes, the first of
    /// which is the flags. If the flags say so, the three functions of an enum follow.
    init?(_ metadata: TypeMetadata) {
        let table = metadata.valueWitnesses
        let flagsOffset = 10 * TypeMetadata.word
        let hasEnumWitnesses: UInt32 = 0x20_0000
        guard table.load(fromByteOffset: flagsOffset, as: UInt32.self) & hasEnumWitnesses != 0 else { return nil }
        let first = flagsOffset + 8
        tag = table.load(fromByteOffset: first, as: UnsafeRawPointer.self)
        project = table.load(fromByteOffset: first + TypeMetadata.word, as: UnsafeRawPointer.self)
        inject = table.load(fromByteOffset: first + 2 * TypeMetadata.word, as: UnsafeRawPointer.self)
    }
}
